package scenarios

import (
	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/hopscotch"
	"github.com/samecycle/samecycle/scenarios/hopscotch/states"
)

// Explored are the programs of the rows of all states, which make check explores.
func Explored() []model.Program {
	var all []model.Program
	for _, row := range states.Rows() {
		for _, x := range row.Programs {
			if p, ok := model.ProgramByName(x.Name); ok { // a test wants the programs of the model
				all = append(all, p)
			}
		}
	}
	return all
}

// Checked is the budget of a program in make check; one that is in no row gets two preemptions.
func Checked(p model.Program) harness.Budget {
	row, _ := states.Of(p.State)
	for _, x := range row.Programs {
		if x.Name == p.Name {
			return harness.Budget{Preemptions: x.Preemptions, Kills: x.Kills} // states.All as in the explorer
		}
	}
	return harness.Budget{Preemptions: 2, Kills: 1}
}
