package model

import "slices"

// Reading: one half is searched for one key, without a store (Search.tla).

func startSearch(l local, md mode, k, h uint8) local {
	l.pc = SearchVersion
	l.s = search{mode: md, k: k, h: h}
	return l
}

func restart(l local) moves { return one(startSearch(l, l.s.mode, l.s.k, l.s.h)) }

func goTo(l local, pc ActionID) moves {
	l.pc = pc
	return one(l)
}

func startHelp(l local, r Ref) local {
	l.pc = HelpHead
	l.half = halfAfterHelp(l)
	l.s = search{}
	l.u = work{}
	l.view = [Halves]view{}
	l.p = help{r: r}
	return l
}

// meetDescriptor is what somebody does who cannot go on because of operation r.
func (m *Machine) meetDescriptor(l local, r Ref) local {
	if m.has(FixHelp) {
		return startHelp(l, r)
	}
	l.view = [Halves]view{}
	l.half = halfAfterHelp(l)
	return startSearch(l, l.s.mode, l.s.k, 0)
}

// finish lets the result wait in p.t until the client takes it.
func finish(l local, st Status, value uint8) moves {
	return one(local{pc: ClientReturn, i: l.i, half: noHalf,
		p: help{t: Target{St: st, C: value}}, tk: l.tk})
}

// absent is where a search goes on that has proven the key's absence in its half.
func (m *Machine) absent(l local) moves {
	switch l.s.mode {
	case modeGet, modeLookup, modeUpdate, modeDelete:
		if l.s.h == firstHalf(l) {
			return one(startSearch(l, l.s.mode, l.s.k, 1-l.s.h))
		}
		return finish(l, Absent, 0)
	case modeAdd:
		l.view[l.s.h] = view{l.s.b, l.s.v}
		if l.s.h == 0 {
			return one(startSearch(l, modeAdd, l.s.k, 1))
		}
		return m.plan(l)
	}
	l.s = search{}
	return goTo(l, HelpCommit)
}

func (m *Machine) found(l local, value uint8) moves {
	switch l.s.mode {
	case modeGet:
		return finish(l, Found, value)
	case modeAdd:
		return finish(l, Exists, 0)
	case modeLookup:
		a, _, w := m.matched(&l)
		l.tk = ticket{a, w}
		return finish(l, Found, value)
	case modeUpdate:
		return goTo(l, UpdateSwap)
	case modeDelete:
		return goTo(l, DeleteSwap)
	}
	l.s = search{}
	return goTo(l, HelpAbort)
}

// pending: another descriptor announces the very key. Of two undecided adds the one in half 0
// wins.
func (m *Machine) pending(l local, r Ref, st Status) moves {
	switch {
	case l.s.mode == modeAdd:
		return one(m.meetDescriptor(l, r))
	case st == Undecided && l.p.head.H == 0:
		return goTo(l, HelpAbortOther)
	}
	l.s = search{}
	return goTo(l, HelpAbort)
}

// members starts on the bucket's members; a bucket of one element is proven by the single read
// of its base.
func (m *Machine) members(l local, set Offsets) moves {
	if set == 0 {
		return m.absent(l)
	}
	l.s.left = set
	return goTo(l, SearchMember)
}

// orTurned: a get, lookup or update that looks into half 0 first may begin again with half 1 when the base or
// a member is not its element. A look at the nearest member there says that the element is probably in half
// 1; nothing else depends on this look. It does so once: half 1 is the first one from then on.
func (on moves) orTurned(l local) moves {
	if eitherFirst(l.s.mode) && l.s.h == 0 && firstHalf(l) == 0 {
		l.half = 1
		on.at[on.n] = startSearch(l, l.s.mode, l.s.k, 1)
		on.n++
	}
	return on
}

func nextMember(l local) moves {
	next := l
	next.s.left &= l.s.left - 1
	if next.s.left == 0 {
		next.pc = SearchVersionLast
	}
	return one(next).orTurned(l)
}

// busyWith: somebody else is busy with one of the operations.
func (m *Machine) busyWith(s *State, t int, ops ...OpKind) bool {
	for u := 0; u < m.actors; u++ {
		if u != t-1 && slices.Contains(ops, s.busy[u].Op) {
			return true
		}
	}
	return false
}

func (m *Machine) searchHome(l *local) addr { return m.home(l.s.h, l.s.k) }

func (m *Machine) searchMemberCell(l *local) addr {
	return m.at(l.s.h, m.cfg.Home[l.s.h][l.s.k], l.s.left.least())
}

func (m *Machine) searchVersion(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := m.searchHome(&l)
	l.s.v = s.w1[a.h][a.c]
	return goTo(l, SearchBase)
}

func (m *Machine) searchBase(s, next *State, t int) moves {
	l := s.loc[t-1]
	at := m.searchHome(&l)
	a := s.w0[at.h][at.c]
	l.s.b = a
	next.mark(a.F == Claimed && l.s.mode == modeGet, markS05AddEmptyGet)
	next.mark(a.F == Base && l.s.mode == modeGet && m.busyWith(s, t, OpGet), markS15GetMany)
	switch {
	case a.F == Empty, a.is(Member, Marked):
		return m.absent(l).orTurned(l)
	case a.F == Claimed && l.s.mode != modeAdd && l.s.mode != modeLook:
		return m.absent(l).orTurned(l)
	case a.is(Claimed, InWork):
		l.s.r = a.R
		return goTo(l, SearchHead).orTurned(l)
	case a.K == l.s.k && l.s.mode == modeDelete:
		return m.found(l, 0)
	case a.K == l.s.k:
		return goTo(l, SearchVersionAgain)
	}
	return m.members(l, a.M).orTurned(l)
}

// searchVersionAgain validates a match at the base. The version says whether key and value belong together.
// A frozen value belongs to the old key; the value of the new key is in the descriptor, if the operation
// brings one. (A move that will be given up may concern a member that had the key of the base at an earlier
// time.) A writer helps to thaw it.
func (m *Machine) searchVersionAgain(s, next *State, t int) moves {
	l := s.loc[t-1]
	x := &l.s
	a := m.searchHome(&l)
	isNew := x.b.F == InWork && x.pair.K == x.k &&
		(x.head.Kind.bringsKey() || !m.has(FixNewKey))
	fixed := m.has(FixVersionCheck) && s.w1[a.h][a.c] != x.v
	next.mark(!fixed && x.v.Z == 1 && x.mode == modeUpdate && x.head.Kind == KindAdd,
		markS07AddCollisionUpdate)
	next.mark(fixed && x.mode == modeGet && m.busyWith(s, t, OpUpdate), markS18GetUpdate)
	switch {
	case fixed:
		return restart(l)
	case m.has(FixVersionCheck) && x.v.Z == 1 && x.b.F == Base:
		return restart(l)
	case x.v.Z == 1 && (x.mode == modeUpdate || x.mode == modeLookup):
		return one(m.meetDescriptor(l, x.r))
	case m.has(FixFrozenValue) && x.v.Z == 1 && isNew:
		return m.found(l, x.pair.V)
	}
	return m.found(l, x.v.V)
}

// searchMember: a marked member is about to be moved or taken out by an operation on this very
// bucket. A reader may use it, if the version of the base says afterwards that it was still there; a
// writer helps.
func (m *Machine) searchMember(s, next *State, t int) moves {
	l := s.loc[t-1]
	a := m.searchMemberCell(&l)
	r := s.w0[a.h][a.c]
	if !r.is(Member, Marked) || r.K != l.s.k {
		return nextMember(l)
	}
	if l.s.mode.writes() && r.F == Marked {
		next.mark(l.s.mode == modeUpdate, markS12UsurpUpdate)
		return one(m.meetDescriptor(l, r.R))
	}
	l.s.mw = r
	switch {
	case l.s.mode != modeDelete:
		return goTo(l, SearchMemberValue)
	case m.has(FixMemberBase):
		return goTo(l, SearchVersionLast)
	}
	return m.found(l, 0)
}

func (m *Machine) searchMemberValue(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := m.searchMemberCell(&l)
	l.s.mv = s.w1[a.h][a.c]
	return goTo(l, SearchMemberAgain)
}

func (m *Machine) searchMemberAgain(s, next *State, t int) moves {
	l := s.loc[t-1]
	x := &l.s
	a := m.searchMemberCell(&l)
	if s.w0[a.h][a.c] != x.mw {
		return restart(l)
	}
	next.mark(x.mode == modeGet && x.head.Kind == KindAdd && x.plan.K == x.k,
		markS06AddCollisionGet)
	if x.mw.F == Marked || x.mode.writes() && m.has(FixMemberBase) {
		return goTo(l, SearchVersionLast)
	}
	return m.found(l, x.mv.V)
}

func (m *Machine) searchVersionLast(s, next *State, t int) moves {
	l := s.loc[t-1]
	x := &l.s
	a := m.searchHome(&l)
	if s.w1[a.h][a.c].N != x.v.N {
		return restart(l)
	}
	next.mark(x.mode == modeGet && x.mw.F == Marked && x.head.Kind == KindMove, markS11UsurpGet)
	if x.mw != (Word0{}) {
		return m.found(l, x.mv.V)
	}
	return m.absent(l)
}
