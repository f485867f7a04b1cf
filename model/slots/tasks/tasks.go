// Package tasks lists the searches of the model of the slots: each program of each state.
package tasks

import (
	"github.com/samecycle/samecycle/model/search"
	model "github.com/samecycle/samecycle/model/slots"
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
			return "at most one death in a program, at any step; a data area is one word; not covered: " +
				"batches, clients that write outside of the protocol, more actors and slots than the " +
				"programs have"
		},
	}
}
