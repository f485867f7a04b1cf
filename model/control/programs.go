package control

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/model/search"
)

// Op is what a call asks for.
type Op uint8

// The calls.
const (
	OpHold   Op = iota // a turn of a janitor: renews the lease of its process, or takes a vacant one
	OpKeep             // such turns without end
	OpTurn             // loads how many leases there may be, and holds one
	OpLeave            // gives up what the process has
	OpTick             // some time goes by on the clock of the host
	OpTune             // changes live parameters
	OpRead             // loads a word of live parameters
	OpCharge           // charges an identity with some units, at an instant
	OpJudge            // the same, and says whether it is a suspect
	OpTake             // admits some units of an identity if its bucket has room
	OpWant             // says that a writer is wanted
	OpBeg              // does so without end
	OpAsk              // asks whether one is wanted, of one who can give one up
	OpServe            // does so without end
)

var opNames = [...]string{"Hold", "Keep", "Turn", "Leave", "Tick", "Tune", "Read", "Charge", "Judge", "Take",
	"Want", "Beg", "Ask", "Serve"}

// String is the name that the specification has for it.
func (o Op) String() string { return opNames[o] }

// Call is one call of an actor.
type Call struct {
	Op    Op
	N     uint8  // leases, ticks, the word, or the identity
	At    uint8  // the instant that the caller has read from the clock before
	Units uint8  // of a charge
	Set   []Pair // of each word of live parameters; 0 leaves one as it is
}

// String is the call as a text.
func (c Call) String() string {
	switch c.Op {
	case OpTurn, OpLeave, OpWant, OpBeg, OpAsk, OpServe:
		return c.Op.String()
	case OpTune:
		return fmt.Sprintf("%v%v", c.Op, c.Set)
	case OpCharge, OpJudge, OpTake:
		return fmt.Sprintf("%v(%d, at %d, %d)", c.Op, c.N, c.At, c.Units)
	}
	return fmt.Sprintf("%v(%d)", c.Op, c.N)
}

// Program is what the actors of a run do. Actors, words and cells are numbered from 1.
type Program struct {
	Name   string
	State  string // of the catalog
	Leases []Lease
	Params []Pair
	Cells  uint8
	Full   uint8      // what is in the cells at the beginning
	Crimes uint8      // how many offences an identity commits at most
	Wish   Wish       // that of one who has died, or damage
	Calls  [][]Call   // by actor
	Mortal search.Set // the actors that may die; one does at most
	Going  []int      // the actors that go on in the complete run; any other one may stop anywhere
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
	if len(p.Calls) < 1 || len(p.Calls) > MaxActors || len(p.Leases) > MaxWords || len(p.Params) > MaxWords ||
		p.Cells > MaxCells {
		return fmt.Errorf("program %s: choose %d actors, %d words of each kind and %d cells at most", p.Name,
			MaxActors, MaxWords, MaxCells)
	}
	for _, calls := range p.Calls {
		if len(calls) < 1 || len(calls) > MaxCalls {
			return fmt.Errorf("program %s: choose 1 to %d calls for each actor", p.Name, MaxCalls)
		}
	}
	return nil
}

func hold(run uint8) Call       { return Call{Op: OpHold, N: run} }
func keep(run uint8) Call       { return Call{Op: OpKeep, N: run} }
func tick(n uint8) Call         { return Call{Op: OpTick, N: n} }
func tune(set ...Pair) Call     { return Call{Op: OpTune, Set: set} }
func read(word uint8) Call      { return Call{Op: OpRead, N: word} }
func calls(list ...Call) []Call { return list }

func charge(id, at, units uint8) Call { return Call{Op: OpCharge, N: id, At: at, Units: units} }
func judge(id, at, units uint8) Call  { return Call{Op: OpJudge, N: id, At: at, Units: units} }
func take(id, at, units uint8) Call   { return Call{Op: OpTake, N: id, At: at, Units: units} }

var turn, leave = Call{Op: OpTurn}, Call{Op: OpLeave}

var want, beg, ask, serve = Call{Op: OpWant}, Call{Op: OpBeg}, Call{Op: OpAsk}, Call{Op: OpServe}

// of is a program in which all actors go on.
func of(name, state string, all ...[]Call) Program {
	p := Program{Name: name, State: state, Calls: all}
	for i := range all {
		p.Going = append(p.Going, i+1)
	}
	return p
}

// leases are the words at the beginning, each with an owner.
func (p Program) leases(owners ...uint8) Program {
	for _, o := range owners {
		p.Leases = append(p.Leases, Lease{Owner: o})
	}
	return p
}

func (p Program) params(words ...Pair) Program {
	p.Params = words
	return p
}

func (p Program) cells(n, full, crimes uint8) Program {
	p.Cells, p.Full, p.Crimes = n, full, crimes
	return p
}

func (p Program) wish(on, end uint8) Program {
	p.Wish = Wish{on, end}
	return p
}

func (p Program) mortal(actors ...uint8) Program {
	for _, a := range actors {
		p.Mortal |= search.One(a)
	}
	return p
}

func (p Program) going(actors ...int) Program {
	p.Going = actors
	return p
}

const (
	p01 = "P01LeaseTwo"
	p02 = "P02LeaseOwnerDies"
	p03 = "P03LeaseOwnerLate"
	p04 = "P04LeaseRunLowered"
	p05 = "P05TunePair"
	p06 = "P06ChargeTwo"
	p07 = "P07MarkTwo"
	p08 = "P08TakeTwo"
	p09 = "P09HandoverTwo"
)

var programs = []Program{
	of(p01, p01, calls(hold(1), hold(1)), calls(hold(1), hold(1))).leases(0),
	of(p01+"_Leave", p01, calls(hold(1), leave), calls(hold(1), leave), calls(hold(1))).leases(4),
	of(p01+"_Words", p01, calls(hold(2), hold(2)), calls(hold(2), leave), calls(hold(2))).leases(0, 0),
	of(p02, p02, calls(keep(1)), calls(keep(1))).leases(0).mortal(1).going(2),
	of(p02+"_Two", p02, calls(hold(1), hold(1)), calls(keep(1)), calls(keep(1))).leases(1).mortal(1).
		going(2, 3),
	of(p03, p03, calls(hold(1), hold(1)), calls(hold(1), hold(1)), calls(tick(1), tick(3))).leases(1),
	of(p03+"_Leave", p03, calls(hold(1), leave), calls(hold(1), hold(1)), calls(tick(3))).leases(1).
		mortal(1, 2),
	of(p04, p04, calls(turn, turn), calls(turn, turn), calls(tune(Pair{1, 0}))).leases(1, 2).
		params(Pair{2, 0}),
	of(p04+"_Raised", p04, calls(turn, turn), calls(turn, turn), calls(tune(Pair{0, 1}), tune(Pair{2, 0}))).
		leases(1, 4).params(Pair{1, 0}),
	of(p05, p05, calls(tune(Pair{1, 1})), calls(tune(Pair{2, 2}), tune(Pair{3, 0})), calls(read(1), read(1))).
		params(Pair{}).mortal(1, 2),
	of(p05+"_Fields", p05, calls(tune(Pair{1, 0}), tune(Pair{2, 0})),
		calls(tune(Pair{0, 3}), tune(Pair{0, 4})), calls(read(1), read(1))).params(Pair{}).mortal(1, 2),
	of(p05+"_Words", p05, calls(tune(Pair{1, 1}, Pair{1, 0})), calls(tune(Pair{2, 0}, Pair{2, 2})),
		calls(read(2), read(1))).params(Pair{}, Pair{}).mortal(1, 2),
	of(p06, p06, calls(charge(1, 0, 1)), calls(charge(1, 1, 1), charge(1, 1, 1))).cells(4, 0, 0).mortal(1, 2),
	of(p06+"_Shared", p06, calls(charge(1, 0, 1), charge(1, 5, 1)), calls(charge(2, 1, 2))).cells(5, 1, 0).
		mortal(1, 2),
	of(p06+"_Three", p06, calls(charge(1, 0, 1)), calls(charge(2, 0, 1)), calls(charge(1, 2, 2))).
		cells(5, 0, 0).mortal(1, 2),
	of(p07, p07, calls(judge(1, 0, 1)), calls(judge(1, 1, 2))).cells(4, 2, 1).mortal(1, 2),
	of(p07+"_Again", p07, calls(judge(1, 0, 1)), calls(judge(1, 0, 1), judge(1, 9, 3))).cells(4, 2, 2).
		mortal(1, 2),
	of(p07+"_Shared", p07, calls(judge(1, 0, 1)), calls(judge(2, 0, 2))).cells(5, 2, 1).mortal(1, 2),
	of(p07+"_Room", p07, calls(judge(1, 0, 1)), calls(judge(1, 0, 1))).cells(4, 1, 1).mortal(1, 2),
	of(p08, p08, calls(take(1, 0, 1), take(1, 0, 1)), calls(take(1, 0, 1), take(1, 1, 1))).cells(4, 1, 0).
		mortal(1, 2),
	of(p09, p09, calls(want, want), calls(ask, ask), calls(ask)).mortal(1, 2),
	of(p09+"_Over", p09, calls(want, ask), calls(ask, ask), calls(tick(1), tick(2))).wish(1, 2).mortal(1),
	of(p09+"_Late", p09, calls(want), calls(want, ask), calls(tick(1), tick(2))).mortal(1, 2),
	of(p09+"_Damaged", p09, calls(want, ask), calls(ask), calls(tick(1), tick(2))).wish(1, 9),
	of(p09+"_Bit", p09, calls(want), calls(ask, ask), calls(tick(1))).wish(0, 2),
	of(p09+"_Served", p09, calls(beg), calls(serve), calls(tick(1), tick(3))).going(1, 2),
	of(p09+"_Dies", p09, calls(beg), calls(beg), calls(serve)).mortal(1).going(2, 3),
}
