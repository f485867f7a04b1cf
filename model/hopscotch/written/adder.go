package written

import (
	"math/bits"
	"slices"
)

// chosen: with two halves, the one whose bucket has fewer members, on a tie the random bit's. The
// halves are looked at one after the other; what is found there may be gone when the cell is stashed.
func (x *step) chosen(n uint8) bool {
	first := x.l.j
	if x.l.h == 0 {
		x.fresh()
		x.l.h, x.l.j = 1, n
		return x.goTo(ChooseLoad)
	}
	x.fresh()
	if x.l.h = 0; n < first || n == first && slices.Contains(x.m.p.Draws, x.t) {
		x.l.h = 1
	}
	return x.goTo(AddLoad)
}

func (x *step) chooseLoad() bool {
	w := x.base()
	switch {
	case w.F == BaseOp: // the real bits are in its record
		x.l.s = w.S
		return x.goTo(ChooseReal)
	case w.isMember(): // a cell to be usurped counts as one
		return x.chosen(1)
	}
	return x.chosen(count(w.M))
}

func (x *step) chooseReal() bool { return x.chosen(count(x.record(x.l.s).Real)) }

func count(s Set) uint8 { return uint8(bits.OnesCount8(uint8(s))) }

func (x *step) addLoad() bool {
	switch w := *x.base(); {
	case w.F == MemberOp:
		return false // waits for the new base
	case w.F == BaseOp:
		x.l.s = w.S
		return x.goTo(AddFollow)
	case w.F != Member:
		x.l.w = w
		return x.goTo(AddPop)
	case w.has(Immobile):
		return false // waits for its key
	default:
		x.l.w = w
		return x.goTo(UsurpPop)
	}
}

func (x *step) addPop() bool { return x.takeRecord(AddFill) }

func (x *step) addFill() bool {
	*x.record(x.l.s) = filled(x.l.w.M)
	return x.goTo(AddStash)
}

func (x *step) addStash() bool {
	w := x.l.w
	x.l.w = Word0{}
	if *x.base() != w {
		return x.goTo(AddPush)
	}
	*x.base() = Word0{F: BaseOp, S: x.l.s, K: w.K}
	x.l.m = w.M
	return x.goTo(AddMaster)
}

func (x *step) addPush() bool {
	x.freeRecord()
	x.fresh()
	return x.goTo(AddLoad)
}

// addFollow: between the load and this step the record may have become somebody else's.
func (x *step) addFollow() bool {
	if !x.follow(x.home()) {
		x.fresh()
		return x.goTo(AddLoad)
	}
	return x.goTo(AddReal)
}

func (x *step) addReal() bool {
	x.l.m = x.record(x.l.s).Real
	return x.goTo(AddMaster)
}

// addMaster: who loses the race for a base queues its pair; who loses the race for an empty cell
// cycles until it has become a base.
func (x *step) addMaster() bool {
	w, born := x.base(), x.l.m == 0
	switch {
	case w.F != BaseOp || !w.names(x.l.s):
		x.fresh()
		return x.goTo(AddLoad)
	case w.has(Root) && born:
		return x.goTo(AddReal)
	case w.has(Root):
		x.l.m = 0
		return x.goTo(AddQueueNew)
	}
	w.FL |= Root
	if !born {
		w.FL |= Editor
	}
	x.l.m, x.l.w = 0, *w
	if born {
		return x.goTo(AddStoreKey)
	}
	return x.goTo(AddOldValue)
}

// A new base: the key with operational bits, the value with taken bits one, real bits one, queue.

func (x *step) addStoreKey() bool {
	*x.base() = x.l.w
	x.base().K = x.op().K
	x.l.w = Word0{}
	return x.goTo(AddStoreValue)
}

func (x *step) addStoreValue() bool {
	*x.taken() = Word1{F: TakenBy, M: upTo(0, 0), V: x.op().V}
	return x.goTo(AddSetReal)
}

func (x *step) addSetReal() bool {
	x.record(x.l.s).Real = upTo(0, 0)
	return x.goTo(AddQueueBase)
}

func (x *step) addQueueBase() bool {
	x.enqueue(Item{Kind: NewBase, B: x.home(), S: x.l.s})
	return x.answer(Added)
}

// A standing base: the old pair goes to the stash first, then the new one is written. A base that is
// made ready for delete is not reinserted.

func (x *step) addOldValue() bool {
	x.l.v = x.taken().V
	return x.goTo(AddStashPair)
}

func (x *step) addStashPair() bool {
	r := x.record(x.l.s)
	if r.K, r.V = x.l.w.K, x.l.v; x.l.w.has(Delete) {
		r.K = Lost
	}
	x.l.v = None
	return x.goTo(AddReplaceKey)
}

func (x *step) addReplaceKey() bool {
	if *x.base() != x.l.w {
		x.l.w = *x.base()
		return x.goTo(AddOldValue)
	}
	x.base().K = x.op().K
	x.base().FL &^= Delete
	x.l.w = Word0{}
	return x.goTo(AddReplaceValue)
}

func (x *step) addReplaceValue() bool {
	x.taken().V = x.op().V
	return x.goTo(AddQueueOld)
}

func (x *step) addQueueOld() bool {
	x.enqueue(Item{Kind: OldPair, B: x.home(), S: x.l.s})
	return x.answer(Added)
}

func (x *step) addQueueNew() bool {
	x.enqueue(Item{Kind: PutPair, B: x.home(), S: x.l.s, K: x.op().K, V: x.op().V})
	return x.answer(Added)
}
