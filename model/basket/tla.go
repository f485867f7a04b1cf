package basket

import (
	"fmt"

	"github.com/samecycle/samecycle/model/search/tla"
)

// Variables are the specification's variables in the state, sorted by name.
func (m *Machine) Variables(s *State) []tla.Pair {
	hashes, baskets, refs := m.p.hashes(), len(m.p.Heads), len(m.p.Records)
	return []tla.Pair{
		{"born", tla.Each(s.born[:refs], tla.Num)},
		{"dead", s.Dead.TLA()},
		{"hand", tla.Each(s.Hand[:m.clients()], tla.Num)},
		{"head", tla.Each(s.Head[:baskets], Head.tla)},
		{"loc", tla.Each(s.Loc[:m.clients()], func(l Local) string { return l.tla(m.p.lanes()) })},
		{"moved", tla.Num(s.Moved)},
		{"pair", s.Pair.tla()},
		{"pend", tla.Each(s.Pending[:hashes], func(p Pending) string {
			return fmt.Sprintf("[own |-> %d, ref |-> %d]", p.Owner, p.Ref)
		})},
		{"rec", tla.Each(s.Record[:refs], func(r Record) string {
			return fmt.Sprintf("[hi |-> %d, k |-> %d, lo |-> %d, nx |-> %d, size |-> %d, sus |-> %d]", r.High,
				r.Key, r.Low, r.Next, r.Size, r.Suspect)
		})},
		{"seq", tla.Num(s.Number)},
		{"word", tla.Each(s.Word[:hashes], Word.tla)},
	}
}

func (p Pair) tla() string { return fmt.Sprintf("[hi |-> %d, lo |-> %d]", p.High, p.Low) }

func (w Word) tla() string { return fmt.Sprintf("[ref |-> %d, ver |-> %d]", w.Ref, w.Version) }

func (h Head) tla() string {
	return fmt.Sprintf(`[gen |-> %d, own |-> %d, seq |-> %d, st |-> "%v", tier |-> %d]`, h.Generation,
		h.Owner, h.Number, h.Life, h.Tier)
}

func (c Copy) tla() string {
	return fmt.Sprintf("[hi |-> %d, k |-> %d, lo |-> %d, nx |-> %d, ref |-> %d, sus |-> %d]", c.High,
		c.Key, c.Low, c.Next, c.Ref, c.Suspect)
}

func (x Told) tla() string { return fmt.Sprintf("[k |-> %d, v |-> %d]", x.Key, x.Value) }

func (l Local) tla(lanes int) string {
	return fmt.Sprintf(`[f |-> %s, i |-> %d, ip |-> %d, m |-> %d, n |-> %d, open |-> %s, owe |-> %s, `+
		`par |-> %s, pc |-> "%v", pos |-> %s, ret |-> %d, st |-> "%s"]`, l.frame.tla(), l.Walked, l.Call,
		l.mark, l.answer,
		tla.Each(l.Open[:lanes], tla.Num), tla.Each(l.owed.all(), Told.tla), l.Pair.tla(), l.PC,
		tla.Each(l.Position[:lanes], tla.Num), l.Retiring,
		stageNames[l.stage])
}

func (f *Frame) tla() string {
	return fmt.Sprintf(`[at |-> %d, b |-> %d, c |-> %s, ch |-> %s, cnt |-> %d, h |-> %d, k |-> %d, `+
		`kind |-> "%s", nx |-> %d, r |-> %d, t |-> %s, tell |-> %s, todo |-> %s, told |-> %s, v |-> %d, `+
		`x |-> [b |-> %d, w |-> %s]]`, f.at, f.basket, f.copy.tla(), tla.Each(f.chain.all(), Copy.tla),
		f.count, f.hash, f.key, errandNames[f.errand], f.next, f.record, f.ticket.tla(),
		tla.Each(f.tell.all(), Copy.tla), tla.Each(f.todo.all(), Copy.tla),
		tla.Each(f.told.all(), Told.tla), f.value, f.best.basket, f.best.head.tla())
}
