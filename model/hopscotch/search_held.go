package model

// Searching on behind a reference: the words of the descriptor say what the bucket holds while an
// operation has its base (Search.tla). S05 to S07, S11, S14, S16 to S18.

func (m *Machine) searchHead(s, _ *State, t int) moves {
	l := s.loc[t-1]
	x := s.desc[l.s.r.D-1].Head
	if x.Gen != l.s.r.G {
		return restart(l)
	}
	l.s.head = x
	return goTo(l, SearchPair)
}

// takes keeps a word of the descriptor, which the second time must be what it was.
func takes[T comparable](l *local, field *T, x T, pc ActionID) moves {
	if l.s.twice && x != *field {
		return restart(*l)
	}
	*field = x
	return goTo(*l, pc)
}

func (m *Machine) searchPair(s, _ *State, t int) moves {
	l := s.loc[t-1]
	pc := SearchPlan
	if l.s.b.F == Claimed {
		pc = SearchTarget
	}
	return takes(&l, &l.s.pair, s.desc[l.s.r.D-1].Pair, pc)
}

func (m *Machine) searchPlan(s, _ *State, t int) moves {
	l := s.loc[t-1]
	pc := SearchTarget
	if l.s.head.Kind == KindMove || l.s.head.Kind == KindDrop {
		pc = SearchExpect
	}
	return takes(&l, &l.s.plan, s.desc[l.s.r.D-1].Plan, pc)
}

func (m *Machine) searchExpect(s, _ *State, t int) moves {
	l := s.loc[t-1]
	return takes(&l, &l.s.expect, s.desc[l.s.r.D-1].Expect, SearchSource)
}

func (m *Machine) searchSource(s, _ *State, t int) moves {
	l := s.loc[t-1]
	return takes(&l, &l.s.source, s.desc[l.s.r.D-1].Source, SearchTarget)
}

func (m *Machine) searchTarget(s, _ *State, t int) moves {
	l := s.loc[t-1]
	return takes(&l, &l.s.t, s.desc[l.s.r.D-1].Target, SearchHeadAgain)
}

// oneOperation: the words are those of one operation on this very base, however often the generation
// has come round, if the version of the base does not move until the search has ended. For then nothing
// is thawed meanwhile: what is installed meanwhile, or frozen at the first look, stays.
func (x *search) oneOperation() bool { return x.v.Z == 1 || x.twice }

// searchBaseAgain is the look between the two readings of the words behind a base that is not frozen. If it
// still sees the first operation, the words read before belong to it. Otherwise it sees an operation that
// stays, and the words read after belong to that one. The two readings must be the same.
func (m *Machine) searchBaseAgain(s, _ *State, t int) moves {
	l := s.loc[t-1]
	a := m.searchHome(&l)
	if s.w0[a.h][a.c] != l.s.b {
		return restart(l)
	}
	l.s.twice = true
	return goTo(l, SearchPair)
}

func (m *Machine) searchHeadAgain(s, next *State, t int) moves {
	l := s.loc[t-1]
	x := &l.s
	kind := x.head.Kind
	if s.desc[x.r.D-1].Head != x.head {
		return restart(l)
	}
	announced := (x.mode == modeAdd || x.mode == modeLook) && x.pair.K == x.k &&
		(kind == KindNew || kind == KindAdd || kind == KindReplace) &&
		(x.t.St == Undecided || x.t.St == Committed)
	here := x.head.H == x.h && x.head.Home == m.cfg.Home[x.h][x.k]
	if x.b.F == InWork {
		next.mark(kind == KindMove && x.mode == modeDelete && x.b.K == x.k,
			markS14UsurpDeleteBase)
		next.mark(kind == KindDrop && x.mode == modeGet && x.pair.K == Lost,
			markS16GetDeleteMember)
		next.mark(kind == KindLift && x.mode == modeGet, markS17GetDeleteBase)
	}
	switch {
	case x.b.F == Claimed && here && announced:
		return m.pending(l, x.r, x.t.St)
	case x.b.F == Claimed:
		return m.absent(l)
	case x.b.K == x.k && x.mode == modeDelete:
		return one(m.meetDescriptor(l, x.r))
	case x.b.K == x.k:
		return goTo(l, SearchVersionAgain)
	case announced:
		return m.pending(l, x.r, x.t.St)
	}
	if !x.oneOperation() {
		return goTo(l, SearchBaseAgain)
	}
	set := m.offsetsSeen(x)
	if set == 0 && m.has(FixLastLook) {
		return goTo(l, SearchVersionLast)
	}
	return m.members(l, set)
}

// offsetsSeen are the offsets of the bucket whose base is in operation. The member that a move or a drop
// takes away counts until the base is thawed with a new version. The same holds for the reader's view of
// it, since the search ends with a look at the version, also when no member is left. If the reader's
// version differs from the operation's, it may be older, but not newer.
func (m *Machine) offsetsSeen(x *search) Offsets {
	set := x.plan.M
	switch {
	case x.head.Kind == KindAdd:
		if x.t.C != 0 && m.has(FixStashedMember) {
			set = set.With(x.t.C)
		}
	case x.head.Kind == KindMove || x.head.Kind == KindDrop:
		moved := x.t.St == Committed && x.v.N != x.expect.N
		if !moved && m.has(FixPhase) {
			break
		}
		if set = set.Without(x.source.C); x.t.C != 0 {
			set = set.With(x.t.C)
		}
	}
	return set
}
