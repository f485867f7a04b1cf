// Package tasks lists the searches of the model of the slots: each program of each state.
package tasks

import (
	"github.com/samecycle/samecycle/model/search"
	model "github.com/samecycle/samecycle/model/slots"
)

// Model returns the searches.
func Model() search.Model {
	m := search.Model{Note: func(string) string {
		return "at most one death in a program, at any step; a data area is one word; not covered: " +
			"batches, clients that write outside of the protocol, more actors and slots than the programs " +
			"have"
	}}
	byState := map[string]*search.Programs[*model.Machine, model.State, model.Move]{}
	var order []string
	for _, p := range model.Programs() {
		x := byState[p.State]
		if x == nil {
			x = &search.Programs[*model.Machine, model.State, model.Move]{Name: p.State, State: p.State,
				Properties: model.Properties(), Witnesses: model.WitnessesOf(p.State), Explore: model.Explore}
			byState[p.State], order = x, append(order, p.State)
		}
		x.Programs = append(x.Programs, search.Program[*model.Machine, model.State, model.Move]{
			Name: p.Name,
			Make: func() (*model.Machine, error) { return model.As(p.Name) },
			Live: (*model.Machine).Live})
	}
	for _, state := range order {
		m.Tasks = append(m.Tasks, byState[state].Task())
	}
	return m
}
