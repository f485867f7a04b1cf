package shardmap

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/model/search/tla"
)

// Config are the constants of a run.
type Config struct {
	Name        string
	Program     string // the name of what the actors do
	Check       string // what an erase compares with what was collected for it: one of Checks
	Radix, Turn int    // counts that a lock word holds, and values of the cursor
	Without     []string
}

// Checks are what an erase may compare with what was collected for it.
const (
	CheckVersion   = "version"   // the entry is the same one
	CheckPredicate = "predicate" // the predicate finds what is there stale, too
	CheckNothing   = "nothing"   // whatever is there is erased, as the source text has it
)

// The constants of the complete runs.
const (
	Radix = 8
	Turn  = 4
)

// The rules that a run can be without.
const (
	ruleBit = 1 << iota
	ruleRetreat
	rulePreference
	ruleClaim
	ruleDrain
	ruleLeave
	ruleClock
	ruleFlag
	ruleTogether
	ruleUnwind
)

var rules = search.Rules{"bit", "retreat", "preference", "claim", "drain", "leave", "clock", "flag",
	"together", "unwind"}

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
		return nil, fmt.Errorf("shardmap: %s: no program is called %q", c.Name, c.Program)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("shardmap: %s: %w", c.Name, err)
	}
	if !slices.Contains([]string{CheckVersion, CheckPredicate, CheckNothing}, c.Check) {
		return nil, fmt.Errorf("shardmap: %s: Check is %q: choose %s, %s or %s", c.Name, c.Check,
			CheckVersion, CheckPredicate, CheckNothing)
	}
	if c.Radix < 2 || c.Radix > 64 || c.Turn <= int(p.Cursor) || c.Turn > 200 {
		return nil, fmt.Errorf("shardmap: %s: Radix is %d, Turn is %d: choose 2 to 64, and %d to 200", c.Name,
			c.Radix, c.Turn, p.Cursor+1)
	}
	m := &Machine{c: c, p: p}
	var err error
	m.without, err = rules.Lacking("shardmap", c.Name, c.Without)
	return m, err
}

// Of returns the machine of a program that need not be one of Programs, with the constants of the complete
// runs.
func Of(p Program) (*Machine, error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("shardmap: %w", err)
	}
	return &Machine{p: p, c: Config{Name: p.Name, Program: p.Name, Check: CheckVersion, Radix: Radix,
		Turn: max(Turn, 2*int(p.Shards))}}, nil
}

// As returns the machine of a program with the constants of the complete runs.
func As(program string) (*Machine, error) {
	turn := Turn
	if p, ok := ProgramByName(program); ok {
		turn = max(turn, 2*int(p.Shards))
	}
	return New(Config{Name: program, Program: program, Check: CheckVersion, Radix: Radix, Turn: turn})
}

func (m *Machine) rule(rule uint32) bool { return m.without&rule == 0 }

// Actors is how many there are.
func (m *Machine) Actors() int { return len(m.p.Calls) }

// Initial is the state ahead of the first calls.
func (m *Machine) Initial() State {
	var s State
	copy(s.Map[:], m.p.Start)
	for i := range m.p.Shards {
		s.Clock[i] = 1
	}
	s.Cursor = m.p.Cursor
	for i := range m.p.Calls {
		s.Loc[i] = Local{PC: ClientCall, Call: 1}
	}
	return s
}

// AtRest tells whether everybody has ended.
func (m *Machine) AtRest(s *State) bool {
	for _, l := range s.Loc[:m.Actors()] {
		if l.PC != Over {
			return false
		}
	}
	return true
}

// stepper collects the steps of one actor.
type stepper struct {
	m    *Machine
	a    int // from 0
	s    *State
	list []Step
}

// take adds a step of the actor's program counter after which its local state is l. The pointer is good until
// the next one.
func (x *stepper) take(l Local) *State {
	x.list = append(x.list, Step{Actor: x.a + 1, Action: x.s.Loc[x.a].PC, Next: *x.s})
	next := &x.list[len(x.list)-1].Next
	next.Loc[x.a] = l
	return next
}

// Steps appends what an actor can do next: at most one action, which has several outcomes only where an erase
// takes one of several keys. A load that spins is left out while its condition does not hold.
func (m *Machine) Steps(s *State, actor int, list []Step) []Step {
	if m.hook != nil {
		plain := *m
		plain.hook = nil
		return append(list, m.hook(m, s, actor, plain.Steps(s, actor, nil))...)
	}
	x := &stepper{m: m, a: actor - 1, s: s, list: list}
	switch l := s.Loc[actor-1]; l.PC {
	case ClientCall, ClientReturn:
		x.client(l)
	case ReadEnter, ReadRetreat, ReadWait, ReadLeave:
		x.reader(l)
	case WriteClaim, WriteWait, WriteDrain, WriteLeave:
		x.writer(l)
	case ShardLook:
		x.look(l)
	case ShardChange:
		x.change(l)
	case CleanupClaim, CleanupWait, CleanupNext, CleanupLeave:
		x.cleaner(l)
	}
	return x.list
}

// client makes the steps between the operations.
func (x *stepper) client(l Local) {
	calls := x.m.p.Calls[x.a]
	if l.PC == ClientCall {
		o := &calls[l.Call-1]
		missed := x.s.outs[x.a] == 0 || x.s.out[x.a][x.s.outs[x.a]-1].N == 0
		pc, frame := x.m.begin(o, missed)
		next := x.take(Local{PC: pc, Call: l.Call, Depth: 1, Frames: [2]Frame{frame}})
		if o.Kind == Size {
			next.since[x.a] = x.m.moment(x.s)
		}
		return
	}
	f := l.top()
	to := Local{PC: Over, Call: l.Call}
	switch {
	case int(l.Call) < len(calls):
		to = Local{PC: ClientCall, Call: l.Call + 1}
	case x.m.p.repeats(x.a + 1):
		to = Local{PC: ClientCall, Call: 1}
	}
	next := x.take(to)
	next.since[x.a] = 0
	if x.m.p.repeats(x.a + 1) {
		next.outs[x.a] = 0
	}
	next.out[x.a][next.outs[x.a]] = Answer{f.N, f.Next}
	next.outs[x.a]++
}

// Run is the name of the run.
func (m *Machine) Run() string { return m.c.Name }

// Show is what there is to see of a state: lock words and contents.
func (m *Machine) Show(s *State) string {
	return tla.Show(m.Variables(s), "lock", "map", "flag", "cursor")
}
