package model

// Where an add has no place: its home cell is a member of another bucket, or its windows are full
// (Room.tla). A member moves to another hole of its own window; only if nothing can move the
// oldest element of the own bucket leaves.

// roomAddr is the cell that is looked at: of a member that is known, or the place of the scan.
func (m *Machine) roomAddr(s *State, t int) addr {
	l := &s.loc[t-1]
	if l.u.c != 0 {
		return m.at(l.u.h, l.u.home, l.u.c)
	}
	return m.pushed(l, m.roomHalf(l), m.op(s, t).K, m.roomOffset(l))
}

// anew: there is room, or there may be.
func (m *Machine) anew(s *State, t int, l local) moves {
	l.tried, l.room, l.spare = 0, 0, spare{}
	return m.again(s, t, l)
}

// workHome is the base of the operation that is being prepared.
func workHome(l *local) addr { return addr{l.u.h, l.u.home} }

func (m *Machine) usurpVersion(s, _ *State, t int) moves {
	l := s.loc[t-1]
	l.u.v = *s.at1(workHome(&l))
	return goTo(l, UsurpBase)
}

func (m *Machine) usurpBase(s, next *State, t int) moves {
	l := s.loc[t-1]
	a := *s.at0(workHome(&l))
	switch {
	case a.F == Base && stillFits(&l, a) && l.u.v.Z == 0:
		next.mark(l.u.kind == KindDrop && m.busyWith(s, t, OpDelete, OpCrop),
			markS24UsurpDeleteInProgress)
		l.u.b = a
		return goTo(l, AddFillHead)
	case a.F == InWork:
		return one(m.meetDescriptor(l, a.R))
	}
	return m.again(s, t, l)
}

// stillFits reports whether the base is as what is being prepared needs it: with the member, and lost if
// the member is to take its place; lost and alone, if it is to become empty.
func stillFits(l *local, base Word0) bool {
	switch l.u.kind {
	case KindClear:
		return base.K == Lost && base.M == 0
	case KindLift:
		return base.K == Lost && base.M.Has(l.u.c)
	}
	return base.M.Has(l.u.c)
}

// noUse: what stands there is of no use. The scan goes on to the next place; if the home was looked at once
// more, whose member could not move (roomEnded), this half is of no use.
func (m *Machine) noUse(s *State, t int, l local) moves {
	if m.scans(&l) {
		return m.nextRoom(l, m.op(s, t).K)
	}
	l.tried |= 1 << l.half
	l.spare = spare{}
	return m.again(s, t, l)
}

// frontPeeked is where a glance looks before a half is chosen, and below which offset.
func (m *Machine) frontPeeked(s *State, t int) (a addr, limit uint8) {
	l := &s.loc[t-1]
	h, limit := l.half, m.w
	if l.p.hole.c != 0 {
		h, limit = 1-h, l.p.hole.c
	}
	return m.at(h, m.pushedFrom(l, h, m.op(s, t).K), l.p.i), limit
}

// frontPeek is a glance at one cell of a window before a half is chosen.
func (m *Machine) frontPeek(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a, limit := m.frontPeeked(s, t)
	hole, other := l.p.i, l.p.hole.c != 0
	switch empty := s.at0(a).F == Empty; {
	case empty && other:
		return one(m.settle(l, a.h))
	case !empty && hole+1 < limit:
		l.p.i++
		return goTo(l, FrontPeek)
	case other:
		return one(m.settle(l, l.half))
	case !empty:
		hole = m.w
	}
	return one(m.glanceOther(l, hole))
}

// memberPassed is, for a place beyond the window, the cell of the window whose member could move there, and
// how far above the place is. First comes the first such place of each cell after the one that was passed,
// then the second of each one, and so on.
func (m *Machine) memberPassed(s *State, t int) (a addr, above uint8) {
	l := &s.loc[t-1]
	h := m.roomHalf(l)
	place, n := passed(l, h)+m.roomOffset(l)-m.w, m.w-1-passed(l, h)
	return m.pushed(l, h, m.op(s, t).K, 1+place%n), 1 + place/n
}

// roomBeyond looks at that member, which can go there once what is there has moved.
func (m *Machine) roomBeyond(s, _ *State, t int) moves {
	l := s.loc[t-1]
	x, above := m.memberPassed(s, t)
	a := *s.at0(x)
	if a.F != Member || a.P+above >= m.w {
		return m.nextRoom(l, m.op(s, t).K)
	}
	l.u = work{h: x.h, home: m.below(x, a.P).c, c: a.P + above}
	return goTo(l, RoomCell)
}

// reclaims: what stands there is lost.
func reclaims(a Word0) bool { return a.is(Member, Base) && a.K == Lost }

// reclaim: what is lost is reclaimed. A member is dropped; a base that is alone becomes empty; of one that is
// not the farthest member takes the place.
func (m *Machine) reclaim(l local, x addr, a Word0) moves {
	switch {
	case a.F == Member:
		l.u = work{kind: KindDrop, h: x.h, home: m.below(x, a.P).c, c: a.P, w: a}
		return goTo(l, RoomValue)
	case a.M == 0:
		l.u = work{kind: KindClear, h: x.h, home: x.c}
		return goTo(l, UsurpVersion)
	}
	l.u = work{kind: KindLift, h: x.h, home: x.c, c: a.M.greatest()}
	return goTo(l, RoomMember)
}

// roomCell looks at a cell of a window, or beyond it: a hole that comes free there is one into which
// a member of the window can move.
func (m *Machine) roomCell(s, _ *State, t int) moves {
	l := s.loc[t-1]
	x := m.roomAddr(s, t)
	a := *s.at0(x)
	if a.F == Empty && m.roomOffset(&l) < m.w && l.tried>>x.h&1 == 0 {
		return m.anew(s, t, l)
	}
	b := m.below(x, a.P)
	own := b == m.home(x.h, m.op(s, t).K)
	switch {
	case reclaims(a):
		return m.reclaim(l, x, a)
	case a.F != Member:
		return m.noUse(s, t, l)
	case own:
		return m.noUse(s, t, l)
	}
	l.u = work{kind: KindMove, h: x.h, home: b.c, c: a.P, w: a}
	if a.P+1 >= m.w {
		return goTo(l, RoomBase)
	}
	l.p.i = a.P + 1
	return goTo(l, RoomPeek)
}

// peeked is the cell that may be a hole for the member.
func (m *Machine) peeked(l *local) addr { return m.at(l.u.h, l.u.home, l.p.i) }

// roomPeek: is there a hole for the member? A glance that saves an operation which would find none.
func (m *Machine) roomPeek(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := *s.at0(m.peeked(&l))
	if reclaims(a) && l.spare == (spare{}) {
		l.spare = spare{l.u.h, l.u.home, l.p.i}
	}
	l.p.i++
	switch {
	case a.F == Empty:
		l.p.i = 0
		return goTo(l, RoomValue)
	case l.p.i < m.w:
		return goTo(l, RoomPeek)
	}
	l.p.i = 0
	return goTo(l, RoomBase)
}

// roomBase: the member has no hole above it. If its base is lost, the member can take the base's place.
func (m *Machine) roomBase(s, _ *State, t int) moves {
	l := s.loc[t-1]
	if a := *s.at0(workHome(&l)); a.F == Base && a.K == Lost && a.M.Has(l.u.c) {
		l.u.kind = KindLift
		return goTo(l, RoomValue)
	}
	return m.noUse(s, t, l)
}

// roomMember: the base of another bucket is lost, and its farthest member takes its place, if it is not lost
// itself.
func (m *Machine) roomMember(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := *s.at0(m.roomAddr(s, t))
	switch {
	case a.F == Marked:
		return one(m.meetDescriptor(l, a.R))
	case a.F != Member || a.P != l.u.c:
		return m.anew(s, t, l)
	}
	if l.u.w = a; a.K == Lost {
		l.u.kind = KindDrop
	}
	return goTo(l, RoomValue)
}

// roomSpare looks at the lost element above a member that cannot move (nextRoom).
func (m *Machine) roomSpare(s, _ *State, t int) moves {
	l := s.loc[t-1]
	x := m.roomAddr(s, t)
	if a := *s.at0(x); reclaims(a) {
		return m.reclaim(l, x, a)
	}
	return m.anew(s, t, l)
}

func (m *Machine) roomValue(s, _ *State, t int) moves {
	l := s.loc[t-1]
	l.u.x = *s.at1(m.roomAddr(s, t))
	return goTo(l, UsurpVersion)
}

// evictCell is the member of the own bucket that is looked at, its offset included.
func (m *Machine) evictCell(l *local) (addr, uint8) {
	o := l.u.left.least()
	return m.at(l.u.h, l.u.home, o), o
}

// evictMember: nothing can move. The members of the own bucket are looked at one by one; the oldest
// one so far is in u.
func (m *Machine) evictMember(s, _ *State, t int) moves {
	l := s.loc[t-1]
	x, o := m.evictCell(&l)
	a := *s.at0(x)
	if a.F != Member || a.P != o {
		return m.anew(s, t, l)
	}
	l.s.mw = a
	return goTo(l, EvictValue)
}

func (m *Machine) evictValue(s, _ *State, t int) moves {
	l := s.loc[t-1]
	cell, o := m.evictCell(&l)
	if x := *s.at1(cell); l.u.c == 0 || x.V < l.u.x.V {
		l.u.c, l.u.w, l.u.x = o, l.s.mw, x
	}
	l.s.mw = Word0{}
	if l.u.left = l.u.left.Without(o); l.u.left != 0 {
		return goTo(l, EvictMember)
	}
	l.u.kind = KindDrop
	return goTo(l, AddFillHead)
}
