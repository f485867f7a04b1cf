// Package tasks lists the searches of the sharded map's model: each program of each state.
package tasks

import (
	"github.com/samecycle/samecycle/model/search"
	model "github.com/samecycle/samecycle/model/shardmap"
)

// Model returns the searches. A program whose actors begin anew for ever, or that must deadlock, is left to
// the tests of the model, which compare it with TLC as well.
func Model() search.Model {
	m := search.Model{Note: func(string) string {
		return "no deaths; left to the tests: programs that must deadlock, and the behaviour as written; " +
			"not covered: more actors, keys and shards than the programs have"
	}}
	byState := map[string]*search.Programs[*model.Machine, model.State, model.Action]{}
	var order []string
	for _, p := range model.Programs() {
		if p.Deadlocks || p.Name != p.State && len(p.Repeats) > 0 {
			continue
		}
		x := byState[p.State]
		if x == nil {
			x = &search.Programs[*model.Machine, model.State, model.Action]{Name: p.State, State: p.State,
				Properties: model.PropertiesOf(p.State), Explore: model.Explore}
			byState[p.State], order = x, append(order, p.State)
			for _, w := range model.Witnesses() {
				if w.Name == "No"+p.State {
					x.Witnesses = append(x.Witnesses, w)
				}
			}
		}
		x.Programs = append(x.Programs, search.Program[*model.Machine, model.State, model.Action]{
			Name: p.Name,
			Make: func() (*model.Machine, error) { return model.As(p.Name) },
			Live: func(m *model.Machine) *search.Live[model.State, model.Action] {
				live, _ := model.LiveByName(m, model.EverybodyEnds)
				return live
			}})
	}
	for _, state := range order {
		m.Tasks = append(m.Tasks, byState[state].Task())
	}
	return m
}
