package model

// Finishing an installed operation, by its owner and by whoever meets its reference (Help.tla).

func (m *Machine) helpHead(s, _ *State, t int) moves {
	l := s.loc[t-1]
	x := helped(s, &l).Head
	if x.Gen != l.p.r.G {
		return m.again(s, t, l)
	}
	l.p.head = x
	if x.Kind == KindClear {
		return goTo(l, HelpPlan)
	}
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
	if l.p.head.Kind.ofMember() {
		return goTo(l, HelpSource)
	}
	return goTo(l, HelpHeadAgain)
}

func (m *Machine) helpSource(s, _ *State, t int) moves {
	l := s.loc[t-1]
	l.p.source = helped(s, &l).Source
	return goTo(l, HelpHeadAgain)
}

func (m *Machine) helpHeadAgain(s, _ *State, t int) moves {
	l := s.loc[t-1]
	if helped(s, &l).Head != l.p.head {
		return m.again(s, t, l)
	}
	return goTo(l, HelpTarget)
}

func (m *Machine) helpTarget(s, _ *State, t int) moves {
	l := s.loc[t-1]
	tg := helped(s, &l).Target
	if tg.Gen != l.p.r.G {
		return m.again(s, t, l)
	}
	return m.dispatch(l, tg)
}

func (m *Machine) helpFreeze(s, next *State, t int) moves {
	l := s.loc[t-1]
	if swap1(next, helpHome(&l), l.p.expect, frozen(l.p.expect)) {
		return m.afterFreeze(l)
	}
	return goTo(l, HelpFreezeCheck)
}

func (m *Machine) helpFreezeCheck(s, next *State, t int) moves {
	l := s.loc[t-1]
	a := helpHome(&l)
	if s.w1[a.h][a.c] == frozen(l.p.expect) || l.p.t.St != Undecided {
		return m.afterFreeze(l)
	}
	next.mark(m.discardsOwn(s, t), markS27CompareDelete)
	return goTo(l, HelpAbort)
}

// helpMark: a delete cannot pass a mark, and a mark cannot pass a delete. Then the value is frozen:
// no copy is ever made of a value that can still change.
func (m *Machine) helpMark(s, next *State, t int) moves {
	l := s.loc[t-1]
	if swap0(next, m.sourceCell(&l), idleMember(&l.p), m.markedMember(&l.p)) {
		return goTo(l, HelpFreezeMember)
	}
	return goTo(l, HelpMarkCheck)
}

func (m *Machine) helpMarkCheck(s, next *State, t int) moves {
	l := s.loc[t-1]
	p := &l.p
	a := s.at0(m.sourceCell(&l))
	lost := a.F == Member && a.K == Lost && a.G == p.source.G && p.pair.K != Lost
	next.mark(lost && isMove(p), markS13UsurpDelete)
	next.mark(lost && p.head.Kind == KindLift, markS22DeleteBaseMembers)
	if *a == m.markedMember(p) {
		return goTo(l, HelpFreezeMember)
	}
	next.mark(m.discardsOwn(s, t), markS27CompareDelete)
	return goTo(l, HelpAbort)
}

func (m *Machine) helpFreezeMember(s, next *State, t int) moves {
	l := s.loc[t-1]
	e := sourceValue(&l.p)
	if swap1(next, m.sourceCell(&l), e, frozen(e)) {
		return m.afterMember(l)
	}
	return goTo(l, HelpFreezeMemberCheck)
}

func (m *Machine) helpFreezeMemberCheck(s, next *State, t int) moves {
	l := s.loc[t-1]
	if *s.at1(m.sourceCell(&l)) == frozen(sourceValue(&l.p)) {
		return m.afterMember(l)
	}
	next.mark(m.discardsOwn(s, t), markS27CompareDelete)
	return goTo(l, HelpAbort)
}

// helpProbe looks for the lowest empty cell of the window, above the base or the member that moves.
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
	switch kind := l.p.head.Kind; {
	case kind != KindAdd && kind != KindMove:
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
	swap1(next, helpHome(&l), l.p.expect, m.bumped(l.p.expect, l.p.pair.V))
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
		next.marks |= markS01AddEmpty
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
	case m.member(displaced(&l.p).K, l.p.t.C, m.nextVersion(l.p.t.G)):
		return afterPublish(l)
	}
	if isMove(&l.p) {
		return goTo(l, HelpStillFrozen)
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

// helpStillFrozen is the same for a move, which flips by thawing.
func (m *Machine) helpStillFrozen(s, _ *State, t int) moves {
	l := s.loc[t-1]
	if *s.at1(helpHome(&l)) == frozen(l.p.expect) {
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
	return m.again(s, t, l)
}

func (m *Machine) helpWithdraw(s, next *State, t int) moves {
	return m.swapTarget(s, next, t, Target{Gen: s.loc[t-1].p.r.G, St: Committed})
}

func (m *Machine) helpCopyValue(s, next *State, t int) moves {
	l := s.loc[t-1]
	g := l.p.t.G
	swap1(next, m.helpCell(&l), Word1{N: g}, Word1{V: displaced(&l.p).V, N: m.nextVersion(g)})
	return goTo(l, HelpPublishMember)
}

func (m *Machine) helpPublishMember(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap0(next, m.helpCell(&l), claimed(l.p.r),
		m.member(displaced(&l.p).K, l.p.t.C, m.nextVersion(l.p.t.G)))
	return afterPublish(l)
}

// helpFlip is the linearization point of an add that displaces or replaces. A lift to a lost base changes
// nothing that can be seen. A live base leaves by a conditional delete, whose linearization point this is; if
// it is alone its key becomes lost, and then its cell empty.
func (m *Machine) helpFlip(s, next *State, t int) moves {
	l := s.loc[t-1]
	p, owner := &l.p, int(l.p.r.D)
	_, last := m.final(p)
	if swap0(next, helpHome(&l), inWork(p.plan.K, p.r), inWork(last, p.r)) {
		evicts := p.head.Kind == KindReplace && p.plan.K != Lost
		next.mark(p.head.Kind == KindAdd, markS02AddCollision)
		next.mark(evicts, markS03AddFull)
		switch {
		case evicts:
			m.effectFor(next, owner, p.plan.K)
		case p.head.Kind != KindLift || p.plan.K != Lost:
			m.effect(next, owner)
		}
	}
	return goTo(l, HelpUnfreeze)
}

// thawed is what word 1 of the base becomes.
func (m *Machine) thawed(p *help) Word1 {
	switch p.head.Kind {
	case KindAdd, KindReplace, KindLift:
		return m.bumped(p.expect, p.pair.V)
	case KindClear:
		return m.bumped(p.expect, 0)
	}
	return m.bumped(p.expect, p.expect.V)
}

// helpUnfreeze is the linearization point of an eviction, or a conditional delete, by a drop: the new version
// ends every reader's view of the bucket with that member.
func (m *Machine) helpUnfreeze(s, next *State, t int) moves {
	l := s.loc[t-1]
	p := &l.p
	if swap1(next, helpHome(&l), frozen(p.expect), m.thawed(p)) {
		room := s.loc[p.r.D-1].room
		leaves := p.head.Kind == KindDrop && p.pair.K != Lost
		evicts := leaves && s.busy[p.r.D-1].Op != OpDiscard
		switch {
		case evicts:
			m.becomes(next, p.pair.K, 0)
		case leaves:
			m.effect(next, int(p.r.D))
		}
		next.mark(evicts || isMove(p) && room >= 1 && room <= 2*m.reach, markS03AddFull)
		switch p.head.Kind {
		case KindReplace, KindLift, KindClear:
			m.free(next, p.expect.V)
		}
	}
	if p.head.Kind.ofMember() {
		return goTo(l, HelpClearMember)
	}
	return goTo(l, HelpFinish)
}

func (m *Machine) helpClearMember(s, next *State, t int) moves {
	l := s.loc[t-1]
	e := sourceValue(&l.p)
	if swap1(next, m.sourceCell(&l), frozen(e), m.bumped(e, 0)) && l.p.head.Kind == KindDrop {
		m.free(next, e.V)
	}
	return goTo(l, HelpEmptyMember)
}

func (m *Machine) helpEmptyMember(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap0(next, m.sourceCell(&l), m.markedMember(&l.p), empty(m.nextVersion(l.p.source.N)))
	return goTo(l, HelpFinish)
}

// final is what word 0 of the base becomes, and lastKey the key that it has until then.
func (m *Machine) final(p *help) (word Word0, lastKey uint8) {
	rest := p.plan.M.Without(p.source.C)
	switch p.head.Kind {
	case KindAdd:
		return base(p.pair.K, p.plan.M.With(p.t.C)), p.pair.K
	case KindReplace:
		return base(p.pair.K, p.plan.M), p.pair.K
	case KindLift:
		return base(p.pair.K, rest), p.pair.K
	case KindMove:
		return base(p.plan.K, rest.With(p.t.C)), p.plan.K
	case KindDrop:
		return base(p.plan.K, rest), p.plan.K
	}
	return empty(m.nextVersion(p.expect.N)), Lost
}

func (m *Machine) helpFinish(s, next *State, t int) moves {
	l := s.loc[t-1]
	word, lastKey := m.final(&l.p)
	if swap0(next, helpHome(&l), inWork(lastKey, l.p.r), word) && l.p.head.Kind == KindClear {
		for u := 0; u < m.actors; u++ {
			next.mark(u != int(l.p.r.D)-1 && s.busy[u].Op != OpIdle, markS21DeleteBase)
		}
	}
	return m.ended(s, t, l)
}

// helpStillMarked begins the way back of an aborted or full operation. A member that is given back
// has a new generation, so that no helper can mark it again. One that was never marked is not
// touched: its frozen word may belong to the next operation on it.
func (m *Machine) helpStillMarked(s, _ *State, t int) moves {
	l := s.loc[t-1]
	if *s.at0(m.sourceCell(&l)) == m.markedMember(&l.p) {
		return goTo(l, HelpThawMember)
	}
	return goTo(l, HelpThaw)
}

func (m *Machine) helpThawMember(s, next *State, t int) moves {
	l := s.loc[t-1]
	e := sourceValue(&l.p)
	swap1(next, m.sourceCell(&l), frozen(e), m.bumped(e, e.V))
	return goTo(l, HelpUnmark)
}

func (m *Machine) helpUnmark(s, next *State, t int) moves {
	l := s.loc[t-1]
	p := &l.p
	swap0(next, m.sourceCell(&l), marked(p.pair.K, p.r),
		m.member(p.pair.K, p.source.C, m.nextVersion(p.source.N)))
	return goTo(l, HelpThaw)
}

func (m *Machine) helpThaw(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap1(next, helpHome(&l), frozen(l.p.expect), m.bumped(l.p.expect, l.p.expect.V))
	return goTo(l, HelpRelease)
}

func (m *Machine) helpRelease(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap0(next, helpHome(&l), inWork(l.p.plan.K, l.p.r), base(l.p.plan.K, l.p.plan.M))
	return m.ended(s, t, l)
}

func (m *Machine) helpClearVersion(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap1(next, helpHome(&l), l.p.expect, m.bumped(l.p.expect, 0))
	return goTo(l, HelpReopen)
}

func (m *Machine) helpReopen(s, next *State, t int) moves {
	l := s.loc[t-1]
	swap0(next, helpHome(&l), claimed(l.p.r), empty(m.nextVersion(l.p.expect.N)))
	return m.ended(s, t, l)
}
