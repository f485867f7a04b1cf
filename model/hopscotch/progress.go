package model

// The progress of an installed operation: where its target leads to, how it ends, and the shapes of
// the compare-and-swaps (Progress.tla).

func helpHome(l *local) addr { return addr{l.p.head.H, l.p.head.Home} }

func (m *Machine) helpCell(l *local) addr { return m.at(l.p.head.H, l.p.head.Home, l.p.t.C) }

func (m *Machine) sourceCell(l *local) addr { return m.at(l.p.head.H, l.p.head.Home, l.p.source.C) }

// helped is the descriptor that the local state l works on.
func helped(s *State, l *local) *Desc { return &s.desc[l.p.r.D-1] }

// idleMember and markedMember are word 0 of the member that the operation is about; sourceValue is
// its word 1 as it was found.
func idleMember(p *help) Word0 { return member(p.pair.K, p.source.C, p.source.G) }

func (m *Machine) markedMember(p *help) Word0 {
	if m.has(FixMark) {
		return marked(p.pair.K, p.r)
	}
	return idleMember(p)
}

func sourceValue(p *help) Word1 { return Word1{V: p.pair.V, N: p.source.N} }

func isMove(p *help) bool { return p.head.Kind == KindMove }

// displaced is the element that goes into the hole.
func displaced(p *help) Pair {
	if isMove(p) {
		return p.pair
	}
	return Pair{p.plan.K, p.expect.V}
}

// roomEnded: an own operation that made room is over. From the beginning; or the next place is
// tried. A member in the home that found no hole is looked at once more: it may take the place of its base.
func (m *Machine) roomEnded(s *State, t int, l local) moves {
	full := l.p.t.St == Full
	switch {
	case l.p.t.St == Committed:
		return m.anew(s, t, l)
	case !m.scans(&l) && full && l.p.head.Kind == KindMove:
		l.u = work{h: l.p.head.H, home: l.p.head.Home, c: l.p.source.C}
		l.p, l.spare = help{}, spare{}
		return goTo(l, RoomCell)
	case !m.scans(&l):
		if full {
			l.tried |= 1 << l.half
		}
		return m.again(s, t, l)
	}
	l.p = help{}
	if full {
		return m.nextRoom(l, m.op(s, t).K)
	}
	return m.lookForRoom(l, m.op(s, t).K)
}

// ended: the operation is over, or it was never there any more; the owner looks at what became of
// it, a helper goes back to its own work.
func (m *Machine) ended(s *State, t int, l local) moves {
	switch {
	case m.discardsOwn(s, t) && l.p.t.St == Committed:
		return finish(l, Discarded, l.tk.w.V)
	case int(l.p.r.D) != t || m.op(s, t).Op != OpAdd:
		return m.again(s, t, l)
	case l.p.head.Kind.makesRoom():
		return m.roomEnded(s, t, l)
	case l.p.t.St == Committed:
		return finish(l, Added, 0)
	case l.p.t.St == Full:
		l.tried |= 1 << l.half
	}
	return m.again(s, t, l)
}

// discardsOwn: the operation is the actor's own, of a conditional delete.
func (m *Machine) discardsOwn(s *State, t int) bool {
	return int(s.loc[t-1].p.r.D) == t && m.op(s, t).Op == OpDiscard
}

// decide goes on to the decision, by way of the other half.
func (m *Machine) decide(l local) moves {
	if m.has(FixOtherHalf) {
		return one(startSearch(l, modeLook, l.p.pair.K, 1-l.p.head.H))
	}
	return goTo(l, HelpCommit)
}

// probing looks for a hole. A member moves only away from its base: else two adders whose homes are
// its place and the hole could move it to and fro for ever.
func (m *Machine) probing(l local) moves {
	first := uint8(1)
	if isMove(&l.p) && m.has(FixMoveAway) {
		first = l.p.source.C + 1
	}
	if first >= m.w {
		return m.afterProbe(l)
	}
	l.p.i = first
	return goTo(l, HelpProbe)
}

func (m *Machine) committed(l local) moves {
	switch kind := l.p.head.Kind; {
	case kind == KindNew && m.has(FixValueFirst):
		return goTo(l, HelpWriteValue)
	case kind == KindNew:
		return goTo(l, HelpPublishNew)
	case kind == KindAdd || kind == KindMove:
		if l.p.t.C == 0 {
			return m.probing(l)
		}
		return goTo(l, HelpReserve)
	case kind == KindReplace || kind == KindLift || kind == KindClear && l.p.plan.K != Lost:
		return goTo(l, HelpFlip)
	}
	return goTo(l, HelpUnfreeze)
}

// dispatch is where progress tg of the operation leads to.
func (m *Machine) dispatch(l local, tg Target) moves {
	l.p.t = tg
	isNew := l.p.head.Kind == KindNew
	switch {
	case tg.St == Undecided && isNew:
		return m.decide(l)
	case tg.St == Undecided:
		return goTo(l, HelpFreeze)
	case tg.St == Committed:
		return m.committed(l)
	case isNew:
		return goTo(l, HelpClearVersion)
	case m.has(FixFreezeFirst):
		return goTo(l, HelpFreeze)
	}
	return goTo(l, HelpThaw)
}

// afterFreeze: the base is frozen, or can never be frozen again by this operation.
func (m *Machine) afterFreeze(l local) moves {
	kind, undecided := l.p.head.Kind, l.p.t.St == Undecided
	switch {
	case kind.ofMember() && !undecided && m.has(FixStillMarked):
		return goTo(l, HelpStillMarked)
	case kind.ofMember() && !undecided:
		return goTo(l, HelpThawMember)
	case kind.ofMember() && m.has(FixMark):
		return goTo(l, HelpMark)
	case kind.ofMember():
		return goTo(l, HelpFreezeMember)
	case !undecided:
		return goTo(l, HelpThaw)
	case kind == KindAdd:
		return m.probing(l)
	case kind == KindReplace:
		return m.decide(l)
	}
	return goTo(l, HelpCommit)
}

// afterMember: the member is frozen, too.
func (m *Machine) afterMember(l local) moves {
	if isMove(&l.p) {
		return m.probing(l)
	}
	return goTo(l, HelpCommit)
}

func (m *Machine) afterProbe(l local) moves {
	switch {
	case l.p.t.St != Undecided:
		return goTo(l, HelpPropose)
	case isMove(&l.p):
		return goTo(l, HelpCommit)
	}
	return m.decide(l)
}

// afterPublish: the displaced element is in its hole.
func afterPublish(l local) moves {
	if isMove(&l.p) {
		return goTo(l, HelpUnfreeze)
	}
	return goTo(l, HelpFlip)
}

// swap0 and swap1 are compare-and-swaps on a cell; they report whether they changed it.
func swap0(next *State, a addr, old, to Word0) bool {
	if next.w0[a.h][a.c] != old {
		return false
	}
	next.w0[a.h][a.c] = to
	return true
}

func swap1(next *State, a addr, old, to Word1) bool {
	if next.w1[a.h][a.c] != old {
		return false
	}
	next.w1[a.h][a.c] = to
	return true
}

func (m *Machine) swapTarget(s, next *State, t int, to Target) moves {
	l := s.loc[t-1]
	won := helped(s, &l).Target == l.p.t
	l.p.hole = hole{}
	l.p.i = 0
	if !won {
		return goTo(l, HelpTarget)
	}
	helped(next, &l).Target = to
	return m.dispatch(l, to)
}
