package control

import (
	"fmt"

	"github.com/samecycle/samecycle/model/search/tla"
)

// Variables are the specification's variables in the state, sorted by name.
func (m *Machine) Variables(s *State) []tla.Pair {
	actors, cells := len(m.p.Calls), m.p.Cells
	return []tla.Pair{
		{"clock", tla.Num(s.Clock)},
		{"dead", s.Dead.TLA()},
		{"did", tla.Each(s.did[:actors], tla.Num)},
		{"fed", tla.Each(s.fed[:cells], tla.Num)},
		{"kept", tla.Each(s.kept[:actors], tla.Num)},
		{"lease", tla.Each(s.Lease[:len(m.p.Leases)], Lease.tla)},
		{"level", tla.Each(s.Level[:cells], tla.Num)},
		{"loc", tla.Each(s.Loc[:actors], Local.tla)},
		{"out", tla.Each(s.out[:actors], func(x results) string { return tla.Each(x.all(), Result.tla) })},
		{"owed", tla.Num(s.owed)},
		{"param", tla.Each(s.Param[:len(m.p.Params)], Pair.tla)},
		{"penalty", tla.Each(s.Penalty[:cells], Penalty.tla)},
		{"till", tla.Num(s.till)},
		{"wish", s.Wish.tla()},
	}
}

func (l Lease) tla() string { return fmt.Sprintf("[at |-> %d, own |-> %d]", l.At, l.Owner) }

func (p Pair) tla() string { return fmt.Sprintf("[a |-> %d, b |-> %d]", p.A, p.B) }

func (p Penalty) tla() string { return fmt.Sprintf("[end |-> %d, n |-> %d]", p.End, p.N) }

func (w Wish) tla() string { return fmt.Sprintf("[end |-> %d, on |-> %d]", w.End, w.On) }

func (r Result) tla() string {
	return fmt.Sprintf(`[a |-> %d, b |-> %d, k |-> "%v"]`, r.A, r.B, r.Kind)
}

func (l Local) tla() string {
	return fmt.Sprintf(`[h |-> %s, i |-> %d, ip |-> %d, low |-> %d, old |-> %s, p |-> %s, pc |-> "%v", `+
		`ph |-> "%s", q |-> %s, res |-> %s, run |-> %d, t |-> %d, w |-> %s, x |-> %d]`, l.wish.tla(), l.i,
		l.Call, l.low, l.old.tla(), l.p.tla(), l.PC, phaseNames[l.phase], l.q.tla(), l.res.tla(), l.run,
		l.clock, l.lease.tla(), l.x)
}
