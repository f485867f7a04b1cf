package slots

import (
	"slices"

	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/slots"
)

// row is a program of the model, with how far a check searches it on the code: a death of one process
// anywhere, and each order with so many preemptions.
type row struct {
	name  string
	bound int // of preemptions
}

// rows are the programs of the states.
var rows = []row{
	{name: "B01SlotAbandoned", bound: 4},
	{name: "B01SlotAbandoned_Two", bound: 2},
	{name: "B02SlotServiceDies", bound: 2},
	{name: "B02SlotServiceDies_Alone", bound: 2},
	{name: "B03SlotClientDies", bound: 2},
	{name: "B03SlotClientDies_Serving", bound: 4},
	{name: "B04BellSleep", bound: 4},
	{name: "B04BellSleep_Two", bound: 2},
	{name: "B05SlotReuse", bound: 2},
	{name: "B05SlotReuse_Two", bound: 2},
}

// program is one that is explored.
type program struct {
	model.Program
	row
}

// programByName finds the program of a row.
func programByName(name string) (program, bool) {
	i := slices.IndexFunc(rows, func(r row) bool { return r.name == name })
	p, ok := model.ProgramByName(name)
	if i < 0 || !ok {
		return program{}, false
	}
	p.Mortal = 0
	return program{p, rows[i]}, true
}

// budget is how far a check searches the program.
func (p program) budget() harness.Budget {
	return harness.Budget{Preemptions: p.bound, Kills: 1}
}

// dying is the program with deaths of any process, or without. Who waits for somebody that may die does so
// with a bound.
func (p program) dying(kills int) program {
	if kills > 0 {
		for _, process := range p.Processes {
			p.Mortal |= 1 << process
		}
		p.Bounded = true
	}
	return p
}

// calls are those of each actor.
func (p program) calls() (all [][]call) {
	for i, kinds := range p.Calls {
		all = append(all, callsOf(i+1, kinds))
	}
	return all
}

// client reports whether an actor, from 1, is a thread of a client.
func (p program) client(actor int) bool { return actor <= p.Clients }
