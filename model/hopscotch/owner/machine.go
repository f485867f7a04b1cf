package owner

import (
	"github.com/samecycle/samecycle/model/search"
)

// Config are the constants of a run. Actors, entries and descriptors are numbered from 1; sets of
// actors are lists.
type Config struct {
	Name                                             string
	Actors, Entries, Descriptors                     int
	Seated, Callers, Reclaimers, Closers             []int
	Clearers, Mortal                                 []int
	MaxLives, MaxDeaths, MaxOps, MaxCall, MaxGiveUps int
}

// An Action is a step, and the program counter of an actor that is about to make it.
type Action uint8

// The actions, in the order of the specification, and the two counters of an actor at rest.
const (
	ProcessLock Action = iota
	ProcessPublish
	ProcessWithdraw
	ProcessUnlock
	ProcessClearLock
	ProcessClearRead
	ProcessClearState
	ProcessClearUnlock
	OwnerTake
	OwnerRead
	ProcessState
	ProcessLocked
	OwnerTakeOver
	OwnerHead
	OwnerHome
	OwnerTarget
	OwnerRetire
	OwnerFree
	OwnerBack
	TableFill
	TableTarget
	TableInstall
	TableHelp
	TableMeet
	TableTakeBack
	TableOver
	OwnerGiveUp
	CallReclaim
	CallClose
	CallClear
	CallReturn
	CallCrash
	Ready
	Over
)

var actionNames = [...]string{"ProcessLock", "ProcessPublish", "ProcessWithdraw", "ProcessUnlock",
	"ProcessClearLock", "ProcessClearRead", "ProcessClearState", "ProcessClearUnlock",
	"OwnerTake", "OwnerRead", "ProcessState", "ProcessLocked", "OwnerTakeOver", "OwnerHead", "OwnerHome",
	"OwnerTarget", "OwnerRetire", "OwnerFree", "OwnerBack", "TableFill", "TableTarget", "TableInstall",
	"TableHelp", "TableMeet", "TableTakeBack", "TableOver", "OwnerGiveUp", "CallReclaim", "CallClose",
	"CallClear", "CallReturn", "CallCrash", "Ready", "Over"}

func (a Action) String() string { return actionNames[a] }

// Actions are the names of all steps, a death among them.
func Actions() []string { return append([]string(nil), actionNames[:Ready]...) }

// Machine takes the steps of one run.
type Machine struct {
	c                                            Config
	actors, entries, descriptors                 uint8
	callers, reclaimers, closers, mortal, seated search.Set
	clearers                                     search.Set

	// hook changes what a step leads to, for tests that want a fault.
	hook func(m *Machine, x *Step, prev *State)
}

// New checks the constants.
func New(c Config) (*Machine, error) {
	m := &Machine{c: c, actors: uint8(c.Actors), entries: uint8(c.Entries),
		descriptors: uint8(c.Descriptors)}
	err := search.Constants("owner", c.Name, []search.Number{
		{Name: "Actors", Value: c.Actors, Least: 1, Most: MaxActors},
		{Name: "Entries", Value: c.Entries, Least: 1, Most: MaxEntries},
		{Name: "Descriptors", Value: c.Descriptors, Least: 1, Most: MaxDescriptors},
		{Name: "MaxLives", Value: c.MaxLives, Least: 1, Most: generations},
		{Name: "MaxDeaths", Value: c.MaxDeaths, Most: generations},
		{Name: "MaxOps", Value: c.MaxOps, Most: generations},
		{Name: "MaxCall", Value: c.MaxCall, Most: generations},
		{Name: "MaxGiveUps", Value: c.MaxGiveUps, Most: generations},
	}, []search.Members{
		{Name: "Seated", List: c.Seated, To: &m.seated, Least: 1,
			Most: min(c.Actors, c.Entries, c.Descriptors)},
		{Name: "Callers", List: c.Callers, To: &m.callers, Least: 1, Most: c.Actors},
		{Name: "Reclaimers", List: c.Reclaimers, To: &m.reclaimers, Least: 1, Most: c.Actors},
		{Name: "Closers", List: c.Closers, To: &m.closers, Least: 1, Most: c.Actors},
		{Name: "Mortal", List: c.Mortal, To: &m.mortal, Least: 1, Most: c.Actors},
		{Name: "Clearers", List: c.Clearers, To: &m.clearers, Least: 1, Most: c.Actors},
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Initial is the state in which the seated have a handle, and nobody else is there.
func (m *Machine) Initial() State {
	var s State
	for a := uint8(1); a <= m.actors; a++ {
		if !m.seated.Has(a) {
			s.Loc[a-1] = born(1)
			continue
		}
		w := Word{a, a, 1}
		s.Entries[a-1], s.Lock[a-1], s.Owner[a-1] = Entry{1, true}, a, w
		l := born(1)
		l.W, l.D = w, a
		s.Loc[a-1] = rest(l)
	}
	return s
}

// Step is one step of an actor.
type Step = search.Step[State, Action]

// Actors is how many there are.
func (m *Machine) Actors() int { return int(m.actors) }

// Steps appends what actor a can do next, its death last.
func (m *Machine) Steps(s *State, actor int, list []Step) []Step {
	from := len(list)
	x := &stepper{m: m, a: uint8(actor), s: s, list: list}
	l := s.Loc[actor-1]
	switch l.PC {
	case Ready:
		x.ready(l)
	case Over:
	case ProcessLock, ProcessPublish, ProcessWithdraw, ProcessUnlock, ProcessState, ProcessLocked:
		x.process(l)
	case ProcessClearLock, ProcessClearRead, ProcessClearState, ProcessClearUnlock:
		x.clear(l)
	case TableFill, TableTarget, TableInstall, TableHelp, CallReturn:
		x.table(l)
	default:
		x.word(l)
	}
	if meeting(l.PC) {
		x.meet(l)
	}
	if (l.PC == TableHelp || l.PC == OwnerTarget) && l.Why != ForCall &&
		int(s.GiveUps) < m.c.MaxGiveUps {
		next := x.take(OwnerGiveUp, l.at(OwnerBack))
		next.GiveUps++
	}
	if m.mortal.Has(x.a) && int(s.Deaths) < m.c.MaxDeaths && l.PC != Over &&
		(l.PC != ProcessLock || l.I > 1) {
		x.crash(l)
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

// AtRest tells whether each actor is where it may stay for ever.
func (m *Machine) AtRest(s *State) bool {
	for a := range m.actors {
		if !resting(s.Loc[a].PC) {
			return false
		}
	}
	return true
}

func resting(pc Action) bool { return pc == Ready || pc == ProcessLock || pc == Over }

func born(life uint8) Local { return Local{PC: ProcessLock, Life: life, I: 1, Why: ForAttach} }

func (l Local) at(pc Action) Local {
	l.PC = pc
	return l
}

// rest is the actor with a handle, between calls.
func rest(l Local) Local {
	l.I, l.Why, l.N = 0, NoReason, 0
	return l.at(Ready)
}

// after is what comes after the life of a process.
func (x *stepper) after(l Local) Local {
	if int(l.Life) == x.m.c.MaxLives {
		return born(l.Life).at(Over)
	}
	return born(l.Life + 1)
}

// looking is the actor about to look at descriptor i.
func looking(l Local, i uint8) Local {
	l.I, l.Seen, l.Fin, l.Win = i, Word{}, false, 0
	return l
}

// further: the descriptor behind i is next, of those that the call looks at.
func (x *stepper) further(l Local, i uint8) Local {
	j := i + 1
	if l.Why == ForReclaim && j == l.D {
		j++
	}
	y := looking(l, j)
	switch {
	case j <= x.m.descriptors && l.Why == ForTake:
		return y.at(OwnerTake)
	case j <= x.m.descriptors:
		return y.at(OwnerRead)
	case l.Why == ForTake:
		y.I, y.Why = 1, ForInherit
		return y.at(OwnerRead)
	case l.Why == ForInherit:
		return y.at(ProcessWithdraw) // no handle: all are taken
	}
	y.I = 0
	return y.at(CallReturn)
}

// settled: nothing of the dead is in descriptor i any more.
func settled(l Local) Local {
	if l.Why == ForReclaim {
		return l.at(OwnerFree)
	}
	l.D, l.Why = l.I, ForTake
	return looking(l, l.I).at(OwnerHead)
}
