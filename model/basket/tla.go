package basket

import (
	"fmt"
	"strings"
)

// TLA returns the canonical text of the state as the specification's record of variables: what the reader of
// TLC's dumps makes of the same state. Fields are sorted by name, sets by their text; a function on 1..n is a
// sequence.
func (m *Machine) TLA(s *State) string {
	var fields []string
	for _, x := range m.variables(s) {
		fields = append(fields, x.name+" |-> "+x.value)
	}
	return "[" + strings.Join(fields, ", ") + "]"
}

// variable is one of the specification's, and its value as TLA+ writes it.
type variable struct{ name, value string }

// variables are all of the state, sorted by name.
func (m *Machine) variables(s *State) []variable {
	hashes, baskets, refs := m.p.hashes(), len(m.p.Heads), len(m.p.Records)
	return []variable{
		{"born", sequence(s.born[:refs], num)},
		{"dead", s.Dead.TLA()},
		{"hand", sequence(s.Hand[:m.clients()], num)},
		{"head", sequence(s.Head[:baskets], Head.tla)},
		{"loc", sequence(s.Loc[:m.clients()], func(l Local) string { return l.tla(m.p.lanes()) })},
		{"moved", num(s.Moved)},
		{"pend", sequence(s.Pending[:hashes], func(p Pending) string {
			return fmt.Sprintf("[own |-> %d, ref |-> %d]", p.Owner, p.Ref)
		})},
		{"rec", sequence(s.Record[:refs], func(r Record) string {
			return fmt.Sprintf("[hi |-> %d, k |-> %d, lo |-> %d, nx |-> %d, size |-> %d]", r.High, r.Key,
				r.Low, r.Next, r.Size)
		})},
		{"seq", num(s.Number)},
		{"word", sequence(s.Word[:hashes], Word.tla)},
	}
}

func num(x uint8) string { return fmt.Sprint(x) }

func sequence[T any](list []T, text func(T) string) string {
	items := make([]string, len(list))
	for i, x := range list {
		items[i] = text(x)
	}
	return "<<" + strings.Join(items, ", ") + ">>"
}

func (w Word) tla() string { return fmt.Sprintf("[ref |-> %d, ver |-> %d]", w.Ref, w.Version) }

func (h Head) tla() string {
	return fmt.Sprintf(`[gen |-> %d, own |-> %d, seq |-> %d, st |-> "%v", tier |-> %d]`, h.Generation,
		h.Owner, h.Number, h.Life, h.Tier)
}

func (c Copy) tla() string {
	return fmt.Sprintf("[hi |-> %d, k |-> %d, lo |-> %d, nx |-> %d, ref |-> %d]", c.High, c.Key, c.Low,
		c.Next, c.Ref)
}

func (x Told) tla() string { return fmt.Sprintf("[k |-> %d, v |-> %d]", x.Key, x.Value) }

func (l Local) tla(lanes int) string {
	return fmt.Sprintf(`[f |-> %s, i |-> %d, ip |-> %d, n |-> %d, open |-> %s, owe |-> %s, pc |-> "%v", `+
		`pos |-> %s, ret |-> %d, st |-> "%s"]`, l.frame.tla(), l.Walked, l.Call, l.answer,
		sequence(l.Open[:lanes], num), sequence(l.owed.all(), Told.tla), l.PC,
		sequence(l.Position[:lanes], func(x int8) string { return fmt.Sprint(x) }), l.Retiring,
		stageNames[l.stage])
}

func (f *Frame) tla() string {
	return fmt.Sprintf(`[at |-> %d, b |-> %d, c |-> %s, ch |-> %s, cnt |-> %d, h |-> %d, k |-> %d, `+
		`kind |-> "%s", nx |-> %d, r |-> %d, t |-> %s, tell |-> %s, todo |-> %s, told |-> %s, v |-> %d, `+
		`x |-> [b |-> %d, w |-> %s]]`, f.at, f.basket, f.copy.tla(), sequence(f.chain.all(), Copy.tla),
		f.count, f.hash, f.key, errandNames[f.errand], f.next, f.record, f.ticket.tla(),
		sequence(f.tell.all(), Copy.tla), sequence(f.todo.all(), Copy.tla),
		sequence(f.told.all(), Told.tla), f.value, f.best.basket, f.best.head.tla())
}
