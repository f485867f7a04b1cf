package model

import "strconv"

// TLA returns the canonical text of the state as the specification's record of variables: what
// ReadStates makes of the same state dumped by TLC.
func (m *Machine) TLA(s *State) string { return tlaRecord(m.tlaVariables(s)...) }

// tlaVariables are the specification's variables in the state, by name.
func (m *Machine) tlaVariables(s *State) []tlaPair {
	actor := func(f func(t int) string) string {
		items := make([]string, m.actors)
		for t := range items {
			items[t] = f(t)
		}
		return tlaSequence(items)
	}
	contents := make([]tlaPair, len(m.keys))
	for i, k := range m.keys {
		contents[i] = tlaPair{num(k), num(s.contents[k])}
	}
	freed := make([]tlaPair, len(m.values))
	for i, x := range m.values {
		freed[i] = tlaPair{num(x), strconv.Itoa(m.Freed(s, x))}
	}
	var dead, marks []string
	for t := 1; t <= m.actors; t++ {
		if s.Dead(t) {
			dead = append(dead, strconv.Itoa(t))
		}
	}
	for _, mark := range s.Marks() {
		marks = append(marks, tlaString(mark))
	}
	return []tlaPair{
		{"w0", m.tlaCells(func(a addr) string { return tlaWord0(*s.at0(a)) })},
		{"w1", m.tlaCells(func(a addr) string { return tlaWord1(*s.at1(a)) })},
		{"desc", actor(func(t int) string { return tlaDesc(&s.desc[t]) })},
		{"loc", actor(func(t int) string { return tlaLocal(&s.loc[t]) })},
		{"dead", tlaSet(dead)},
		{"marks", tlaSet(marks)},
		{"freed", tlaFunction(freed)},
		{"map", tlaFunction(contents)},
		{"busy", actor(func(t int) string { return tlaOp(s.busy[t]) })},
		{"seen", actor(func(t int) string { return m.tlaValues(s.seen[t]) })},
		{"done", actor(func(t int) string { return tlaBool(s.done>>t&1 == 1) })},
		{"over", actor(func(t int) string { return tlaBool(s.over>>t&1 == 1) })},
		{"out", actor(func(t int) string {
			return tlaRecord(tlaPair{"r", tlaString(s.out[t].R.String())},
				tlaPair{"v", num(s.out[t].V)})
		})},
	}
}

func num(x uint8) string { return strconv.Itoa(int(x)) }

func (m *Machine) tlaCells(word func(a addr) string) string {
	var pairs []tlaPair
	m.each(func(a addr) string {
		pairs = append(pairs, tlaPair{tlaSequence([]string{num(a.h), num(a.c)}), word(a)})
		return ""
	})
	return tlaFunction(pairs)
}

func (m *Machine) tlaValues(set uint16) string {
	var items []string
	for _, x := range m.valueSet(set) {
		items = append(items, strconv.Itoa(x))
	}
	return tlaSet(items)
}

func tlaBits(set uint8) string {
	var items []string
	for i := 0; i < 8; i++ {
		if set>>i&1 == 1 {
			items = append(items, strconv.Itoa(i))
		}
	}
	return tlaSet(items)
}

func tlaWord0(w Word0) string {
	fields := []tlaPair{{"f", tlaString(w.F.String())}}
	if w.F >= Base {
		fields = append(fields, tlaPair{"k", num(w.K)})
	}
	switch w.F {
	case Empty:
		fields = append(fields, tlaPair{"g", num(w.G)})
	case Claimed, InWork, Marked:
		fields = append(fields, tlaPair{"r", tlaRef(w.R)})
	case Base:
		fields = append(fields, tlaPair{"m", tlaBits(uint8(w.M))})
	case Member:
		fields = append(fields, tlaPair{"p", num(w.P)}, tlaPair{"g", num(w.G)})
	}
	return tlaRecord(fields...)
}

func tlaWord1(w Word1) string {
	return tlaRecord(tlaPair{"v", num(w.V)}, tlaPair{"z", num(w.Z)}, tlaPair{"n", num(w.N)})
}

func tlaRef(r Ref) string { return tlaRecord(tlaPair{"d", num(r.D)}, tlaPair{"g", num(r.G)}) }

func tlaHead(h Head) string {
	return tlaRecord(tlaPair{"gen", num(h.Gen)}, tlaPair{"kind", tlaString(h.Kind.String())},
		tlaPair{"h", num(h.H)}, tlaPair{"home", num(h.Home)})
}

func tlaPairWord(p Pair) string { return tlaRecord(tlaPair{"k", num(p.K)}, tlaPair{"v", num(p.V)}) }

func tlaPlan(p Plan) string {
	return tlaRecord(tlaPair{"k", num(p.K)}, tlaPair{"m", tlaBits(uint8(p.M))})
}

func tlaSource(x Source) string {
	return tlaRecord(tlaPair{"c", num(x.C)}, tlaPair{"g", num(x.G)}, tlaPair{"n", num(x.N)})
}

func tlaTarget(x Target) string {
	return tlaRecord(tlaPair{"gen", num(x.Gen)}, tlaPair{"st", tlaString(x.St.String())},
		tlaPair{"c", num(x.C)}, tlaPair{"g", num(x.G)})
}

func tlaDesc(d *Desc) string {
	return tlaRecord(tlaPair{"head", tlaHead(d.Head)}, tlaPair{"pair", tlaPairWord(d.Pair)},
		tlaPair{"plan", tlaPlan(d.Plan)}, tlaPair{"expect", tlaWord1(d.Expect)},
		tlaPair{"target", tlaTarget(d.Target)}, tlaPair{"source", tlaSource(d.Source)})
}

func tlaOp(x Op) string {
	return tlaRecord(tlaPair{"op", tlaString(x.Op.String())}, tlaPair{"k", num(x.K)},
		tlaPair{"v", num(x.V)})
}

func tlaSearch(x *search) string {
	return tlaRecord(tlaPair{"mode", tlaString(x.mode.String())}, tlaPair{"k", num(x.k)},
		tlaPair{"h", num(x.h)}, tlaPair{"v", tlaWord1(x.v)}, tlaPair{"b", tlaWord0(x.b)},
		tlaPair{"r", tlaRef(x.r)}, tlaPair{"head", tlaHead(x.head)},
		tlaPair{"pair", tlaPairWord(x.pair)}, tlaPair{"plan", tlaPlan(x.plan)},
		tlaPair{"expect", tlaWord1(x.expect)}, tlaPair{"source", tlaSource(x.source)},
		tlaPair{"t", tlaTarget(x.t)}, tlaPair{"twice", tlaBool(x.twice)},
		tlaPair{"left", tlaBits(uint8(x.left))},
		tlaPair{"mw", tlaWord0(x.mw)}, tlaPair{"mv", tlaWord1(x.mv)})
}

func tlaHelp(p *help) string {
	return tlaRecord(tlaPair{"r", tlaRef(p.r)}, tlaPair{"head", tlaHead(p.head)},
		tlaPair{"pair", tlaPairWord(p.pair)}, tlaPair{"plan", tlaPlan(p.plan)},
		tlaPair{"expect", tlaWord1(p.expect)}, tlaPair{"source", tlaSource(p.source)},
		tlaPair{"t", tlaTarget(p.t)}, tlaPair{"i", num(p.i)},
		tlaPair{"hole", tlaRecord(tlaPair{"c", num(p.hole.c)}, tlaPair{"g", num(p.hole.g)})})
}

func tlaWork(u *work) string {
	return tlaRecord(tlaPair{"kind", tlaString(u.kind.String())}, tlaPair{"h", num(u.h)},
		tlaPair{"home", num(u.home)}, tlaPair{"v", tlaWord1(u.v)}, tlaPair{"b", tlaWord0(u.b)},
		tlaPair{"c", num(u.c)}, tlaPair{"w", tlaWord0(u.w)}, tlaPair{"x", tlaWord1(u.x)},
		tlaPair{"left", tlaBits(uint8(u.left))})
}

func tlaLocal(l *local) string {
	var views []tlaPair
	for h, x := range l.view {
		views = append(views, tlaPair{strconv.Itoa(h),
			tlaRecord(tlaPair{"b", tlaWord0(x.b)}, tlaPair{"v", tlaWord1(x.v)})})
	}
	return tlaRecord(tlaPair{"pc", tlaString(l.pc.String())}, tlaPair{"i", num(l.i)},
		tlaPair{"s", tlaSearch(&l.s)}, tlaPair{"view", tlaFunction(views)},
		tlaPair{"half", num(l.half)}, tlaPair{"tried", tlaBits(l.tried)},
		tlaPair{"room", num(l.room)},
		tlaPair{"spare", tlaRecord(tlaPair{"h", num(l.spare.h)}, tlaPair{"home", num(l.spare.home)},
			tlaPair{"c", num(l.spare.c)})},
		tlaPair{"u", tlaWork(&l.u)}, tlaPair{"p", tlaHelp(&l.p)},
		tlaPair{"ticket", tlaRecord(tlaPair{"h", num(l.tk.at.h)}, tlaPair{"c", num(l.tk.at.c)},
			tlaPair{"w", tlaWord1(l.tk.w)})})
}
