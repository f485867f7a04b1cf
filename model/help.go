package model

// Finishing an installed operation, by its owner and by whoever meets its reference (Help.tla).

func helpHome(l *local) addr { return addr{l.p.head.H, l.p.head.Home} }

func (m *Machine) helpCell(l *local) addr { return m.at(l.p.head.H, l.p.head.Home, l.p.t.C) }

// helped is the descriptor that the local state l works on.
func helped(s *State, l *local) *Desc { return &s.desc[l.p.r.D-1] }

// ended: the operation is over; the owner looks at what became of it, a helper goes back to its
// own search.
func (m *Machine) ended(s *State, t int, l local) moves {
	again := l
	again.p = help{}
	again = startSearch(again, modeAdd, m.op(s, t).K, 0)
	switch {
	case int(l.p.r.D) != t:
		return one(again)
	case l.p.t.St == Committed:
		return finish(l, Added, 0)
	case l.p.t.St == Full:
		again.tried |= 1 << l.half
	}
	return one(again)
}

// gone: the operation was never there any more.
func (m *Machine) gone(s *State, t int, l local) moves {
	l.p = help{}
	return one(startSearch(l, modeAdd, m.op(s, t).K, 0))
}

// otherHalf goes on to the decision, by way of the other half.
func (m *Machine) otherHalf(l local) local {
	if m.has(FixOtherHalf) {
		return startSearch(l, modeLook, l.p.pair.K, 1-l.p.head.H)
	}
	l.pc = HelpCommit
	return l
}

// dispatch is where progress tg of the operation leads to.
func (m *Machine) dispatch(l local, tg Target) moves {
	l.p.t = tg
	isNew := l.p.head.Kind == KindNew
	switch {
	case tg.St == Undecided && l.p.head.Kind == KindAdd:
		return goTo(l, HelpFreeze)
	case tg.St == Undecided:
		return one(m.otherHalf(l))
	case tg.St == Committed && isNew && m.has(FixValueFirst):
		return goTo(l, HelpWriteValue)
	case tg.St == Committed && isNew:
		return goTo(l, HelpPublishNew)
	case tg.St == Committed && tg.C == 0:
		l.p.i = 1
		return goTo(l, HelpProbe)
	case tg.St == Committed:
		return goTo(l, HelpReserve)
	case isNew:
		return goTo(l, HelpClearVersion)
	case m.has(FixFreezeFirst):
		return goTo(l, HelpFreeze)
	}
	return goTo(l, HelpThaw)
}

// afterFreeze: the base is frozen, or can never be frozen again by this operation.
func afterFreeze(l local) moves {
	if l.p.t.St != Undecided {
		return goTo(l, HelpThaw)
	}
	l.p.i = 1
	return goTo(l, HelpProbe)
}

func (m *Machine) afterProbe(l local) moves {
	if l.p.t.St != Undecided {
		return goTo(l, HelpPropose)
	}
	return one(m.otherHalf(l))
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

func (m *Machine) helpHead(s, _ *State, t int) moves {
	l := s.loc[t-1]
	x := helped(s, &l).Head
	if x.Gen != l.p.r.G {
		return m.gone(s, t, l)
	}
	l.p.head = x
	return goTo(l, HelpPair)
}

func (m *Machine) helpPair(s, _ *State, t int) moves {
	l := s.loc[t-1]
	l.p.pair = helped(s, &l).Pair
	if l.p.head.Kind == KindNew {
		return goTo(l, HelpExpect)
	}
	return goTo(l, HelpPlan)
}

func (m *Machine) helpPlan(s, _ *State, t int) moves {
	l := s.loc[t-1]
	l.p.plan = helped(s, &l).Plan
	return goTo(l, HelpExpect)
}

func (m *Machine) helpExpect(s, _ *State, t int) moves {
	l := s.loc[t-1]
	l.p.expect = helped(s, &l).Expect
	return goTo(l, HelpHeadAgain)
}

func (m *Machine) helpHeadAgain(s, _ *State, t int) moves {
	l := s.loc[t-1]
	if helped(s, &l).Head != l.p.head {
		return m.gone(s, t, l)
	}
	return goTo(l, HelpTarget)
}

func (m *Machine) helpTarget(s, _ *State, t int) moves {
	l := s.loc[t-1]
	tg := helped(s, &l).Target
	if tg.Gen != l.p.r.G {
		return m.gone(s, t, l)
	}
	return m.dispatch(l, tg)
}

func (m *Machine) helpFreeze(s, next *State, t int) moves {
	l := s.loc[t-1]
	if swap1(next, helpHome(&l), l.p.expect, frozen(l.p.expect)) {
		return afterFreeze(l)
	}
	return goTo(l, HelpFreezeCheck)
}

func (m *Machine) helpFreezeCheck(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := helpHome(&l)
	if s.w1[a.h][a.c] == frozen(l.p.expect) || l.p.t.St != Undecided {
		return afterFreeze(l)
	}
	return goTo(l, HelpAbort)
}

// helpProbe looks for the lowest empty cell of the window above the base.
func (m *Machine) helpProbe(s, _ *State, t int) moves {
	l := s.loc[t-1]
	at := m.at(l.p.head.H, l.p.head.Home, l.p.i)
	a := s.w0[at.h][at.c]
	switch {
	case a.F == Empty:
		l.p.hole = hole{l.p.i, a.G}
	case l.p.i+1 < m.w:
		l.p.i++
		return one(l)
	}
	l.p.i = 0
	return m.afterProbe(l)
}

func chosen(l *local) Target {
	switch {
	case l.p.head.Kind == KindNew:
		return Target{Gen: l.p.r.G, St: Committed}
	case l.p.hole == hole{}:
		return Target{Gen: l.p.r.G, St: Full}
	}
	return Target{Gen: l.p.r.G, St: Committed, C: l.p.hole.c, G: l.p.hole.g}
}

func (m *Machine) helpAbort(s, next *State, t int) moves {
	return m.swapTarget(s, next, t, Target{Gen: s.loc[t-1].p.r.G, St: Aborted})
}

// helpAbortOther: the key is also being added in half 1, and nobody has decided: half 0 wins.
// Then the own target is read again: a helper that is late would abort the other one for ever.
func (m *Machine) helpAbortOther(s, next *State, t int) moves {
	l := s.loc[t-1]
	if d := &next.desc[l.s.r.D-1]; d.Target == l.s.t {
		d.Target = Target{Gen: l.s.r.G, St: Aborted}
	}
	l.s = search{}
	l.p.hole = hole{}
	return goTo(l, HelpTarget)
}

func (m *Machine) helpCommit(s, next *State, t int) moves {
	return m.swapTarget(s, next, t, chosen(&s.loc[t-1]))
}

// helpPropose: a reserved hole was lost to somebody else, another one was looked for.
func (m *Machine) helpPropose(s, next *State, t int) moves {
	return m.swapTarget(s, next, t, chosen(&s.loc[t-1]))
}

func (m *Machine) helpWriteValue(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap1(next, helpHome(&l), l.p.expect, bumped(l.p.expect, l.p.pair.V))
	if m.has(FixValueFirst) {
		return goTo(l, HelpPublishNew)
	}
	return m.ended(s, t, l)
}

// helpPublishNew is the linearization point of an add to an empty cell.
func (m *Machine) helpPublishNew(s, next *State, t int) moves {
	l := s.loc[t-1]
	if swap0(next, helpHome(&l), claimed(l.p.r), base(l.p.pair.K, 0)) {
		m.effect(next, int(l.p.r.D))
		next.marks |= markAddEmpty
	}
	if m.has(FixValueFirst) {
		return m.ended(s, t, l)
	}
	return goTo(l, HelpWriteValue)
}

func (m *Machine) helpReserve(s, next *State, t int) moves {
	l := s.loc[t-1]
	if swap0(next, m.helpCell(&l), empty(l.p.t.G), claimed(l.p.r)) {
		return goTo(l, HelpCopyValue)
	}
	return goTo(l, HelpReserveCheck)
}

func (m *Machine) helpReserveCheck(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := m.helpCell(&l)
	switch s.w0[a.h][a.c] {
	case claimed(l.p.r):
		return goTo(l, HelpCopyValue)
	case member(l.p.plan.K, l.p.t.C, grow(l.p.t.G)):
		return goTo(l, HelpFlip)
	}
	return goTo(l, HelpStillHeld)
}

// helpStillHeld: only an operation that still holds its base unflipped may look for another hole.
func (m *Machine) helpStillHeld(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := helpHome(&l)
	if s.w0[a.h][a.c] == inWork(l.p.plan.K, l.p.r) {
		return goTo(l, HelpWithdraw)
	}
	return goTo(l, HelpTargetAgain)
}

func (m *Machine) helpTargetAgain(s, _ *State, t int) moves {
	l := s.loc[t-1]
	tg := helped(s, &l).Target
	switch {
	case tg == l.p.t:
		return goTo(l, HelpUnfreeze)
	case tg.Gen == l.p.r.G:
		return m.dispatch(l, tg)
	}
	return m.gone(s, t, l)
}

func (m *Machine) helpWithdraw(s, next *State, t int) moves {
	return m.swapTarget(s, next, t, Target{Gen: s.loc[t-1].p.r.G, St: Committed})
}

func (m *Machine) helpCopyValue(s, next *State, t int) moves {
	l := s.loc[t-1]
	g := l.p.t.G
	swap1(next, m.helpCell(&l), Word1{N: g}, Word1{V: l.p.expect.V, N: grow(g)})
	return goTo(l, HelpPublishMember)
}

func (m *Machine) helpPublishMember(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap0(next, m.helpCell(&l), claimed(l.p.r), member(l.p.plan.K, l.p.t.C, grow(l.p.t.G)))
	return goTo(l, HelpFlip)
}

// helpFlip is the linearization point of an add that displaces.
func (m *Machine) helpFlip(s, next *State, t int) moves {
	l := s.loc[t-1]
	if swap0(next, helpHome(&l), inWork(l.p.plan.K, l.p.r), inWork(l.p.pair.K, l.p.r)) {
		m.effect(next, int(l.p.r.D))
		next.marks |= markAddCollision
	}
	return goTo(l, HelpUnfreeze)
}

func (m *Machine) helpUnfreeze(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap1(next, helpHome(&l), frozen(l.p.expect), bumped(l.p.expect, l.p.pair.V))
	return goTo(l, HelpFinish)
}

func (m *Machine) helpFinish(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap0(next, helpHome(&l), inWork(l.p.pair.K, l.p.r),
		base(l.p.pair.K, l.p.plan.M.With(l.p.t.C)))
	return m.ended(s, t, l)
}

func (m *Machine) helpThaw(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap1(next, helpHome(&l), frozen(l.p.expect), bumped(l.p.expect, l.p.expect.V))
	return goTo(l, HelpRelease)
}

func (m *Machine) helpRelease(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap0(next, helpHome(&l), inWork(l.p.plan.K, l.p.r), base(l.p.plan.K, l.p.plan.M))
	return m.ended(s, t, l)
}

func (m *Machine) helpClearVersion(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap1(next, helpHome(&l), l.p.expect, bumped(l.p.expect, 0))
	return goTo(l, HelpReopen)
}

func (m *Machine) helpReopen(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap0(next, helpHome(&l), claimed(l.p.r), empty(grow(l.p.expect.N)))
	return m.ended(s, t, l)
}
