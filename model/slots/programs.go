package slots

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/model/search"
)

// Kind is what a call asks for.
type Kind uint8

// The calls.
const (
	Ask    Kind = iota // one request; the client waits as long as the service lives
	Try                // one request; the client gives up when a wait has timed out
	Attach             // a process takes the lock of its side, and clears up what a dead one has left
	Serve              // the rounds of a service, without end
)

var kindNames = [...]string{"Ask", "Try", "Attach", "Serve"}

// String is the name that the specification has for it.
func (k Kind) String() string { return kindNames[k] }

// Program is what the actors of a run do. Actors, processes and slots are numbered from 1. The clients come
// first; the others are services.
type Program struct {
	Name      string
	State     string // of the catalog
	Slots     uint8
	Clients   int        // how many of the actors are threads of clients
	Processes []uint8    // by actor
	Calls     [][]Kind   // by actor
	Mortal    search.Set // the processes that may die; one does at most
	Bounded   bool       // waits may time out
	Going     []int      // the actors that go on in the complete run; any other one may stop anywhere
}

// Programs returns all programs, in the order of their states.
func Programs() []Program { return slices.Clone(programs) }

// ProgramByName finds one of them.
func ProgramByName(name string) (Program, bool) {
	for _, p := range programs {
		if p.Name == name {
			return p, true
		}
	}
	return Program{}, false
}

// check says what a machine has no room for.
func (p *Program) check() error {
	if len(p.Calls) > MaxActors || p.Slots < 1 || p.Slots > MaxSlots || len(p.Processes) != len(p.Calls) ||
		p.Clients < 1 || p.Clients >= len(p.Calls) {
		return fmt.Errorf("program %s: choose %d actors and %d slots at most, a process for each actor, a "+
			"client and a service at least", p.Name, MaxActors, MaxSlots)
	}
	for _, calls := range p.Calls {
		if len(calls) < 1 || len(calls) > MaxCalls {
			return fmt.Errorf("program %s: choose 1 to %d calls for each actor", p.Name, MaxCalls)
		}
	}
	return nil
}

func calls(list ...Kind) []Kind      { return list }
func actors(list ...[]Kind) [][]Kind { return list }

// of is a program with so many slots and clients, each actor a process of its own.
func of(name, state string, slots uint8, clients int, all ...[]Kind) Program {
	p := Program{Name: name, State: state, Slots: slots, Clients: clients, Calls: actors(all...)}
	for i := range all {
		p.Processes = append(p.Processes, uint8(i+1))
	}
	return p
}

// threads makes the first two actors threads of one process.
func (p Program) threads() Program {
	for i := range p.Processes[1:] {
		p.Processes[i+1]--
	}
	return p
}

func (p Program) bounded() Program {
	p.Bounded = true
	return p
}

// dying lets a process die.
func (p Program) dying(process uint8) Program {
	p.Mortal = search.One(process)
	return p.bounded()
}

func (p Program) going(actors ...int) Program {
	p.Going = actors
	return p
}

const (
	b01 = "B01SlotAbandoned"
	b02 = "B02SlotServiceDies"
	b03 = "B03SlotClientDies"
	b04 = "B04BellSleep"
	b05 = "B05SlotReuse"
)

var serves, follows = calls(Serve), calls(Attach, Serve)

var programs = []Program{
	of(b01, b01, 1, 1, calls(Try, Try), serves).bounded().going(1),
	of(b01+"_Two", b01, 1, 2, calls(Try, Try), calls(Try), serves).threads().bounded().going(1, 2, 3),
	of(b02, b02, 1, 1, calls(Ask, Ask), serves, follows).dying(2).going(1, 2, 3),
	of(b02+"_Alone", b02, 1, 1, calls(Try, Try), serves, follows).dying(2).going(1),
	of(b03, b03, 1, 2, calls(Ask), calls(Attach, Ask), serves).dying(1).going(2, 3),
	of(b03+"_Serving", b03, 2, 1, calls(Try, Ask), serves).dying(1).going(1, 2),
	of(b04, b04, 1, 1, calls(Ask, Ask), serves).going(1, 2),
	of(b04+"_Two", b04, 2, 2, calls(Ask), calls(Ask), serves).threads().going(1, 2, 3),
	of(b05, b05, 1, 2, calls(Try), calls(Attach, Try, Try), serves).dying(1).going(2, 3),
	of(b05+"_Two", b05, 1, 2, calls(Try), calls(Ask), serves).threads().bounded().going(1, 2, 3),
}
