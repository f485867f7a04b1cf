package slots

import (
	"fmt"

	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/model/search/tla"
)

// What happens beside the actions of actors.
const (
	Die     Action = over + 1 + iota // the process of an actor dies
	TimeOut                          // a sleep ends that nobody has ended
)

var otherNames = [...]string{"Die", "TimeOut"}

// Config are the constants of a run.
type Config = search.Config

// The rules that a run can be without.
const (
	ruleSerial = 1 << iota
	ruleSwap
	ruleService
	ruleClient
	ruleOrder
	ruleAgain
	ruleWake
	ruleBound
)

var rules = search.Rules{"serial", "swap", "service", "client", "order", "again", "wake", "bound"}

// Machine takes the steps of one run.
type Machine struct {
	c       Config
	p       Program
	without uint32 // rules
	// hook changes the steps of an actor, for tests.
	hook func(m *Machine, s *State, actor int, steps []Step) []Step
}

// New returns the machine of a run. The error names the constant that is wrong.
func New(c Config) (*Machine, error) {
	p, ok := ProgramByName(c.Program)
	if !ok {
		return nil, c.NoProgram("slots")
	}
	without, err := c.Check("slots", len(p.Calls), rules)
	if err != nil {
		return nil, err
	}
	return &Machine{c: c, p: p, without: without}, p.check()
}

// Of returns the machine of a program that need not be one of Programs, with all rules. The error says what
// the machine has no room for.
func Of(p Program) (*Machine, error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("slots: %w", err)
	}
	return &Machine{p: p, c: Config{Name: p.Name, Program: p.Name, Fair: p.Going}}, nil
}

// As returns the machine of a program with the constants of its complete run.
func As(program string) (*Machine, error) {
	p, _ := ProgramByName(program)
	return New(Config{Name: program, Program: program, Fair: p.Going})
}

func (m *Machine) rule(rule uint32) bool { return m.without&rule == 0 }

// Actors is how many take steps.
func (m *Machine) Actors() int { return len(m.p.Calls) }

// client tells whether an actor, from 0, is a thread of a client.
func (m *Machine) client(a int) bool { return a < m.p.Clients }

// bounded tells whether sleeps may time out.
func (m *Machine) bounded() bool { return m.p.Bounded && m.rule(ruleBound) }

// Initial is the state ahead of the first calls.
func (m *Machine) Initial() (s State) {
	for a := len(m.p.Calls) - 1; a >= 0; a-- {
		s.Loc[a] = local(ClientCall, 1)
		switch {
		case m.p.Calls[a][0] == Attach:
		case m.client(a):
			s.Lock.Client = m.p.Processes[a]
		default:
			s.Lock.Service = m.p.Processes[a]
		}
	}
	return s
}

func (m *Machine) gone(s *State, a int) bool { return s.Dead.Has(m.p.Processes[a]) }

// ended tells whether an actor, from 0, takes no step any more. Of a process that has died all actors are
// over.
func ended(s *State, a int) bool { return s.Loc[a].PC == over }

func asleep(s *State, a int) bool { return s.Asleep.Has(uint8(a + 1)) }

// quiet tells whether an actor, from 0, has nothing to do. A service that sleeps has nothing to do; a client
// that sleeps waits.
func (m *Machine) quiet(s *State, a int) bool { return ended(s, a) || asleep(s, a) && !m.client(a) }

// AtRest tells whether nobody has anything to do.
func (m *Machine) AtRest(s *State) bool {
	for a := range m.p.Calls {
		if !m.quiet(s, a) {
			return false
		}
	}
	return true
}

// is tells whether an actor, from 0, is awake and stands before an action.
func is(s *State, a int, pc Action) bool { return s.Loc[a].PC == pc && !asleep(s, a) }

// stepper collects the steps of one actor.
type stepper struct {
	m    *Machine
	a    int // from 0
	s    *State
	list []Step
}

// kind is the call in progress.
func (x *stepper) kind() Kind { return x.m.p.Calls[x.a][x.s.Loc[x.a].Call-1] }

func (x *stepper) client() bool { return x.m.client(x.a) }

// take adds a step of the actor's program counter after which its local state is l. The pointer is good until
// the next one.
func (x *stepper) take(l Local) *State {
	next := x.move(x.s.Loc[x.a].PC)
	next.Loc[x.a] = l
	return next
}

// move adds a step that changes nothing yet.
func (x *stepper) move(a Action) *State {
	x.list = append(x.list, Step{Actor: x.a + 1, Action: Move{a, uint8(x.a + 1)}, Next: *x.s})
	return &x.list[len(x.list)-1].Next
}

// put adds a step that changes the state word of the actor's slot.
func (x *stepper) put(l Local, w Word) {
	*x.take(l).word(x.s.Loc[x.a].Slot) = w
}

// finds tells whether a compare-and-swap finds the word that the actor expects. Without the serial it
// compares the state alone.
func (x *stepper) finds(l *Local) bool {
	w := *x.s.word(l.Slot)
	return w == l.word || !x.m.rule(ruleSerial) && w.Life == l.word.Life
}

// Steps appends what an actor can do next: its action, the end of its sleep, and its death.
func (m *Machine) Steps(s *State, actor int, list []Step) []Step {
	if m.hook != nil {
		plain := *m
		plain.hook = nil
		return append(list, m.hook(m, s, actor, plain.Steps(s, actor, nil))...)
	}
	x := &stepper{m: m, a: actor - 1, s: s, list: list}
	switch {
	case ended(s, x.a):
		return list
	case !asleep(s, x.a):
		x.act(s.Loc[x.a])
	case m.bounded():
		x.timesOut(s.Loc[x.a])
	}
	x.die()
	return x.list
}

// act takes the one action of the actor's program counter.
func (x *stepper) act(l Local) {
	switch l.PC {
	case ClientCall, ClientReturn:
		x.call(l)
	case PeerLock, PeerLook, SlotScan, SlotReclaim:
		x.peer(l)
	case BellRing, BellCheck, BellWake, BellSleep, BellLook, BellWait, BellRise:
		x.bell(l)
	case SlotTake, SlotCopy, SlotPerform, SlotAnswer, SlotDone, SlotDrop, SlotWake:
		x.serve(l)
	default:
		x.request(l)
	}
}

// call makes the steps between the calls.
func (x *stepper) call(l Local) {
	if l.PC == ClientCall {
		switch x.kind() {
		case Attach:
			x.take(l.at(PeerLock))
		case Serve:
			x.take(x.scan(l, first))
		default:
			l.Slot, l.phase = 1, claiming
			x.take(l.at(SlotLook))
		}
		return
	}
	pc := ClientCall
	if int(l.Call) == len(x.m.p.Calls[x.a]) || l.result == Busy {
		pc = over
	}
	out := &x.take(local(pc, l.Call+1)).out[x.a]
	out.item[out.n] = l.result
	out.n++
}

// timesOut ends a sleep. A client that does not give up asks whether the service lives; a service tidies.
func (x *stepper) timesOut(l Local) {
	switch {
	case !x.client():
		l.phase = tidying
	case x.kind() == Ask:
		l.phase = late
	default:
		l.phase = leaving
	}
	next := x.move(TimeOut)
	next.Asleep &^= search.One(uint8(x.a + 1))
	next.Loc[x.a] = l
}

// die: a process may die between any two steps. Nobody asks what it knew.
func (x *stepper) die() {
	p := x.m.p.Processes[x.a]
	if !x.m.p.Mortal.Has(p) || x.s.Dead != 0 {
		return
	}
	next := x.move(Die)
	next.Dead = search.One(p)
	if next.Lock.Client == p {
		next.Lock.Client = 0
	}
	if next.Lock.Service == p {
		next.Lock.Service = 0
	}
	for a, of := range x.m.p.Processes {
		if of == p {
			next.Asleep &^= search.One(uint8(a + 1))
			next.Loc[a] = local(over, x.s.Loc[a].Call)
		}
	}
}

// Run is the name of the run.
func (m *Machine) Run() string { return m.c.Name }

// Show is what there is to see of a state: the file, the locks and who sleeps.
func (m *Machine) Show(s *State) string {
	return tla.Show(m.Variables(s), "word", "bell", "sleeps", "lock", "asleep", "out")
}
