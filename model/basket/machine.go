package basket

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/model/search/tla"
)

// What happens beside the actions of actors.
const (
	die  Action = over + 1 + iota // an actor dies
	help                          // the index flips what is installed
	move                          // the index moves an entry to another cell
)

var otherNames = [...]string{"Die", "IndexHelp", "IndexMove"}

// Config are the constants of a run.
type Config = search.Config

// The rules that a run can be without.
const (
	ruleVersion = 1 << iota
	ruleStamp
	ruleMiss
	ruleCompare
	ruleEmpty
	rulePublish
	ruleRef
	ruleCopies
	ruleNeighbours
	ruleAgain
	ruleWalk
	ruleZero
	ruleSize
	ruleOwner
	ruleSettle
	ruleSeal
	ruleTakeover
	ruleHand
	ruleBack
	ruleGeneration
	ruleAge
	ruleSwap
	ruleOnce
	ruleFresh
	ruleTune
	ruleBoth
)

var rules = search.Rules{"version", "stamp", "miss", "compare", "empty", "publish", "ref", "copies",
	"neighbours", "again", "walk", "zero", "size", "owner", "settle", "seal", "takeover", "hand", "back",
	"generation", "age", "swap", "once", "fresh", "tune", "both"}

// firstNumber is that of the first basket that is opened.
const firstNumber = 5

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
		return nil, c.NoProgram("basket")
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("basket: %s: %w", c.Name, err)
	}
	without, err := c.Check("basket", len(p.Calls), rules)
	return &Machine{c: c, p: p, without: without}, err
}

// Of returns the machine of a program that need not be one of Programs, with all rules. The error says what
// the machine has no room for.
func Of(p Program) (*Machine, error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("basket: %w", err)
	}
	return &Machine{p: p, c: Config{Name: p.Name, Program: p.Name, Fair: []int{p.Going}}}, nil
}

// As returns the machine of a program with the constants of its complete run.
func As(program string) (*Machine, error) {
	p, ok := ProgramByName(program)
	if !ok {
		return New(Config{Name: program, Program: program})
	}
	return New(Config{Name: program, Program: program, Fair: []int{p.Going}})
}

func (m *Machine) rule(rule uint32) bool { return m.without&rule == 0 }

// clients is how many actors there are without the index.
func (m *Machine) clients() int { return len(m.p.Calls) }

// indexActs tells whether the index takes steps of its own.
func (m *Machine) indexActs() bool { return m.p.Moves > 0 || m.p.Described }

// Actors is how many take steps: the clients and, as the last one, the index if it has steps of its own.
func (m *Machine) Actors() int {
	if m.indexActs() {
		return m.clients() + 1
	}
	return m.clients()
}

// Initial is the state ahead of the first calls.
func (m *Machine) Initial() State {
	s := State{Number: firstNumber, Pair: m.p.Pair}
	copy(s.Head[:], m.p.Heads)
	copy(s.Record[:], m.p.Records)
	for i, ref := range m.p.Words {
		s.Word[i].Ref = ref
	}
	for i, calls := range m.p.Calls {
		l := &s.Loc[i]
		l.PC, l.Call = ClientCall, 1
		if len(calls) == 0 {
			l.PC = over
		}
		m.having(&s, i)
	}
	return s
}

// having gives an actor, from 0, the baskets that it has at the beginning.
func (m *Machine) having(s *State, a int) {
	l := &s.Loc[a]
	for i, h := range m.p.Heads {
		basket := uint8(i + 1)
		switch {
		case int(h.Owner) != a+1:
		case h.Life == Retiring:
			l.Retiring, l.Walked = basket, 1
		default:
			l.Open[h.Tier], l.Position[h.Tier] = basket, 1
			for slot := range uint8(Slots) {
				if s.rec(refOf(basket, slot+1)).Size != 0 {
					l.Position[h.Tier]++
				}
			}
		}
	}
}

// ended tells whether an actor, from 0, takes no step any more.
func (m *Machine) ended(s *State, a int) bool { return s.Loc[a].PC == over || s.Dead.Has(uint8(a+1)) }

// AtRest tells whether everybody has ended or died.
func (m *Machine) AtRest(s *State) bool {
	for a := range m.clients() {
		if !m.ended(s, a) {
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

// op is the operation in progress.
func (x *stepper) op() *Op { return x.m.op(x.s, x.a) }

func (m *Machine) op(s *State, a int) *Op { return &m.p.Calls[a][s.Loc[a].Call-1] }

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

// Steps appends what an actor can do next: its action, and its death.
func (m *Machine) Steps(s *State, actor int, list []Step) []Step {
	if m.hook != nil {
		plain := *m
		plain.hook = nil
		return append(list, m.hook(m, s, actor, plain.Steps(s, actor, nil))...)
	}
	x := &stepper{m: m, a: actor - 1, s: s, list: list}
	switch {
	case x.a == m.clients():
		x.index()
	case !m.ended(s, x.a):
		x.act(s.Loc[x.a])
		x.die()
	}
	return x.list
}

// act takes the one action of the actor's program counter.
func (x *stepper) act(l Local) {
	switch l.PC {
	case ClientCall, ClientReturn:
		x.client(l)
	case CopyHead, CopyLow, CopyHigh:
		x.copies(l)
	case AppendZero, AppendHead, AppendLow, AppendHigh, AppendSize:
		x.appends(l)
	case IndexLookup, IndexStill, IndexSwap, IndexInstall, IndexFlip, IndexPush, IndexDrop:
		x.word(l)
	case RoomSeal, RoomLook, RoomNumber, RoomOpen, RoomSettle, RoomAge, RoomTake:
		x.room(l)
	case ParamRead, TuneLoad, TuneSwap:
		x.params(l)
	default:
		x.walk(l)
	}
}

// die: whoever may die can do so between any two steps.
func (x *stepper) die() {
	if slices.Contains(x.m.p.Mortal, x.a+1) && x.m.dead(x.s) < x.m.p.Deaths {
		x.move(die).Dead |= search.One(uint8(x.a + 1))
	}
}

// dead is how many have died.
func (m *Machine) dead(s *State) (n int) {
	for a := range m.clients() {
		if s.Dead.Has(uint8(a + 1)) {
			n++
		}
	}
	return n
}

// client makes the steps between the operations.
func (x *stepper) client(l Local) {
	if l.PC == ClientCall {
		l = x.begin(l)
		l.stage = opened
		x.take(l)
		return
	}
	l.PC = over
	if int(l.Call) < len(x.m.p.Calls[x.a]) {
		l.PC = ClientCall
	}
	l.Call++
	l.stage, l.answer, l.mark, l.frame = idle, 0, 0, Frame{}
	if x.m.rule(ruleFresh) {
		l.Pair = Pair{}
	}
	x.take(l)
}

// begin is where an operation begins, or begins anew.
func (x *stepper) begin(l Local) Local {
	o := x.op()
	switch {
	case o.Kind == Crowd:
		l.PC, l.frame = IndexPush, Frame{errand: toPush, hash: x.m.p.Hashes[o.Key-1]}
	case o.Kind == Tune:
		l.PC, l.frame = TuneLoad, Frame{}
	case o.Kind == Tend && l.Pair == Pair{}:
		l.PC, l.frame = ParamRead, Frame{}
	case o.Kind.Service() && o.Kind != Age && l.Retiring != 0:
		l.PC, l.frame = WalkSize, Frame{}
	case o.Kind.Service():
		l = looking(l)
	default:
		l.PC = IndexLookup
		l.frame = Frame{errand: toGet, key: o.Key, value: o.Value, hash: x.m.p.Hashes[o.Key-1]}
		switch o.Kind {
		case Set:
			l.frame.errand = toSet
		case Delete:
			l.frame.errand = toDelete
		case Mark:
			l.frame.errand = toMark
		}
	}
	return l
}

// ofRecord is what the operation does to each record of the basket that it retires.
func (x *stepper) ofRecord() errand {
	switch k := x.op().Kind; {
	case k == Compact, k == Tend && x.s.Loc[x.a].Pair.Compacts():
		return toMove
	case k == Promote:
		return toPromote
	}
	return toEvict
}

// lane is the lane that the actor's errand appends to, from 0: the top one, but for a record that is moved
// without being promoted. That one keeps its tier.
func (m *Machine) lane(s *State, l *Local) int {
	switch {
	case l.frame.lane != 0:
		return int(l.frame.lane) - 1
	case l.frame.errand != toMove:
		return 0
	}
	return min(int(s.head(l.Retiring).Tier), m.p.lanes()-1)
}

func (x *stepper) lane(l *Local) int { return x.m.lane(x.s, l) }

// nextRecord: a record of a basket that retires is done with.
func (x *stepper) nextRecord(l Local) Local {
	l.Walked++
	l.frame = Frame{}
	if x.op().Kind == Portion {
		return l.at(ClientReturn)
	}
	return l.at(WalkSize)
}

// Run is the name of the run.
func (m *Machine) Run() string { return m.c.Name }

// Show is what there is to see of a state: the index, the heads and the records.
func (m *Machine) Show(s *State) string {
	return tla.Show(m.Variables(s), "word", "head", "rec", "hand")
}
