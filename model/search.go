package model

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
	l.s = search{}
	l.view = [Halves]view{}
	l.p = help{r: r}
	return l
}

// meetDescriptor is what an add does that cannot go on because of operation r.
func (m *Machine) meetDescriptor(l local, r Ref) local {
	if m.has(FixHelp) {
		return startHelp(l, r)
	}
	l.view = [Halves]view{}
	return startSearch(l, modeAdd, l.s.k, 0)
}

// finish lets the result wait in p.t until the client takes it.
func finish(l local, st Status, value uint8) moves {
	l.pc = ClientReturn
	l.s = search{}
	l.view = [Halves]view{}
	l.half = noHalf
	l.tried = 0
	l.p = help{t: Target{St: st, C: value}}
	return one(l)
}

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
	return int(m.w)
}

// plan chooses a half, once for the operation: the one with fewer elements, either one on a tie.
// Both halves have been searched and the key is absent.
func (m *Machine) plan(l local) moves {
	usable := func(h uint8) bool {
		return h < Halves && l.tried>>h&1 == 0 && l.view[h].b.F != Member
	}
	if !usable(0) && !usable(1) {
		return finish(l, Full, 0)
	}
	var set moves
	for h := uint8(0); h < Halves; h++ {
		other := 1 - h
		switch {
		case !usable(h):
			continue
		case usable(l.half) && l.half != h:
			continue
		case !usable(l.half) && usable(other) &&
			m.load(l.view[h].b) > m.load(l.view[other].b):
			continue
		}
		set.at[set.n] = m.goWith(l, h)
		set.n++
	}
	return set
}

// goWith starts to fill the descriptor for half h, or meets the one that is there.
func (m *Machine) goWith(l local, h uint8) local {
	l.half = h
	if l.view[h].b.is(Empty, Base) {
		l.s = search{}
		l.pc = AddFillHead
		return l
	}
	return m.meetDescriptor(l, l.view[h].b.R)
}

// absent is where a search goes on that has proven the key's absence in its half.
func (m *Machine) absent(l local) moves {
	switch l.s.mode {
	case modeGet:
		if l.s.h == 0 {
			return one(startSearch(l, modeGet, l.s.k, 1))
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

func found(l local, value uint8) moves {
	switch l.s.mode {
	case modeGet:
		return finish(l, Found, value)
	case modeAdd:
		return finish(l, Exists, 0)
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

func nextMember(l local) moves {
	l.s.left &= l.s.left - 1
	if l.s.left == 0 {
		return goTo(l, SearchBaseAgain)
	}
	return one(l)
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
	if a.F == Claimed && l.s.mode == modeGet {
		next.marks |= markAddEmptyGet
		return m.absent(l)
	}
	switch {
	case a.is(Empty, Member):
		return m.absent(l)
	case a.held():
		l.s.r = a.R
		return goTo(l, SearchHead)
	case a.K == l.s.k:
		return goTo(l, SearchVersionAgain)
	}
	return m.members(l, a.M)
}

func (m *Machine) searchHead(s, _ *State, t int) moves {
	l := s.loc[t-1]
	x := s.desc[l.s.r.D-1].Head
	if x.Gen != l.s.r.G {
		return restart(l)
	}
	l.s.head = x
	return goTo(l, SearchPair)
}

func (m *Machine) searchPair(s, _ *State, t int) moves {
	l := s.loc[t-1]
	l.s.pair = s.desc[l.s.r.D-1].Pair
	if l.s.b.F == Claimed {
		return goTo(l, SearchTarget)
	}
	return goTo(l, SearchPlan)
}

func (m *Machine) searchPlan(s, _ *State, t int) moves {
	l := s.loc[t-1]
	l.s.plan = s.desc[l.s.r.D-1].Plan
	return goTo(l, SearchTarget)
}

func (m *Machine) searchTarget(s, _ *State, t int) moves {
	l := s.loc[t-1]
	l.s.t = s.desc[l.s.r.D-1].Target
	return goTo(l, SearchHeadAgain)
}

func (m *Machine) searchHeadAgain(s, _ *State, t int) moves {
	l := s.loc[t-1]
	x := &l.s
	announced := x.mode != modeGet && x.pair.K == x.k &&
		(x.t.St == Undecided || x.t.St == Committed)
	here := x.head.H == x.h && x.head.Home == m.cfg.Home[x.h][x.k]
	switch {
	case s.desc[x.r.D-1].Head != x.head:
		return restart(l)
	case x.b.F == Claimed && here && announced:
		return m.pending(l, x.r, x.t.St)
	case x.b.F == Claimed:
		return m.absent(l)
	case x.b.K == x.k:
		return goTo(l, SearchVersionAgain)
	case announced:
		return m.pending(l, x.r, x.t.St)
	}
	set := x.plan.M
	if m.has(FixStashedMember) && x.t.C != 0 {
		set = set.With(x.t.C)
	}
	return m.members(l, set)
}

// searchVersionAgain validates a match at the base: the version says whether the pair belongs
// together; a frozen value belongs to the old key, the new one's is in the descriptor.
func (m *Machine) searchVersionAgain(s, _ *State, t int) moves {
	l := s.loc[t-1]
	x := &l.s
	a := m.searchHome(&l)
	announcesIt := x.b.F == InWork && x.pair.K == x.k
	switch {
	case m.has(FixVersionCheck) && s.w1[a.h][a.c] != x.v:
		return restart(l)
	case m.has(FixVersionCheck) && x.v.Z == 1 && x.b.F == Base:
		return restart(l)
	case m.has(FixFrozenValue) && x.v.Z == 1 && announcesIt:
		return found(l, x.pair.V)
	}
	return found(l, x.v.V)
}

func (m *Machine) searchMember(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := m.searchMemberCell(&l)
	r := s.w0[a.h][a.c]
	if r.F == Member && r.K == l.s.k && r.P == l.s.left.least() {
		l.s.mw = r
		return goTo(l, SearchMemberValue)
	}
	return nextMember(l)
}

func (m *Machine) searchMemberValue(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := m.searchMemberCell(&l)
	l.s.mv = s.w1[a.h][a.c]
	return goTo(l, SearchMemberAgain)
}

func (m *Machine) searchMemberAgain(s, next *State, t int) moves {
	l := s.loc[t-1]
	a := m.searchMemberCell(&l)
	if s.w0[a.h][a.c] != l.s.mw {
		return restart(l)
	}
	if l.s.mode == modeGet && l.s.b.F == InWork && l.s.plan.K == l.s.k {
		next.marks |= markAddCollisionGet
	}
	return found(l, l.s.mv.V)
}

func (m *Machine) searchBaseAgain(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := m.searchHome(&l)
	if s.w0[a.h][a.c] != l.s.b {
		return restart(l)
	}
	return goTo(l, SearchVersionLast)
}

func (m *Machine) searchVersionLast(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := m.searchHome(&l)
	if s.w1[a.h][a.c].N != l.s.v.N {
		return restart(l)
	}
	return m.absent(l)
}
