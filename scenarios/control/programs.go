package control

import (
	"slices"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/control"
)

// row is a program of the model, with how far a check searches it on the code: a death of one process
// anywhere, and each order with so many preemptions.
type row struct {
	name  string
	bound int // of preemptions, or all
}

const all = explore.Unbounded

// rows are the programs of the states.
var rows = []row{
	{name: "P01LeaseTwo", bound: all},
	{name: "P01LeaseTwo_Leave", bound: 3},
	{name: "P01LeaseTwo_Words", bound: 3},
	{name: "P02LeaseOwnerDies", bound: all},
	{name: "P02LeaseOwnerDies_Two", bound: 3},
	{name: "P03LeaseOwnerLate", bound: 3},
	{name: "P03LeaseOwnerLate_Leave", bound: 3},
	{name: "P04LeaseRunLowered", bound: 3},
	{name: "P04LeaseRunLowered_Raised", bound: 3},
	{name: "P05TunePair", bound: all},
	{name: "P05TunePair_Fields", bound: all},
	{name: "P05TunePair_Words", bound: all},
	{name: "P06ChargeTwo", bound: all},
	{name: "P06ChargeTwo_Shared", bound: all},
	{name: "P06ChargeTwo_Three", bound: 3},
	{name: "P07MarkTwo", bound: 3},
	{name: "P07MarkTwo_Again", bound: 3},
	{name: "P07MarkTwo_Shared", bound: 3},
	{name: "P07MarkTwo_Room", bound: 3},
	{name: "P08TakeTwo", bound: 4},
	{name: "P09HandoverTwo", bound: all},
	{name: "P09HandoverTwo_Over", bound: all},
	{name: "P09HandoverTwo_Late", bound: all},
	{name: "P09HandoverTwo_Damaged", bound: all},
	{name: "P09HandoverTwo_Bit", bound: all},
	{name: "P09HandoverTwo_Served", bound: all},
	{name: "P09HandoverTwo_Dies", bound: all},
}

// program is one that is explored. Turns without end are two.
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
	p.Calls = slices.Clone(p.Calls)
	for a, calls := range p.Calls {
		c := calls[0]
		switch c.Op {
		case model.OpKeep:
			c.Op = model.OpHold
		case model.OpBeg:
			c.Op = model.OpWant
		case model.OpServe:
			c.Op = model.OpAsk
		default:
			continue
		}
		p.Calls[a] = []model.Call{c, c}
	}
	return program{p, rows[i]}, true
}

// budget is how far a check searches the program.
func (p program) budget() harness.Budget { return harness.Budget{Preemptions: p.bound, Kills: 1} }

// dying is the program with the death of any process, or without.
func (p program) dying(kills int) program {
	if kills > 0 {
		for a := range p.Calls {
			p.Mortal |= 1 << (a + 1)
		}
	}
	return p
}

// calls are those of each actor.
func (p program) calls() (all [][]call) {
	for i, calls := range p.Calls {
		var own []call
		for _, c := range calls {
			x := call{op: c.Op, n: c.N, at: c.At, units: c.Units, actor: uint8(i + 1),
				words: uint8(len(c.Set))}
			copy(x.set[:], c.Set)
			own = append(own, x)
		}
		all = append(all, own)
	}
	return all
}

// call is what an actor asks for: a model.Call that can be compared.
type call struct {
	op           model.Op
	n, at, units uint8
	set          [model.MaxWords]model.Pair
	words        uint8 // of set
	actor        uint8
}

// Append appends the call as a text.
func (c call) Append(text []byte) []byte {
	m := model.Call{Op: c.op, N: c.n, At: c.at, Units: c.units, Set: c.set[:c.words]}
	return append(text, m.String()...)
}

// String is the text.
func (c call) String() string { return string(c.Append(nil)) }

// answer is what came back, and what the world knows of the call. Gave tells an answer from none.
type answer struct {
	gave bool
	model.Result
	seen // of a turn of a janitor; of a handover the clock alone
	// odd says of a charge, a ruling or an admission that no order of the charges accounts for it, and of one
	// who wants a writer that nobody can have come between.
	odd bool
}

// seen is what is true at the begin and at the end of a call.
type seen struct {
	from, to   uint32 // the clock
	dead, died uint64 // processes: at the begin, and at the end
}

// Append appends the answer as a text that differs from those of all others.
func (a answer) Append(text []byte) []byte {
	if !a.gave {
		return append(text, "nothing"...)
	}
	text = append(text, a.Kind.String()...)
	switch a.Kind {
	case model.Got:
		text = appendNumbers(text, uint64(a.A), uint64(a.B))
	case model.LevelIs, model.Taken, model.Denied:
		text = appendNumbers(text, uint64(a.A))
	case model.Suspected:
		text = appendNumbers(text, uint64(a.A), uint64(a.B))
	case model.Held, model.NoResult, model.Said, model.Unsaid, model.Heard, model.Quiet:
		if a.seen != (seen{}) {
			text = appendNumbers(text, uint64(a.from), uint64(a.to), a.dead, a.died)
		}
	}
	if a.odd {
		text = append(text, ", odd"...)
	}
	return text
}

// String is the text.
func (a answer) String() string { return string(a.Append(nil)) }
