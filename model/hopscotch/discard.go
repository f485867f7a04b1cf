package model

// A conditional delete: the element of the ticket leaves, if the ticket still holds, by one operation on its
// bucket that is planned with exactly word 1 of the ticket (Discard.tla).

func discardBaseCell(l *local) addr { return addr{l.u.h, l.u.home} }

func (m *Machine) discardMemberCell(l *local) addr { return m.at(l.u.h, l.u.home, l.u.c) }

// discards is what to install, by word 0 of the cell. The farthest member may be lost itself: then the base
// is, in its place.
func (m *Machine) discards(l local) moves {
	a, w := l.tk.at, l.u.w
	if w.F == Member {
		l.u.kind, l.u.c, l.u.home, l.u.x = KindDrop, w.P, m.below(a, w.P).c, l.tk.w
		return goTo(l, DiscardVersion)
	}
	l.u.home, l.u.b, l.u.v, l.u.w = a.c, w, l.tk.w, Word0{}
	if w.M == 0 {
		l.u.kind = KindClear
		return goTo(l, AddFillHead)
	}
	l.u.kind, l.u.c = KindLift, w.M.greatest()
	return goTo(l, DiscardMember)
}

func (m *Machine) discardLook(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := *s.at0(l.tk.at)
	switch {
	case !s.holdsLive(l.tk.at, m.op(s, t).K):
		return void(l)
	case a.is(InWork, Marked):
		return one(m.meetDescriptor(l, a.R))
	}
	l.u = work{h: l.tk.at.h, w: a}
	return goTo(l, DiscardValue)
}

func (m *Machine) discardValue(s, _ *State, t int) moves {
	l := s.loc[t-1]
	if *s.at1(l.tk.at) != l.tk.w {
		return void(l)
	}
	return m.discards(l)
}

// discardMember looks at the member that takes the place of the base.
func (m *Machine) discardMember(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := *s.at0(m.discardMemberCell(&l))
	switch {
	case a.F == Member && a.P == l.u.c:
		l.u.w = a
		return goTo(l, DiscardMemberValue)
	case a.F == Marked:
		return one(m.meetDescriptor(l, a.R))
	}
	return m.again(s, t, l)
}

func (m *Machine) discardMemberValue(s, _ *State, t int) moves {
	l := s.loc[t-1]
	l.u.x = *s.at1(m.discardMemberCell(&l))
	return goTo(l, AddFillHead)
}

// discardVersion and discardBase look at the base of the member that leaves.
func (m *Machine) discardVersion(s, _ *State, t int) moves {
	l := s.loc[t-1]
	l.u.v = *s.at1(discardBaseCell(&l))
	return goTo(l, DiscardBase)
}

func (m *Machine) discardBase(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := *s.at0(discardBaseCell(&l))
	switch {
	case a.F == Base && a.M.Has(l.u.c) && l.u.v.Z == 0:
		l.u.b = a
		return goTo(l, AddFillHead)
	case a.F == InWork:
		return one(m.meetDescriptor(l, a.R))
	}
	return m.again(s, t, l)
}
