package written

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// TLA returns the canonical text of the state as the specification's record of variables: what
// tla.ReadStates makes of the same state dumped by TLC. Fields are sorted by name, sets and
// functions by their text, and a function on 1..n is a sequence.
func (m *Machine) TLA(s *State) string {
	cells := func(text func(a int) string) string {
		return "(" + list(0, int(m.cells)-1, " @@ ", func(a int) string {
			return strconv.Itoa(a) + " :> " + text(a)
		}) + ")"
	}
	return "[c |-> " + cells(func(a int) string { return s.c[a].tla() }) +
		", cq |-> " + sequence(int(s.cqn), func(i int) string { return num(s.cq[i-1]) }) +
		", free |-> " + s.free.String() +
		", l |-> " + sequence(m.actors(), func(t int) string { return s.l[t-1].tla() }) +
		", lin |-> " + m.tlaHistories(s) +
		", q |-> " + sequence(int(s.qn), func(i int) string { return s.q[i-1].tla() }) +
		", st |-> " + sequence(m.p.Records, func(r int) string { return s.st[r].tla() }) +
		", tier |-> " + m.tlaTier(s) +
		", tv |-> " + cells(func(a int) string { return s.tv[a].tla() }) + "]"
}

func num(x uint8) string { return strconv.Itoa(int(x)) }

func list(from, to int, comma string, item func(i int) string) string {
	var items []string
	for i := from; i <= to; i++ {
		items = append(items, item(i))
	}
	return strings.Join(items, comma)
}

func sequence(n int, item func(i int) string) string {
	return "<<" + list(1, n, ", ", item) + ">>"
}

func setOf(items []string) string {
	sort.Strings(items)
	return "{" + strings.Join(items, ", ") + "}"
}

func (m *Machine) tlaTier(s *State) string {
	var keys []string
	for k, sent := range s.tier {
		if sent {
			keys = append(keys, strconv.Itoa(k))
		}
	}
	return setOf(keys)
}

// tlaHistories: the keys of a program are the domain; it may be 1..n.
func (m *Machine) tlaHistories(s *State) string {
	of := func(i int) string {
		var set []string
		for _, y := range s.of(m.keys[i-1]) {
			set = append(set, sequence(m.clients+1, func(j int) string {
				if j == 1 {
					return num(y.v)
				}
				return num(y.r[j-2])
			}))
		}
		return setOf(set)
	}
	n := len(m.keys)
	if int(m.keys[n-1]) == n {
		return sequence(n, of)
	}
	return "(" + list(1, n, " @@ ", func(i int) string {
		return num(m.keys[i-1]) + " :> " + of(i)
	}) + ")"
}

func (w Word0) tla() string {
	return fmt.Sprintf(`[f |-> "%v", fl |-> %s, k |-> %d, m |-> %v, n |-> %d, o |-> %d, s |-> %d]`,
		w.F, w.FL.tla(), w.K, w.M, w.N, w.O, w.S)
}

func (f Flags) tla() string {
	var items []string
	for _, name := range f.names() {
		items = append(items, `"`+name+`"`)
	}
	return setOf(items)
}

func (w Word1) tla() string {
	return fmt.Sprintf(`[f |-> "%v", m |-> %v, r |-> %d, s |-> %d, v |-> %d]`,
		w.F, w.M, w.R, w.S, w.V)
}

func (r Record) tla() string {
	return fmt.Sprintf(`[k |-> %d, o |-> %d, real |-> %v, u |-> %d, v |-> %d]`,
		r.K, r.O, r.Real, r.U, r.V)
}

func (i Item) tla() string {
	return fmt.Sprintf(`[b |-> %d, k |-> %d, kind |-> "%v", s |-> %d, v |-> %d]`,
		i.B, i.K, i.Kind, i.S, i.V)
}

func (l *local) tla() string {
	return fmt.Sprintf(`[b |-> %d, e |-> %d, g |-> %v, h |-> %d, i |-> %d, j |-> %d, k |-> %d, `+
		`kind |-> "%v", m |-> %v, mode |-> "%v", pc |-> "%v", r |-> %d, s |-> %d, v |-> %d, `+
		`w |-> %s, x |-> %s]`,
		l.b, l.e, l.g, l.h, l.i, l.j, l.k, l.kind, l.m, l.mode, l.pc, l.r, l.s, l.v, l.w.tla(), l.x.tla())
}
