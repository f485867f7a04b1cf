package model

// Where an add has no place: its home cell is a member of another bucket, or its windows are full
// (Room.tla). A member moves to another hole of its own window; only if nothing can move the
// oldest element of the own bucket leaves.

// roomAddr is the cell that is looked at: in the chosen half, then in the other one; at offset 0 of
// the chosen one for a home cell that is to be usurped. Where a member has the home the offsets after
// its own in its window count, for there it can go: the same cells if they are in a row.
func (m *Machine) roomAddr(s *State, t int) addr {
	l := &s.loc[t-1]
	h := l.half
	if m.roomInOther(l) {
		h = 1 - h
	}
	skipped := passed(l, h)
	return m.at(h, m.below(m.home(h, m.op(s, t).K), skipped).c, skipped+l.room%m.reach)
}

// passed is the offset of the member that has the home in the half, 0 if none has.
func passed(l *local, h uint8) uint8 {
	if b := l.view[h].b; b.F == Member {
		return b.P
	}
	return 0
}

// roomInOther tells whether the cell that is looked at is in the half that was not chosen.
func (m *Machine) roomInOther(l *local) bool { return l.room >= m.reach && l.room != 2*m.reach }

// nextRoom goes on to the next cell above a home, then in the other half; after the last one nothing
// can move.
func (m *Machine) nextRoom(s *State, t int, l local) moves {
	l.u, l.p = work{}, help{}
	l.room++
	if l.room < m.reach && m.windowEnds(&l, l.half) {
		l.room = m.reach
	}
	if l.room == m.reach {
		l.room++
	}
	if l.room > m.reach && m.windowEnds(&l, 1-l.half) {
		l.room = 2 * m.reach
	}
	if l.room < 2*m.reach {
		return goTo(l, RoomCell)
	}
	l.room, l.tried = 2*m.reach, 0
	return one(startSearch(l, modeAdd, m.op(s, t).K, 0))
}

// windowEnds reports whether the cell that is to be looked at in the half is in no window.
func (m *Machine) windowEnds(l *local, h uint8) bool {
	return m.scattered && passed(l, h)+l.room%m.reach >= m.w
}

// anew: there is room, or there may be.
func (m *Machine) anew(s *State, t int, l local) moves {
	l.tried, l.room = 0, 0
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
	case a.F == Base && a.M.Has(l.u.c) && l.u.v.Z == 0:
		next.mark(l.u.kind == KindDrop && m.busyWith(s, t, OpDelete, OpCrop),
			markS24UsurpDeleteInProgress)
		l.u.b = a
		return goTo(l, AddFillHead)
	case a.F == InWork:
		return one(m.meetDescriptor(l, a.R))
	}
	return m.again(s, t, l)
}

// roomCell looks at a cell of a window, or beyond it: a hole that comes free there is one into which
// a member of the window can move.
func (m *Machine) roomCell(s, _ *State, t int) moves {
	l := s.loc[t-1]
	x := m.roomAddr(s, t)
	a := *s.at0(x)
	if a.F == Empty && l.room%m.reach < m.w && l.tried>>x.h&1 == 0 {
		return m.anew(s, t, l)
	}
	b := m.below(x, a.P)
	own := b == m.home(x.h, m.op(s, t).K)
	switch {
	case a.F != Member:
		return m.nextRoom(s, t, l)
	case a.K == Lost:
		l.u = work{kind: KindDrop, h: x.h, home: b.c, c: a.P, w: a}
		return goTo(l, RoomValue)
	case own || a.P+1 >= m.w:
		return m.nextRoom(s, t, l)
	}
	l.u = work{kind: KindMove, h: x.h, home: b.c, c: a.P, w: a}
	l.p.i = a.P + 1
	return goTo(l, RoomPeek)
}

// peeked is the cell that may be a hole for the member.
func (m *Machine) peeked(l *local) addr { return m.at(l.u.h, l.u.home, l.p.i) }

// roomPeek: is there a hole for the member? A glance that saves an operation which would find none.
func (m *Machine) roomPeek(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := *s.at0(m.peeked(&l))
	l.p.i++
	switch {
	case a.F == Empty:
		l.p.i = 0
		return goTo(l, RoomValue)
	case l.p.i < m.w:
		return goTo(l, RoomPeek)
	}
	return m.nextRoom(s, t, l)
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
