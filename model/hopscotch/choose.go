package model

// Where an add goes on once both halves have been searched: with a half, with the scan for room, or with
// what is to leave (Choose.tla).

// load is how full a bucket looks from word 0 of its home; the window's width: not to be used.
func (m *Machine) load(a Word0) int {
	switch a.F {
	case Empty:
		return 0
	case Claimed:
		return 1
	case Base:
		return 1 + a.M.Count()
	case InWork:
		return 2
	}
	switch {
	case !m.cfg.MakeRoom:
		return int(m.w)
	case a.F == Member:
		return 1
	}
	return 2
}

// usurp: the home cell in half h is a member of another bucket. It has to leave first, for another
// hole of its window if it is alive. Its value is read after its key: what was there before may be
// older than the member, and its version is the generation of a member that is given back.
func (m *Machine) usurp(l local, h uint8) local {
	seen := l.view[h]
	l.u = work{kind: KindMove, h: h, home: m.below(m.home(h, l.s.k), seen.b.P).c, c: seen.b.P,
		w: seen.b}
	if m.has(FixLostSkipped) && seen.b.K == Lost {
		l.u.kind = KindDrop
	}
	l.pc = RoomValue
	if !m.has(FixValueAfter) {
		l.u.x = seen.v
		l.pc = UsurpVersion
	}
	l.half = h
	l.s = search{}
	l.view = [Halves]view{}
	return l
}

// evictPlan: nothing can move in either half. An element of the own bucket leaves, the base only
// if it is alone. A home that is another bucket's member is itself what leaves.
func (m *Machine) evictPlan(l local) local {
	h := l.half
	b := l.view[h].b
	switch {
	case b.F == Base && b.K != Lost && b.M != 0:
		l.u = work{h: h, home: m.home(h, l.s.k).c, b: b, v: l.view[h].v, left: b.M}
		l.s = search{}
		l.pc = EvictMember
	case b.is(Base, Empty):
		l.s = search{}
		l.pc = AddFillHead
	case b.F == Member:
		l = m.usurp(l, h)
		l.u.kind = KindDrop
	default:
		l = m.meetDescriptor(l, b.R)
	}
	return l
}

// passed is the offset of the member that stands in the home cell of the half, 0 if there is none. Such a
// member is pushed along its own window, from its offset on; any other element along the window of the
// home.
func passed(l *local, h uint8) uint8 {
	if b := l.view[h].b; b.F == Member {
		return b.P
	}
	return 0
}

// pushedFrom is the home of that window.
func (m *Machine) pushedFrom(l *local, h, k uint8) uint8 {
	return m.below(m.home(h, k), passed(l, h)).c
}

// pushed is the cell so many places on in it.
func (m *Machine) pushed(l *local, h, k, places uint8) addr {
	return m.at(h, m.pushedFrom(l, h, k), passed(l, h)+places)
}

// roomHalf and roomOffset are the place of the scan for room: so many places on from the home, in the chosen
// half, then in the other one.
func (m *Machine) roomHalf(l *local) uint8 {
	if l.room < m.reach {
		return l.half
	}
	return 1 - l.half
}

func (m *Machine) roomOffset(l *local) uint8 { return l.room % m.reach }

// scans: the add is looking for room.
func (m *Machine) scans(l *local) bool { return l.room >= 1 && l.room < 2*m.reach }

// inTable reports whether the place is a cell of the table, which goes on beyond the window where cells are
// in a row (RoomCell). Where it ends with the window the next places are above the members of the window,
// each in its own (RoomBeyond).
func (m *Machine) inTable(l *local, k uint8) bool {
	h := m.roomHalf(l)
	return m.pushed(l, h, k, m.roomOffset(l)).c != noCell
}

// lookForRoom looks at the place.
func (m *Machine) lookForRoom(l local, k uint8) moves {
	if m.inTable(&l, k) {
		return goTo(l, RoomCell)
	}
	return goTo(l, RoomBeyond)
}

// nextRoom goes on to the next place that there is: none is where the window has no cell after the one that
// was passed. After the last one nothing can move; but if one of the members has a lost element above it,
// that is reclaimed, and the member can move there.
func (m *Machine) nextRoom(l local, k uint8) moves {
	l.u, l.p = work{}, help{}
	for l.room++; l.room < 2*m.reach; l.room++ {
		if l.room != m.reach && (m.inTable(&l, k) || passed(&l, m.roomHalf(&l))+1 < m.w) {
			return m.lookForRoom(l, k)
		}
	}
	if x := l.spare; x != (spare{}) {
		l.room, l.spare, l.u = 0, spare{}, work{h: x.h, home: x.home, c: x.c}
		return goTo(l, RoomSpare)
	}
	l.tried, l.view = 0, [Halves]view{}
	return one(startSearch(l, modeAdd, k, 0))
}

// makeRoom: both halves are full. Where the home cell is another bucket's member, an empty cell of the
// window is of no use by itself, but one into which that member can move is. Of the search the scan keeps
// what it passes.
func (m *Machine) makeRoom(l local) moves {
	k := l.s.k
	l.s, l.room, l.tried, l.spare = search{}, 0, 0, spare{}
	for h := range uint8(Halves) {
		if l.view[h].b.is(Member, Marked) {
			l.tried |= 1 << h
		}
		if p := passed(&l, h); p != 0 {
			l.view[h] = view{b: member(0, p, 0)}
		} else {
			l.view[h] = view{}
		}
	}
	return m.nextRoom(l, k)
}

// goWith starts to fill the descriptor for half h, makes its home free, or meets the descriptor
// that is there.
func (m *Machine) goWith(l local, h uint8) local {
	b := l.view[h].b
	if b.F == Member {
		return m.usurp(l, h)
	}
	l.half = h
	if b.is(Empty, Base) {
		l.s = search{}
		l.pc = AddFillHead
		return l
	}
	return m.meetDescriptor(l, b.R)
}

// pushes reports whether what is added in half h pushes something away.
func pushes(l *local, h uint8) bool {
	b := l.view[h].b
	return b.is(Base, Member) && b.K != Lost
}

// settle ends a glance.
func (m *Machine) settle(l local, h uint8) local {
	l.p = help{}
	return m.goWith(l, h)
}

// peekFrom looks at the window in half h, below the limit.
func (m *Machine) peekFrom(l local, h, limit uint8) local {
	o := passed(&l, h) + 1
	if o >= limit {
		return m.settle(l, l.half)
	}
	l.pc, l.p.i = FrontPeek, o
	return l
}

// glanceOther goes on where the first hole in the chosen half is known: the other half is taken where its
// hole is nearer. While it is looked at l.p.hole.c is the one of the chosen half, the window's width if there
// is none.
func (m *Machine) glanceOther(l local, hole uint8) local {
	switch {
	case hole < m.front:
		return m.settle(l, l.half)
	case !pushes(&l, 1-l.half):
		return m.settle(l, 1-l.half)
	}
	l.p.hole.c = hole
	return m.peekFrom(l, 1-l.half, hole)
}

// glance looks at the windows, and nothing rests on it: has what the home of half h has to push away a hole
// in the front?
func (m *Machine) glance(l local, h uint8) local {
	if m.front == m.w || !pushes(&l, h) {
		return m.goWith(l, h)
	}
	l.half, l.s = h, search{mode: l.s.mode, k: l.s.k}
	if passed(&l, h)+1 < m.w {
		return m.peekFrom(l, h, m.w)
	}
	return m.glanceOther(l, m.w)
}

// plan chooses a half, once for the operation: the one with fewer elements, either one on a tie. Both halves
// have been searched and the key is absent. Where room was made before counts no more: this may be another
// half.
func (m *Machine) plan(l local) moves {
	if l.room == 2*m.reach {
		return one(m.evictPlan(l))
	}
	l.room = 0
	usable := func(h uint8) bool {
		return h < Halves && l.tried>>h&1 == 0 && (l.view[h].b.F != Member || m.cfg.MakeRoom)
	}
	load0, load1 := m.load(l.view[0].b), m.load(l.view[1].b)
	switch both := usable(0) && usable(1); {
	case usable(l.half):
		return one(m.goWith(l, l.half))
	case both && load0 == load1:
		return moves{n: Halves, at: [Halves]local{m.glance(l, 0), m.glance(l, 1)}}
	case both && load0 < load1:
		return one(m.glance(l, 0))
	case both:
		return one(m.glance(l, 1))
	case usable(0):
		return one(m.goWith(l, 0))
	case usable(1):
		return one(m.goWith(l, 1))
	case m.cfg.MakeRoom:
		return m.makeRoom(l)
	}
	return finish(l, Full, 0)
}
