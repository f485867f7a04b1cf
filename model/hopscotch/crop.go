package model

// The services (Crop.tla). A restore finishes what is installed on the bucket of a key; a crop then
// reclaims what is lost there.

func (m *Machine) cropHome(s *State, t int) addr { return m.home(s.loc[t-1].u.h, m.op(s, t).K) }

// tended: the bucket in this half needs nothing.
func tended(l local) moves {
	if l.u.h != 0 {
		return finish(l, Tended, 0)
	}
	l.u = work{h: 1}
	return goTo(l, CropVersion)
}

// scanned: the members that have been seen are not lost, u.c is the farthest of them.
func scanned(l local) moves {
	switch {
	case l.u.left != 0:
		return goTo(l, CropMember)
	case l.u.b.K == Lost:
		l.u.kind = KindLift
		return goTo(l, CropValue)
	}
	return tended(l)
}

func (m *Machine) cropVersion(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := m.cropHome(s, t)
	l.u = work{h: l.u.h, home: a.c, v: *s.at1(a)}
	return goTo(l, CropBase)
}

func (m *Machine) cropBase(s, next *State, t int) moves {
	l := s.loc[t-1]
	a := *s.at0(m.cropHome(s, t))
	if a.held() {
		next.mark(a.F == InWork && s.desc[a.R.D-1].Head.Kind == KindAdd && m.busyWith(s, t, OpAdd),
			markS09AddCollisionDeleteMember)
		return one(m.meetDescriptor(l, a.R))
	}
	tends := a.F == Base && m.op(s, t).Op == OpCrop
	switch {
	case tends && l.u.v.Z == 1:
		return m.again(s, t, l)
	case tends && a.M != 0:
		l.u.b, l.u.left = a, a.M
		return goTo(l, CropMember)
	case tends && a.K == Lost:
		l.u.b, l.u.kind = a, KindClear
		return goTo(l, AddFillHead)
	}
	return tended(l)
}

// cropCell is the member that is looked at.
func (m *Machine) cropCell(s *State, t int) addr {
	x := m.cropHome(s, t)
	return m.at(x.h, x.c, s.loc[t-1].u.left.least())
}

func (m *Machine) cropMember(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := *s.at0(m.cropCell(s, t))
	switch a.F {
	case Marked:
		return one(m.meetDescriptor(l, a.R))
	case Member:
	default:
		return m.again(s, t, l)
	}
	l.u.c, l.u.w = l.u.left.least(), a
	l.u.left = l.u.left.Without(l.u.c)
	if a.K == Lost {
		l.u.left, l.u.kind = 0, KindDrop
		return goTo(l, CropValue)
	}
	return scanned(l)
}

func (m *Machine) cropValue(s, _ *State, t int) moves {
	l := s.loc[t-1]
	l.u.x = *s.at1(m.at(l.u.h, l.u.home, l.u.c))
	return goTo(l, AddFillHead)
}
