package model

// Adding, up to the installation of the operation (Add.tla).

func own(s *State, t int) Ref { return Ref{uint8(t), s.desc[t-1].Head.Gen} }

// works: the operation has been prepared in l.u, by Room, by Crop or by Discard.
func works(l *local) bool { return l.u.kind != NoKind }

func (m *Machine) addHome(s *State, t int) addr {
	l := &s.loc[t-1]
	if works(l) {
		return addr{l.u.h, l.u.home}
	}
	return m.home(l.half, m.op(s, t).K)
}

func addView(s *State, t int) view {
	l := &s.loc[t-1]
	if works(l) {
		return view{l.u.b, l.u.v}
	}
	return l.view[l.half]
}

// addKind: a lost key needs no place, it is replaced; so is one that is evicted.
func (m *Machine) addKind(s *State, t int) Kind {
	l := &s.loc[t-1]
	b := l.u.b
	if !works(l) {
		b = l.view[l.half].b
	}
	switch {
	case works(l):
		return l.u.kind
	case b.F == Empty:
		return KindNew
	case b.K == Lost && m.has(FixLostSkipped), l.room == 2*m.reach:
		return KindReplace
	}
	return KindAdd
}

// addFillHead comes first: it ends the descriptor's last generation before any other word of it
// changes.
func (m *Machine) addFillHead(s, next *State, t int) moves {
	kind, home := m.addKind(s, t), m.addHome(s, t)
	next.desc[t-1].Head = Head{
		Gen: m.nextRef(s.desc[t-1].Head.Gen), Kind: kind, H: home.h, Home: home.c,
	}
	if kind == KindClear {
		return goTo(s.loc[t-1], AddFillPlan)
	}
	return goTo(s.loc[t-1], AddFillPair)
}

// addFillPair stores the new element, or the member that the operation is about.
func (m *Machine) addFillPair(s, next *State, t int) moves {
	l, kind, x := s.loc[t-1], m.addKind(s, t), m.op(s, t)
	pair := Pair{x.K, x.V}
	if kind.ofMember() {
		pair = Pair{l.u.w.K, l.u.x.V}
	}
	next.desc[t-1].Pair = pair
	if kind == KindNew {
		return goTo(l, AddFillExpect)
	}
	return goTo(l, AddFillPlan)
}

func (m *Machine) addFillPlan(s, next *State, t int) moves {
	seen := addView(s, t).b
	next.desc[t-1].Plan = Plan{seen.K, seen.M}
	return goTo(s.loc[t-1], AddFillExpect)
}

func (m *Machine) addFillExpect(s, next *State, t int) moves {
	seen, kind := addView(s, t), m.addKind(s, t)
	next.desc[t-1].Expect = seen.v
	if kind == KindNew {
		next.desc[t-1].Expect = Word1{N: seen.b.G}
	}
	if kind.ofMember() {
		return goTo(s.loc[t-1], AddFillSource)
	}
	return goTo(s.loc[t-1], AddFillTarget)
}

// addFillSource: where the member is, its generation, its version.
func (m *Machine) addFillSource(s, next *State, t int) moves {
	u := &s.loc[t-1].u
	next.desc[t-1].Source = Source{C: u.c, G: u.w.G, N: u.x.N}
	return goTo(s.loc[t-1], AddFillTarget)
}

func (m *Machine) addFillTarget(s, next *State, t int) moves {
	next.desc[t-1].Target = Target{Gen: s.desc[t-1].Head.Gen, St: Undecided}
	if m.addKind(s, t) == KindNew {
		return goTo(s.loc[t-1], AddClaimEmpty)
	}
	return goTo(s.loc[t-1], AddStashBase)
}

// installed lets the owner go on as a helper of its own operation.
func (m *Machine) installed(s *State, t int) moves {
	l, d := s.loc[t-1], &s.desc[t-1]
	kind := d.Head.Kind
	if !m.scans(&l) {
		l.view = [Halves]view{}
	}
	l.u = work{}
	l.p = help{r: own(s, t), head: d.Head, expect: d.Expect}
	if kind != KindClear {
		l.p.pair = d.Pair
	}
	if kind != KindNew {
		l.p.plan = d.Plan
	}
	if kind.ofMember() {
		l.p.source = d.Source
	}
	return goTo(l, HelpTarget)
}

var modeOf = [...]mode{OpAdd: modeAdd, OpGet: modeGet, OpUpdate: modeUpdate, OpDelete: modeDelete,
	OpCrop: modeNone, OpRestore: modeNone, OpLookup: modeLookup, OpStill: modeNone, OpSwap: modeNone,
	OpDiscard: modeNone}

// again: the operation of the client from its beginning.
func (m *Machine) again(s *State, t int, l local) moves {
	l.view = [Halves]view{}
	l.s = search{}
	l.u = work{}
	l.p = help{}
	x := m.op(s, t)
	switch x.Op {
	case OpCrop, OpRestore:
		return goTo(l, CropVersion)
	case OpDiscard:
		return goTo(l, ticketPC(x.Op))
	}
	return one(startSearch(l, modeOf[x.Op], x.K, 0))
}

func (m *Machine) addClaimEmpty(s, next *State, t int) moves {
	a := m.addHome(s, t)
	now := s.w0[a.h][a.c]
	if now == addView(s, t).b {
		next.w0[a.h][a.c] = claimed(own(s, t))
		return m.installed(s, t)
	}
	next.mark(now.is(Claimed, Base), markS04AddCollisionEmpty)
	if m.has(FixRetry) {
		return m.again(s, t, s.loc[t-1])
	}
	return finish(s.loc[t-1], Added, 0)
}

func (m *Machine) addStashBase(s, next *State, t int) moves {
	a := m.addHome(s, t)
	now, seen := s.w0[a.h][a.c], addView(s, t).b
	if now != seen {
		next.mark(m.addKind(s, t) == KindAdd && now.F == Base && now.K == Lost,
			markS10AddCollisionDeleteBase)
		return m.again(s, t, s.loc[t-1])
	}
	next.w0[a.h][a.c] = inWork(seen.K, own(s, t))
	return m.installed(s, t)
}
