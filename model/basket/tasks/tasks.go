// Package tasks lists the searches of the baskets' model: each program of each state.
package tasks

import (
	model "github.com/samecycle/samecycle/model/basket"
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
			return "at most one death in a program, at any step; what the index promises is taken for " +
				"granted, one word for a hash; not covered: more actors, keys, baskets and records than " +
				"the programs have"
		},
	}
}
