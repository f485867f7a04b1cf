package model

// Adding, up to the installation of the operation (Add.tla).

func own(s *State, t int) Ref { return Ref{uint8(t), s.desc[t-1].Head.Gen} }

func (m *Machine) addHome(s *State, t int) addr { return m.home(s.loc[t-1].half, m.op(s, t).K) }

func addView(s *State, t int) view { return s.loc[t-1].view[s.loc[t-1].half] }

// addFillHead comes first: it ends the descriptor's last generation before any other word of it
// changes.
func (m *Machine) addFillHead(s, next *State, t int) moves {
	l := s.loc[t-1]
	kind := KindAdd
	if addView(s, t).b.F == Empty {
		kind = KindNew
	}
	next.desc[t-1].Head = Head{
		Gen: grow(s.desc[t-1].Head.Gen), Kind: kind, H: l.half, Home: m.addHome(s, t).c,
	}
	return goTo(l, AddFillPair)
}

func (m *Machine) addFillPair(s, next *State, t int) moves {
	x := m.op(s, t)
	next.desc[t-1].Pair = Pair{x.K, x.V}
	if addView(s, t).b.F == Empty {
		return goTo(s.loc[t-1], AddFillExpect)
	}
	return goTo(s.loc[t-1], AddFillPlan)
}

func (m *Machine) addFillPlan(s, next *State, t int) moves {
	seen := addView(s, t).b
	next.desc[t-1].Plan = Plan{seen.K, seen.M}
	return goTo(s.loc[t-1], AddFillExpect)
}

func (m *Machine) addFillExpect(s, next *State, t int) moves {
	seen := addView(s, t)
	next.desc[t-1].Expect = seen.v
	if seen.b.F == Empty {
		next.desc[t-1].Expect = Word1{N: seen.b.G}
	}
	return goTo(s.loc[t-1], AddFillTarget)
}

func (m *Machine) addFillTarget(s, next *State, t int) moves {
	next.desc[t-1].Target = Target{Gen: s.desc[t-1].Head.Gen, St: Undecided}
	if addView(s, t).b.F == Empty {
		return goTo(s.loc[t-1], AddClaimEmpty)
	}
	return goTo(s.loc[t-1], AddStashBase)
}

// installed lets the owner go on as a helper of its own operation.
func installed(s *State, t int) moves {
	l, d := s.loc[t-1], &s.desc[t-1]
	l.view = [Halves]view{}
	l.p = help{r: own(s, t), head: d.Head, pair: d.Pair, expect: d.Expect}
	if d.Head.Kind != KindNew {
		l.p.plan = d.Plan
	}
	return goTo(l, HelpTarget)
}

func (m *Machine) again(s *State, t int) moves {
	l := s.loc[t-1]
	l.view = [Halves]view{}
	return one(startSearch(l, modeAdd, m.op(s, t).K, 0))
}

func (m *Machine) addClaimEmpty(s, next *State, t int) moves {
	a := m.addHome(s, t)
	now := s.w0[a.h][a.c]
	if now == addView(s, t).b {
		next.w0[a.h][a.c] = claimed(own(s, t))
		return installed(s, t)
	}
	if now.is(Claimed, Base) {
		next.marks |= markAddCollisionEmpty
	}
	if m.has(FixRetry) {
		return m.again(s, t)
	}
	return finish(s.loc[t-1], Added, 0)
}

func (m *Machine) addStashBase(s, next *State, t int) moves {
	a := m.addHome(s, t)
	seen := addView(s, t).b
	if s.w0[a.h][a.c] != seen {
		return m.again(s, t)
	}
	next.w0[a.h][a.c] = inWork(seen.K, own(s, t))
	return installed(s, t)
}
