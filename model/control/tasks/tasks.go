// Package tasks lists the searches of the model of the words by which processes steer one another: each
// program of each state.
package tasks

import (
	model "github.com/samecycle/samecycle/model/control"
	"github.com/samecycle/samecycle/model/search"
)

// Model returns the searches.
func Model() search.Model {
	var all []search.Program[*model.Machine, model.State, model.Move]
	for _, p := range model.Programs() {
		all = append(all, search.Program[*model.Machine, model.State, model.Move]{
			Name: p.Name, State: p.State,
			Make: func() (*model.Machine, error) { return model.As(p.Name) },
			Live: (*model.Machine).Live})
	}
	return search.Model{
		Tasks: search.ByState(all, func(state string) search.Programs[*model.Machine, model.State,
			model.Move] {
			return search.Programs[*model.Machine, model.State, model.Move]{
				Properties: model.Properties(), Witnesses: model.WitnessesOf(state)}
		}),
		Note: func(string) string {
			return "at most one death in a program, at any step; times are small numbers; not covered: a " +
				"clock that wraps, damaged words but wishes, calls that give up after many tries, more " +
				"actors and words than the programs have"
		},
	}
}
