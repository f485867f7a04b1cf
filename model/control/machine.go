package control

import (
	"fmt"

	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/model/search/tla"
)

// Die happens beside the actions of actors: a process dies.
const Die Action = over + 1

var otherNames = [...]string{"Die"}

// Config are the constants of a run.
type Config = search.Config

// The rules that a run can be without.
const (
	ruleTake = 1 << iota
	ruleAsk
	ruleProof
	ruleRenew
	ruleClock
	ruleGive
	ruleTune
	rulePair
	ruleCharge
	ruleCount
	ruleLonger
	ruleAdmit
	ruleHear
	ruleSay
	ruleBehind
	ruleOver
	ruleFar
)

var rules = search.Rules{"take", "ask", "proof", "renew", "clock", "give", "tune", "pair", "charge", "count",
	"longer", "admit", "hear", "say", "behind", "over", "far"}

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
		return nil, c.NoProgram("control")
	}
	return newMachine(c, p)
}

func newMachine(c Config, p Program) (*Machine, error) {
	without, err := c.Check("control", len(p.Calls), rules)
	if err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	return &Machine{c: c, p: p, without: without}, nil
}

// Of returns the machine of a program that need not be one of Programs, with all rules. The error says what
// the machine has no room for.
func Of(p Program) (*Machine, error) {
	return newMachine(Config{Name: p.Name, Program: p.Name, Fair: p.Going}, p)
}

// As returns the machine of a program with the constants of its complete run.
func As(program string) (*Machine, error) {
	p, _ := ProgramByName(program)
	return New(Config{Name: program, Program: program, Fair: p.Going})
}

func (m *Machine) rule(rule uint32) bool { return m.without&rule == 0 }

// Actors is how many take steps.
func (m *Machine) Actors() int { return len(m.p.Calls) }

// Initial is the state ahead of the first calls.
func (m *Machine) Initial() (s State) {
	copy(s.Lease[:], m.p.Leases)
	copy(s.Param[:], m.p.Params)
	for i := range m.p.Cells {
		s.Level[i], s.fed[i] = m.p.Full, m.p.Full
	}
	s.Wish, s.owed = m.p.Wish, int8(m.p.Wish.On)
	if m.p.Wish.holds(0) {
		s.till = m.p.Wish.End
	}
	for a := range m.p.Calls {
		s.Loc[a] = local(ClientCall, 1)
	}
	return s
}

// ended tells whether an actor, from 0, takes no step any more.
func ended(s *State, a int) bool { return s.Loc[a].PC == over }

// keeps tells whether an actor, from 0, keeps a lease without end.
func (m *Machine) keeps(a int) bool { return m.p.Calls[a][0].Op == OpKeep }

// begs and serves tell whether an actor, from 0, says without end that a writer is wanted, or asks so.
func (m *Machine) begs(a int) bool   { return m.p.Calls[a][0].Op == OpBeg }
func (m *Machine) serves(a int) bool { return m.p.Calls[a][0].Op == OpServe }

// atEase tells whether an actor, from 0, has no call under way, or is about to begin one of endless turns.
func (m *Machine) atEase(s *State, a int) bool {
	return ended(s, a) || m.keeps(a) && s.Loc[a].PC == LeaseFind && s.Loc[a].i == 1 ||
		(m.begs(a) || m.serves(a)) && s.Loc[a].PC == ClientCall
}

// AtRest tells whether nobody has anything to do.
func (m *Machine) AtRest(s *State) bool {
	for a := range m.p.Calls {
		if !ended(s, a) {
			return false
		}
	}
	return true
}

// is tells whether an actor, from 0, stands before an action.
func is(s *State, a int, pc Action) bool { return s.Loc[a].PC == pc }

// stepper collects the steps of one actor.
type stepper struct {
	m    *Machine
	a    int // from 0
	s    *State
	list []Step
}

// call is the one in progress.
func (x *stepper) call() *Call { return &x.m.p.Calls[x.a][x.s.Loc[x.a].Call-1] }

// me is the process of the actor.
func (x *stepper) me() uint8 { return uint8(x.a + 1) }

// take adds a step of the actor's program counter after which its local state is l. The pointer is good until
// the next one.
func (x *stepper) take(l Local) *State { return x.move(x.s.Loc[x.a].PC, l) }

func (x *stepper) move(a Action, l Local) *State {
	x.list = append(x.list, Step{Actor: x.a + 1, Action: Move{a, x.me()}, Next: *x.s})
	next := &x.list[len(x.list)-1].Next
	next.Loc[x.a] = l
	return next
}

// Steps appends what an actor can do next: its action, and its death.
func (m *Machine) Steps(s *State, actor int, list []Step) []Step {
	from := len(list)
	if m.hook != nil {
		list = append(list, m.hook(m, s, actor, m.acts(s, actor, nil))...)
	} else {
		list = m.acts(s, actor, list)
	}
	for i := from; i < len(list); i++ {
		owes(s, &list[i])
	}
	return list
}

// acts are the steps without what they change of the wishes that are owed.
func (m *Machine) acts(s *State, actor int, list []Step) []Step {
	x := &stepper{m: m, a: actor - 1, s: s, list: list}
	if ended(s, x.a) {
		return list
	}
	x.act(s.Loc[x.a])
	if m.p.Mortal.Has(x.me()) && s.Dead == 0 {
		x.move(Die, local(over, s.Loc[x.a].Call)).Dead = search.One(x.me())
	}
	return x.list
}

// act takes the one action of the actor's program counter.
func (x *stepper) act(l Local) {
	switch l.PC {
	case ClientCall:
		x.take(x.begins(l))
	case ClientReturn:
		x.ends(l)
	case TimePass:
		x.take(l.returns(Result{Kind: Ticked})).Clock += x.call().N
	case ParamRead, TuneLoad, TuneSwap:
		x.param(l)
	case LevelLoad, LevelSwap, PenaltyLoad, PenaltySwap:
		x.rate(l)
	case WishSee, WishClock, WishSay, WishLook, WishTake:
		x.wish(l)
	default:
		x.lease(l)
	}
}

// begins is where a call begins.
func (x *stepper) begins(l Local) Local {
	switch c := x.call(); c.Op {
	case OpHold, OpKeep:
		return x.turns(l, c.N)
	case OpLeave:
		l = local(LeaseFind, l.Call)
		l.phase, l.i = leaving, 1
		return l
	case OpTurn, OpRead:
		return l.at(ParamRead)
	case OpTick:
		return l.at(TimePass)
	case OpTune:
		return tunes(l, 1)
	case OpTake:
		return rates(l, looking)
	case OpWant, OpBeg:
		return x.wants(l)
	case OpAsk, OpServe:
		l.phase = asking
		return l.at(WishLook)
	}
	return rates(l, charging)
}

// ends is the return of a call.
func (x *stepper) ends(l Local) {
	pc := ClientCall
	if int(l.Call) == len(x.m.p.Calls[x.a]) {
		pc = over
	}
	out := &x.take(local(pc, l.Call+1)).out[x.a]
	out.item[out.n] = l.res
	out.n++
}

// Run is the name of the run.
func (m *Machine) Run() string { return m.c.Name }

// Show is what there is to see of a state: the words, the clock, the dead and the results.
func (m *Machine) Show(s *State) string {
	return tla.Show(m.Variables(s), "lease", "param", "level", "penalty", "wish", "clock", "dead", "out")
}
