package written

// miss forgets what was found.
func (x *step) miss() bool {
	x.l.r, x.l.m, x.l.w = Absent, 0, Word0{}
	return x.goTo(SearchLeave)
}

func (x *step) searchLoad() bool {
	if x.base().isBase() {
		return x.goTo(SearchJoin)
	}
	return x.answer(Absent)
}

// searchJoin: the first reader stashes the taken map, the next ones count. A base that has no map
// is being born: look again.
func (x *step) searchJoin() bool {
	switch y := x.taken(); y.F {
	case Stashed:
		y.R++
		return x.goTo(SearchWait)
	case TakenBy:
		x.l.x = *y
		return x.goTo(SearchPop)
	}
	return x.goTo(SearchLoad)
}

func (x *step) searchPop() bool {
	r, ok := x.pop()
	x.l.e = r
	return ok && x.goTo(SearchFill)
}

func (x *step) searchFill() bool {
	*x.record(x.l.e) = filled(x.l.x.M)
	return x.goTo(SearchStash)
}

func (x *step) searchStash() bool {
	y := x.l.x
	x.l.x = Word1{}
	if *x.taken() != y {
		return x.goTo(SearchPush)
	}
	*x.taken() = Word1{F: Stashed, S: x.l.e, R: 1, V: y.V}
	x.l.e = noRecord
	return x.goTo(SearchWait)
}

func (x *step) searchPush() bool {
	x.s.free = x.s.free.With(x.l.e)
	x.l.e = noRecord
	return x.goTo(SearchJoin)
}

// searchWait: waiting is a step that is not possible yet. The word that ends the wait has the key
// of the base.
func (x *step) searchWait() bool {
	w := *x.base()
	switch {
	case w.keepsOut():
		return false
	case !w.isBase():
		return x.miss()
	case w.K == x.op().K:
		x.l.w = w
		return x.goTo(SearchBase)
	case w.F == Base:
		x.l.m = w.M.Without(0)
		return x.goTo(SearchMember)
	}
	x.l.s = w.S
	return x.goTo(SearchReal)
}

func (x *step) searchReal() bool {
	x.l.m = x.record(x.l.s).Real.Without(0)
	x.l.s = noRecord
	return x.goTo(SearchMember)
}

// searchBase: the base has the key; the value is in the other word.
func (x *step) searchBase() bool {
	x.l.w = Word0{}
	if x.l.r = x.taken().V; x.l.r == None {
		x.l.r = Absent
	}
	return x.goTo(SearchLeave)
}

func (x *step) searchMember() bool {
	if x.l.m == 0 {
		return x.goTo(SearchEditor)
	}
	j := x.l.m.least()
	if w := x.s.c[x.m.up(x.home(), j)]; w.isMember() && w.K == x.op().K {
		x.l.w, x.l.j = w, j
		return x.goTo(SearchPin)
	}
	x.l.m = x.l.m.Without(j)
	return x.goTo(SearchMember)
}

// found is the member that the search has found.
func (x *step) found() uint8 { return x.m.up(x.home(), x.l.j) }

// searchPin: immobile, by a count, and only the word that had the key.
func (x *step) searchPin() bool {
	w := x.l.w
	x.l.w = Word0{}
	if x.s.c[x.found()] != w {
		x.l.j = 0
		return x.goTo(SearchMember)
	}
	x.s.c[x.found()].N++
	x.l.m = 0
	return x.goTo(SearchValue)
}

func (x *step) searchValue() bool {
	x.l.r = x.s.tv[x.found()].V
	return x.goTo(SearchUnpin)
}

func (x *step) searchUnpin() bool {
	if w := &x.s.c[x.found()]; w.isMember() && w.N > 0 {
		w.N--
	}
	x.l.j = 0
	return x.goTo(SearchLeave)
}

// searchEditor: nothing among the members. The editor's flag says: look in the stash.
func (x *step) searchEditor() bool {
	if w := x.base(); w.F == BaseOp && w.has(Editor) {
		x.l.s = w.S
		return x.goTo(SearchStashed)
	}
	return x.miss()
}

func (x *step) searchStashed() bool {
	y := *x.record(x.l.s)
	if x.l.s, x.l.r = noRecord, Absent; y.K == x.op().K {
		x.l.r = y.V
	}
	return x.goTo(SearchLeave)
}

// searchLeave: count down; the last reader puts the taken map back.
func (x *step) searchLeave() bool {
	y := x.taken()
	if y.F != Stashed || y.R == 0 {
		return x.answer(x.l.r)
	}
	if y.R--; y.R > 0 {
		return x.answer(x.l.r)
	}
	x.l.e = y.S
	return x.goTo(SearchTaken)
}

func (x *step) searchTaken() bool {
	x.l.m = x.record(x.l.e).Real
	return x.goTo(SearchRestore)
}

func (x *step) searchRestore() bool {
	y := x.taken()
	if y.F != Stashed || y.R != 0 || y.S != x.l.e {
		return x.answer(x.l.r)
	}
	*y = Word1{F: TakenBy, M: x.l.m, V: y.V}
	x.l.m = 0
	return x.goTo(SearchFree)
}

func (x *step) searchFree() bool {
	x.s.free = x.s.free.With(x.l.e)
	return x.answer(x.l.r)
}
