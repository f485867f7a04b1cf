package bell

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/model/search"
)

// Config are the constants of a run. Actors are numbered from 1, services first; sets are lists.
type Config struct {
	Name                                        string
	Services, Ringers, Stoppers, Mortal         []int
	Stopped, Places, MaxWork, Circle, MaxDeaths int
	Without                                     []string
}

// An Action is a step, and the program counter of an actor that is about to make it.
type Action uint8

// The actions, in the order of the specification, and the program counters of actors that are about to make
// none.
const (
	BellListen Action = iota
	BellSay
	BellAwake
	BellLook
	BellSleep
	BellTimeOut
	ServiceStopped
	ServiceCrop
	WorkMake
	WorkAfter
	BellRead
	BellRing
	BellWake
	BellQuiet
	CallCrash
	Ready
	Asleep
	Over
	Dead
)

var actionNames = [...]string{"BellListen", "BellSay", "BellAwake", "BellLook", "BellSleep", "BellTimeOut",
	"ServiceStopped", "ServiceCrop", "WorkMake", "WorkAfter", "BellRead", "BellRing", "BellWake", "BellQuiet",
	"CallCrash", "Ready", "Asleep", "Over", "Dead"}

func (a Action) String() string { return actionNames[a] }

// Actions are the names of all steps, a death among them.
func Actions() []string { return append([]string(nil), actionNames[:Ready]...) }

// The rules that a run can be without.
const (
	ruleFirst = 1 << iota
	ruleCompare
	ruleWork
	ruleStop
	ruleAll
	ruleWaking
	ruleLate
)

var ruleNames = []string{"first", "compare", "work", "stop", "all", "waking", "late"}

// Machine takes the steps of one run.
type Machine struct {
	c                                   Config
	actors                              uint8
	services, ringers, stoppers, mortal Set
	stopped, places                     uint8
	without                             int

	// hook changes what a step leads to, for tests that want a fault.
	hook func(m *Machine, x *Step, prev *State)
}

// Step is one step of an actor.
type Step = search.Step[State, Action]

// New checks the constants.
func New(c Config) (*Machine, error) {
	m := &Machine{c: c, actors: uint8(len(c.Services) + len(c.Ringers)), stopped: uint8(c.Stopped),
		places: uint8(c.Places)}
	if m.actors > MaxActors {
		return nil, fmt.Errorf("bell: %s: %d actors: choose %d at most", c.Name, m.actors, MaxActors)
	}
	services, all := len(c.Services), int(m.actors)
	err := search.Constants("bell", c.Name, []search.Number{
		{Name: "Stopped", Value: c.Stopped, Most: services},
		{Name: "Places", Value: c.Places, Least: 1, Most: most},
		{Name: "MaxWork", Value: c.MaxWork, Most: most},
		{Name: "Circle", Value: c.Circle, Least: 1, Most: 200},
		{Name: "MaxDeaths", Value: c.MaxDeaths, Most: most},
	}, []search.Members{
		{Name: "Services", List: c.Services, To: &m.services, Least: 1, Most: services},
		{Name: "Ringers", List: c.Ringers, To: &m.ringers, Least: services + 1, Most: all},
		{Name: "Stoppers", List: c.Stoppers, To: &m.stoppers, Least: services + 1, Most: all},
		{Name: "Mortal", List: c.Mortal, To: &m.mortal, Least: 1, Most: all},
	})
	if err != nil {
		return nil, err
	}
	if m.stoppers != 0 && m.stopped == 0 {
		return nil, fmt.Errorf("bell: %s: somebody stops nobody: choose a service for Stopped", c.Name)
	}
	for _, name := range c.Without {
		i := slices.Index(ruleNames, name)
		if i < 0 {
			return nil, fmt.Errorf("bell: %s: no rule is called %s: choose some of %v", c.Name, name,
				ruleNames)
		}
		m.without |= 1 << i
	}
	return m, nil
}

func (m *Machine) rule(rule int) bool { return m.without&rule == 0 }

// Actors is how many there are.
func (m *Machine) Actors() int { return int(m.actors) }

// Initial is the state in which nobody listens yet, and there is no work.
func (m *Machine) Initial() State {
	var s State
	for a := uint8(1); a <= m.actors; a++ {
		s.Loc[a-1] = Local{PC: Ready}
		if m.services.Has(a) {
			s.Loc[a-1] = (&stepper{m: m, a: a}).listen(Local{I: 1})
		}
	}
	return s
}

// AtRest tells whether nobody goes on but by a bound, or by a call.
func (m *Machine) AtRest(s *State) bool {
	for _, l := range s.Loc[:m.actors] {
		if l.PC < Ready {
			return false
		}
	}
	return true
}

// Steps appends what an actor can do next, its death last.
func (m *Machine) Steps(s *State, actor int, list []Step) []Step {
	from := len(list)
	x := &stepper{m: m, a: uint8(actor), s: s, list: list}
	l := s.Loc[actor-1]
	switch l.PC {
	case Over, Dead:
	case Ready, WorkAfter, BellRead, BellRing, BellWake, BellQuiet:
		x.ringer(l)
	default:
		x.service(l)
	}
	if m.mortal.Has(x.a) && int(s.Deaths) < m.c.MaxDeaths && l.PC != Over && l.PC != Dead {
		x.crash()
	}
	if m.hook != nil {
		for i := range x.list[from:] {
			m.hook(m, &x.list[from+i], s)
		}
	}
	return x.list
}

// stepper collects the steps of one actor.
type stepper struct {
	m    *Machine
	a    uint8
	s    *State
	list []Step
}

// take adds a step after which the actor's local state is l. The pointer is good until the next one.
func (x *stepper) take(action Action, l Local) *State {
	x.list = append(x.list, Step{Actor: int(x.a), Action: action, Next: *x.s})
	next := &x.list[len(x.list)-1].Next
	next.Loc[x.a-1] = l
	return next
}

// crash: the process ends between two steps. Nobody asks for the end of a dead service any more.
func (x *stepper) crash() {
	next := x.take(CallCrash, Local{PC: Dead})
	next.Deaths++
	next.Meant[x.a-1] = 0
	next.Rang &^= One(x.a)
	if x.a == x.m.stopped {
		next.done(0)
	}
}

func (l Local) at(pc Action) Local {
	l.PC = pc
	return l
}

// Run is the name of the run.
func (m *Machine) Run() string { return m.c.Name }

// Show is what there is to see of a state: the bell, and what is owed.
func (m *Machine) Show(s *State) string {
	return fmt.Sprintf("bell %s, work %s, owed %s", s.Bell.tla(), s.Work.TLA(), s.Owed.TLA())
}
