package model

import (
	"strconv"

	"github.com/samecycle/samecycle/model/search/tla"
)

// TLA returns the canonical text of the state as the specification's record of variables: what
// tla.ReadStates makes of the same state dumped by TLC.
func (m *Machine) TLA(s *State) string { return tla.Record(m.tlaVariables(s)...) }

// tlaVariables are the specification's variables in the state, by name.
func (m *Machine) tlaVariables(s *State) []tla.Pair {
	actor := func(f func(t int) string) string {
		items := make([]string, m.actors)
		for t := range items {
			items[t] = f(t)
		}
		return tla.Sequence(items)
	}
	contents := make([]tla.Pair, len(m.keys))
	for i, k := range m.keys {
		contents[i] = tla.Pair{num(k), num(s.contents[k])}
	}
	freed := make([]tla.Pair, len(m.values))
	for i, x := range m.values {
		freed[i] = tla.Pair{num(x), strconv.Itoa(m.Freed(s, x))}
	}
	var dead, marks []string
	for t := 1; t <= m.actors; t++ {
		if s.Dead(t) {
			dead = append(dead, strconv.Itoa(t))
		}
	}
	for _, mark := range s.Marks() {
		marks = append(marks, tla.String(mark))
	}
	return []tla.Pair{
		{"w0", m.tlaCells(func(a addr) string { return tlaWord0(*s.at0(a)) })},
		{"w1", m.tlaCells(func(a addr) string { return tlaWord1(*s.at1(a)) })},
		{"desc", actor(func(t int) string { return tlaDesc(&s.desc[t]) })},
		{"loc", actor(func(t int) string { return tlaLocal(&s.loc[t]) })},
		{"dead", tla.Set(dead)},
		{"marks", tla.Set(marks)},
		{"freed", tla.Function(freed)},
		{"map", tla.Function(contents)},
		{"busy", actor(func(t int) string { return tlaOp(s.busy[t]) })},
		{"seen", actor(func(t int) string { return m.tlaValues(s.seen[t]) })},
		{"done", actor(func(t int) string { return tla.Bool(s.done>>t&1 == 1) })},
		{"over", actor(func(t int) string { return tla.Bool(s.over>>t&1 == 1) })},
		{"out", actor(func(t int) string {
			return tla.Record(tla.Pair{"r", tla.String(s.out[t].R.String())},
				tla.Pair{"v", num(s.out[t].V)})
		})},
	}
}

func num(x uint8) string { return strconv.Itoa(int(x)) }

func (m *Machine) tlaCells(word func(a addr) string) string {
	var pairs []tla.Pair
	m.each(func(a addr) string {
		pairs = append(pairs, tla.Pair{tla.Sequence([]string{num(a.h), num(a.c)}), word(a)})
		return ""
	})
	return tla.Function(pairs)
}

func (m *Machine) tlaValues(set uint16) string {
	var items []string
	for _, x := range m.valueSet(set) {
		items = append(items, strconv.Itoa(x))
	}
	return tla.Set(items)
}

func tlaBits(set uint8) string {
	var items []string
	for i := 0; i < 8; i++ {
		if set>>i&1 == 1 {
			items = append(items, strconv.Itoa(i))
		}
	}
	return tla.Set(items)
}

func tlaWord0(w Word0) string {
	fields := []tla.Pair{{"f", tla.String(w.F.String())}}
	if w.F >= Base {
		fields = append(fields, tla.Pair{"k", num(w.K)})
	}
	switch w.F {
	case Empty:
		fields = append(fields, tla.Pair{"g", num(w.G)})
	case Claimed, InWork, Marked:
		fields = append(fields, tla.Pair{"r", tlaRef(w.R)})
	case Base:
		fields = append(fields, tla.Pair{"m", tlaBits(uint8(w.M))})
	case Member:
		fields = append(fields, tla.Pair{"p", num(w.P)}, tla.Pair{"g", num(w.G)})
	}
	return tla.Record(fields...)
}

func tlaWord1(w Word1) string {
	return tla.Record(tla.Pair{"v", num(w.V)}, tla.Pair{"z", num(w.Z)}, tla.Pair{"n", num(w.N)})
}

func tlaRef(r Ref) string { return tla.Record(tla.Pair{"d", num(r.D)}, tla.Pair{"g", num(r.G)}) }

func tlaHead(h Head) string {
	return tla.Record(tla.Pair{"gen", num(h.Gen)}, tla.Pair{"kind", tla.String(h.Kind.String())},
		tla.Pair{"h", num(h.H)}, tla.Pair{"home", num(h.Home)})
}

func tlaPairWord(p Pair) string { return tla.Record(tla.Pair{"k", num(p.K)}, tla.Pair{"v", num(p.V)}) }

func tlaPlan(p Plan) string {
	return tla.Record(tla.Pair{"k", num(p.K)}, tla.Pair{"m", tlaBits(uint8(p.M))})
}

func tlaSource(x Source) string {
	return tla.Record(tla.Pair{"c", num(x.C)}, tla.Pair{"g", num(x.G)}, tla.Pair{"n", num(x.N)})
}

func tlaTarget(x Target) string {
	return tla.Record(tla.Pair{"gen", num(x.Gen)}, tla.Pair{"st", tla.String(x.St.String())},
		tla.Pair{"c", num(x.C)}, tla.Pair{"g", num(x.G)})
}

func tlaDesc(d *Desc) string {
	return tla.Record(tla.Pair{"head", tlaHead(d.Head)}, tla.Pair{"pair", tlaPairWord(d.Pair)},
		tla.Pair{"plan", tlaPlan(d.Plan)}, tla.Pair{"expect", tlaWord1(d.Expect)},
		tla.Pair{"target", tlaTarget(d.Target)}, tla.Pair{"source", tlaSource(d.Source)})
}

func tlaOp(x Op) string {
	return tla.Record(tla.Pair{"op", tla.String(x.Op.String())}, tla.Pair{"k", num(x.K)},
		tla.Pair{"v", num(x.V)})
}

func tlaSearch(x *search) string {
	return tla.Record(tla.Pair{"mode", tla.String(x.mode.String())}, tla.Pair{"k", num(x.k)},
		tla.Pair{"h", num(x.h)}, tla.Pair{"v", tlaWord1(x.v)}, tla.Pair{"b", tlaWord0(x.b)},
		tla.Pair{"r", tlaRef(x.r)}, tla.Pair{"head", tlaHead(x.head)},
		tla.Pair{"pair", tlaPairWord(x.pair)}, tla.Pair{"plan", tlaPlan(x.plan)},
		tla.Pair{"expect", tlaWord1(x.expect)}, tla.Pair{"source", tlaSource(x.source)},
		tla.Pair{"t", tlaTarget(x.t)}, tla.Pair{"twice", tla.Bool(x.twice)},
		tla.Pair{"left", tlaBits(uint8(x.left))},
		tla.Pair{"mw", tlaWord0(x.mw)}, tla.Pair{"mv", tlaWord1(x.mv)})
}

func tlaHelp(p *help) string {
	return tla.Record(tla.Pair{"r", tlaRef(p.r)}, tla.Pair{"head", tlaHead(p.head)},
		tla.Pair{"pair", tlaPairWord(p.pair)}, tla.Pair{"plan", tlaPlan(p.plan)},
		tla.Pair{"expect", tlaWord1(p.expect)}, tla.Pair{"source", tlaSource(p.source)},
		tla.Pair{"t", tlaTarget(p.t)}, tla.Pair{"i", num(p.i)},
		tla.Pair{"hole", tla.Record(tla.Pair{"c", num(p.hole.c)}, tla.Pair{"g", num(p.hole.g)})})
}

func tlaWork(u *work) string {
	return tla.Record(tla.Pair{"kind", tla.String(u.kind.String())}, tla.Pair{"h", num(u.h)},
		tla.Pair{"home", num(u.home)}, tla.Pair{"v", tlaWord1(u.v)}, tla.Pair{"b", tlaWord0(u.b)},
		tla.Pair{"c", num(u.c)}, tla.Pair{"w", tlaWord0(u.w)}, tla.Pair{"x", tlaWord1(u.x)},
		tla.Pair{"left", tlaBits(uint8(u.left))})
}

func tlaLocal(l *local) string {
	var views []tla.Pair
	for h, x := range l.view {
		views = append(views, tla.Pair{strconv.Itoa(h),
			tla.Record(tla.Pair{"b", tlaWord0(x.b)}, tla.Pair{"v", tlaWord1(x.v)})})
	}
	return tla.Record(tla.Pair{"pc", tla.String(l.pc.String())}, tla.Pair{"i", num(l.i)},
		tla.Pair{"s", tlaSearch(&l.s)}, tla.Pair{"view", tla.Function(views)},
		tla.Pair{"half", num(l.half)}, tla.Pair{"tried", tlaBits(l.tried)},
		tla.Pair{"room", num(l.room)},
		tla.Pair{"spare", tla.Record(tla.Pair{"h", num(l.spare.h)}, tla.Pair{"home", num(l.spare.home)},
			tla.Pair{"c", num(l.spare.c)})},
		tla.Pair{"u", tlaWork(&l.u)}, tla.Pair{"p", tlaHelp(&l.p)},
		tla.Pair{"ticket", tla.Record(tla.Pair{"h", num(l.tk.at.h)}, tla.Pair{"c", num(l.tk.at.c)},
			tla.Pair{"w", tlaWord1(l.tk.w)})})
}
