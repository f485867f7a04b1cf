package written

// found forgets the search and remembers its result; then the reader leaves.
func (x *step) found(r uint8) bool {
	x.l.r, x.l.m, x.l.w, x.l.mode = r, 0, Word0{}, Plain
	return x.goTo(SearchLeave)
}

// after is what follows a search. A deleter that has flagged the base and does not find the key any more
// has deleted it itself.
func (x *step) after(r uint8) bool {
	switch {
	case r == retry:
		x.again()
		return x.goTo(SearchLoad)
	case r == atBase:
		x.again()
		return x.goTo(DeleteLoad)
	case r == Absent && x.l.kind == Flagged:
		return x.answer(Deleted)
	}
	return x.answer(r)
}

func (x *step) searchLoad() bool {
	if x.base().isBase() {
		return x.goTo(SearchJoin)
	}
	return x.after(Absent)
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

func (x *step) searchPop() bool { return x.takeSecond(SearchFill) }

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

func (x *step) searchPush() bool { return x.pushSecond(SearchJoin) }

// searchWait: waiting is a step that is not possible yet. The word that ends the wait has the key
// of the base. A base that is being deleted is abandoned.
func (x *step) searchWait() bool {
	w := *x.base()
	switch {
	case w.keepsOut():
		return false
	case !w.isBase() || w.K == x.op().K && w.has(Delete):
		return x.found(Absent)
	case w.K == x.op().K && x.op().Op == OpDelete:
		return x.found(atBase)
	case w.K == x.op().K:
		return x.goTo(SearchBase)
	case w.F == Base:
		x.l.m = w.M.Without(0)
		return x.goTo(SearchMember)
	}
	if x.l.s, x.l.mode = w.S, Plain; w.has(Swappy) {
		x.l.mode = Careful
	}
	return x.goTo(SearchReal)
}

func (x *step) searchReal() bool {
	x.l.m = x.record(x.l.s).Real.Without(0)
	x.l.s = noRecord
	if x.l.mode == Careful {
		return x.goTo(SearchHold)
	}
	return x.goTo(SearchMember)
}

// searchBase: the base has the key; the value is in the other word.
func (x *step) searchBase() bool {
	switch y := x.taken(); {
	case x.op().Op == OpUpdate:
		y.V = x.op().V
		return x.found(Updated)
	case y.V == None:
		return x.found(Absent)
	default:
		return x.found(y.V)
	}
}

// matches reports whether the word is a member with the key of the operation.
func (x *step) matches(w Word0) bool { return w.isMember() && w.K == x.op().K }

// inOperation: an actor that wants to change a member in operation looks again until the member is
// reinserted.
func (x *step) inOperation(w Word0) bool { return w.F == MemberOp && x.op().Op != OpGet }

// searchMember: the plain search pins what matches.
func (x *step) searchMember() bool {
	if x.l.m == 0 {
		return x.goTo(SearchEditor)
	}
	j := x.l.m.least()
	if w := x.s.c[x.m.up(x.home(), j)]; x.matches(w) {
		if x.inOperation(w) {
			return x.found(retry)
		}
		x.l.w, x.l.j = w, j
		return x.goTo(SearchPin)
	}
	x.l.m = x.l.m.Without(j)
	return x.goTo(SearchMember)
}

// member is the member that the search is at.
func (x *step) member() uint8 { return x.m.up(x.home(), x.l.j) }

// searchPin: immobile, by a count, and only the word that had the key.
func (x *step) searchPin() bool {
	w := x.l.w
	x.l.w = Word0{}
	if x.s.c[x.member()] != w {
		x.l.j = 0
		return x.goTo(SearchMember)
	}
	x.s.c[x.member()].N++
	x.l.m = 0
	return x.goTo(SearchValue)
}

// searchHold: the careful search pins before it looks at the key.
func (x *step) searchHold() bool {
	if x.l.m == 0 {
		return x.goTo(SearchEditor)
	}
	j := x.l.m.least()
	w := &x.s.c[x.m.up(x.home(), j)]
	if !w.isMember() {
		x.l.m = x.l.m.Without(j)
		return x.goTo(SearchHold)
	}
	w.N++
	x.l.j = j
	switch match := x.matches(*w); {
	case match && x.inOperation(*w):
		x.found(retry)
		return x.goTo(SearchUnpin)
	case match:
		x.l.m, x.l.mode = 0, Plain
		return x.goTo(SearchValue)
	}
	x.l.m = x.l.m.Without(j)
	if x.l.v = None; w.K == Lost {
		x.l.v = Lost
	}
	return x.goTo(SearchRelease)
}

func (x *step) unpin() {
	if w := &x.s.c[x.member()]; w.isMember() && w.N > 0 {
		w.N--
	}
	x.l.j = 0
}

// searchRelease: a lost key says that the base is to be looked at again.
func (x *step) searchRelease() bool {
	x.unpin()
	lost := x.l.v == Lost
	if x.l.v = None; lost {
		return x.goTo(SearchRebase)
	}
	return x.goTo(SearchHold)
}

func (x *step) searchRebase() bool {
	w := x.base()
	switch {
	case !w.isBase() || w.K != x.op().K || w.has(Delete):
		return x.goTo(SearchHold)
	case x.op().Op == OpDelete:
		return x.found(atBase)
	}
	x.l.m, x.l.mode = 0, Plain
	return x.goTo(SearchBase)
}

// searchValue: a pinned member has the key. An update overwrites the value, a delete the key.
func (x *step) searchValue() bool {
	y := &x.s.tv[x.member()]
	switch x.op().Op {
	case OpGet:
		x.l.r = y.V
	case OpUpdate:
		y.V, x.l.r = x.op().V, Updated
	default:
		return x.goTo(DeleteMark)
	}
	return x.goTo(SearchUnpin)
}

func (x *step) searchUnpin() bool {
	x.unpin()
	return x.goTo(SearchLeave)
}

// searchEditor: nothing among the members. The editor's flag says: look in the stash.
func (x *step) searchEditor() bool {
	if w := x.base(); w.F == BaseOp && w.has(Editor) {
		x.l.s, x.l.mode = w.S, Plain
		return x.goTo(SearchStashed)
	}
	return x.found(Absent)
}

// searchStashed: a pair in the stash is read, overwritten, or its key becomes lost; or an actor that would
// change it waits until it is reinserted, by looking again.
func (x *step) searchStashed() bool {
	y := x.record(x.l.s)
	x.l.s = noRecord
	switch o := x.op(); {
	case y.K != o.K:
		x.l.r = Absent
	case o.Op == OpGet:
		x.l.r = y.V
	case x.m.p.reads(Waits):
		x.l.r = retry
	case o.Op == OpUpdate:
		y.V, x.l.r = o.V, Updated
	default:
		y.K, x.l.r = Lost, Deleted
	}
	return x.goTo(SearchLeave)
}

// searchLeave: count down; the last reader puts the taken map back.
func (x *step) searchLeave() bool {
	y := x.taken()
	if y.F != Stashed || y.R == 0 {
		return x.after(x.l.r)
	}
	if y.R--; y.R > 0 {
		return x.after(x.l.r)
	}
	x.l.e = y.S
	return x.goTo(SearchTaken)
}

// mapBack puts the map into the cell, unless another reader has come.
func (x *step) mapBack(real Set) bool {
	y := x.taken()
	if y.F != Stashed || y.R != 0 || y.S != x.l.e {
		return x.after(x.l.r)
	}
	*y = Word1{F: TakenBy, M: real, V: y.V}
	x.l.m = 0
	return x.goTo(SearchFree)
}

func (x *step) searchTaken() bool {
	real := x.record(x.l.e).Real
	if x.m.p.Tied {
		return x.mapBack(real)
	}
	x.l.m = real
	return x.goTo(SearchRestore)
}

func (x *step) searchRestore() bool { return x.mapBack(x.l.m) }

func (x *step) searchFree() bool {
	x.s.free = x.s.free.With(x.l.e)
	return x.after(x.l.r)
}
