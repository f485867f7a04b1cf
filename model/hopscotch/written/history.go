package written

import "slices"

func (y history) compare(z history) int {
	a := append([]uint8{y.k, y.v}, y.r[:]...)
	return slices.Compare(a, append([]uint8{z.k, z.v}, z.r[:]...))
}

// of returns the histories of one key.
func (s *State) of(k uint8) []history {
	var list []history
	for _, y := range s.lin[:s.linN] {
		if y.k == k {
			list = append(list, y)
		}
	}
	return list
}

// setHistories replaces the histories of key k.
func (x *step) setHistories(k uint8, list []history) {
	for _, y := range x.s.lin[:x.s.linN] {
		if y.k != k {
			list = append(list, y)
		}
	}
	slices.SortFunc(list, history.compare)
	list = slices.Compact(list)
	if len(list) > MaxHistories {
		x.fail("more than %d histories are possible", MaxHistories)
		return
	}
	x.s.lin = [MaxHistories]history{}
	copy(x.s.lin[:], list)
	x.s.linN = uint8(len(list))
}

// effect is y after the operation of client t has taken effect.
func effect(y history, t int, o Op) history {
	value, result := y.v, uint8(Absent)
	switch {
	case o.Op == OpAdd:
		value, result = o.V, Added
	case y.v == None:
	case o.Op == OpGet:
		result = y.v
	case o.Op == OpUpdate:
		value, result = o.V, Updated
	case o.Op == OpDelete:
		value, result = None, Deleted
	}
	y.v, y.r[t-1] = value, result
	return y
}

// callLin: the operation of the client is called, from now on it may take effect. The loop reaches
// every order of the operations in progress.
func (x *step) callLin() {
	k := x.op().K
	list := x.s.of(k)
	for i := 0; i < len(list); i++ {
		for t := 1; t <= x.m.clients; t++ {
			if t != x.t && x.s.l[t-1].pc == Idle {
				continue
			}
			o := x.m.op(x.s, t)
			if o.K != k || list[i].r[t-1] != NoResult {
				continue
			}
			if y := effect(list[i], t, o); !slices.Contains(list, y) {
				list = append(list, y)
			}
		}
	}
	x.setHistories(k, list)
}

// allowed reports whether some history gives the client the result that it is about to return.
func (m *Machine) allowed(s *State, t int) bool {
	return slices.ContainsFunc(s.of(m.op(s, t).K), func(y history) bool {
		return y.r[t-1] == s.l[t-1].r
	})
}

// returnLin: it returns, and only what agrees with its result remains. A wrong result is reported
// by the properties and otherwise forgotten.
func (x *step) returnLin() {
	k := x.op().K
	list := x.s.of(k)
	if x.m.allowed(x.s, x.t) {
		list = slices.DeleteFunc(list, func(y history) bool { return y.r[x.t-1] != x.l.r })
	}
	for i := range list {
		list[i].r[x.t-1] = NoResult
	}
	x.setHistories(k, list)
}

func (x *step) clientCall() bool {
	if x.m.finished(x.s, x.t) {
		return false
	}
	x.callLin()
	x.fresh()
	switch {
	case x.op().Op != OpAdd && x.hasAdded():
		return x.goTo(SearchLoad)
	case x.op().Op != OpAdd:
		x.l.h = 0
		return x.goTo(SearchLoad)
	}
	if x.l.h = 0; x.m.halves == 2 {
		return x.goTo(ChooseLoad)
	}
	return x.goTo(AddLoad)
}

// hasAdded: the half of a key is a part of its augmented hash, which the add that placed it has returned.
// An actor that has not added it knows where it stood.
func (x *step) hasAdded() bool {
	for _, o := range x.m.p.Ops[x.t-1][:x.l.i-1] {
		if o.Op == OpAdd && o.K == x.op().K {
			return true
		}
	}
	return false
}

func (x *step) clientReturn() bool {
	x.returnLin()
	x.fresh()
	x.l.i++
	return x.goTo(Idle)
}

// answer ends the operation with a result.
func (x *step) answer(result uint8) bool {
	x.fresh()
	x.l.r = result
	return x.goTo(Return)
}
