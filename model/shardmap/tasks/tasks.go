// Package tasks lists the searches of the sharded map's model: each program of each state.
package tasks

import (
	"github.com/samecycle/samecycle/model/search"
	model "github.com/samecycle/samecycle/model/shardmap"
)

// Model returns the searches. A program whose actors begin anew for ever, or that must deadlock, is left to
// the tests of the model, which compare it with TLC as well.
func Model() search.Model {
	var all []search.Program[*model.Machine, model.State, model.Action]
	for _, p := range model.Programs() {
		if p.Deadlocks || p.Name != p.State && len(p.Repeats) > 0 {
			continue
		}
		all = append(all, search.Program[*model.Machine, model.State, model.Action]{
			Name: p.Name, State: p.State,
			Make: func() (*model.Machine, error) { return model.As(p.Name) },
			Live: func(m *model.Machine) *search.Live[model.State, model.Action] {
				live, _ := model.LiveByName(m, model.EverybodyEnds)
				return live
			}})
	}
	return search.Model{
		Tasks: search.ByState(all, func(state string) search.Programs[*model.Machine, model.State,
			model.Action] {
			return search.Programs[*model.Machine, model.State, model.Action]{
				Properties: model.PropertiesOf(state),
				Witnesses:  search.WitnessesOf(state, model.Witnesses())}
		}),
		Note: func(string) string {
			return "no deaths; left to the tests: programs that must deadlock, and the behaviour as " +
				"written; not covered: more actors, keys and shards than the programs have"
		},
	}
}
