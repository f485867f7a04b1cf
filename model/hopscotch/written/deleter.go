package written

import "slices"

// deleteMark: the member is pinned; the mark takes the own pin away with it.
func (x *step) deleteMark() bool {
	w := &x.s.c[x.member()]
	if w.F != Member || w.K != x.op().K {
		if x.l.r = Absent; w.F == MemberOp {
			x.l.r = retry
		}
		return x.goTo(SearchUnpin)
	}
	w.FL |= Mobile
	w.N--
	w.K = Lost
	x.l.j = 0
	return x.goTo(DeleteSubmit)
}

func (x *step) deleteSubmit() bool {
	x.setCrops(append(x.crops(), x.home()))
	return x.found(Deleted)
}

// deleteLoad: the key is, or was, at the base. A quiet base is stashed with all flags at once; a
// base that an adder edits is flagged as made ready for delete, and the adder does not reinsert it;
// a second delete abandons.
func (x *step) deleteLoad() bool {
	w := *x.base()
	switch {
	case !w.isBase() || w.K != x.op().K:
		x.again()
		return x.goTo(SearchLoad)
	case w.F == Base:
		x.l.w = w
		return x.goTo(DeletePop)
	case w.has(Delete) && x.l.kind == Flagged:
		return false // waits until the adder has replaced it
	case w.has(Delete):
		return x.answer(Absent)
	case w.has(Swappy):
		return false // waits for the cropper
	case w.has(Root):
		x.l.w = w
		return x.goTo(DeleteFlag)
	}
	x.l.s = w.S
	return x.goTo(DeleteFollow)
}

func (x *step) deleteFlag() bool {
	w := x.l.w
	x.again()
	if *x.base() == w {
		x.base().FL |= Delete
		x.l.kind = Flagged
	}
	return x.goTo(DeleteLoad)
}

func (x *step) deletePop() bool { return x.takeRecord(DeleteFill) }

func (x *step) deleteFill() bool {
	*x.record(x.l.s) = filled(x.l.w.M)
	return x.goTo(DeleteStash)
}

const deleteMine = Root | Swappy | Delete

func (x *step) deleteStash() bool {
	w, s := x.l.w, x.l.s
	if *x.base() != w {
		x.l.w = Word0{}
		return x.goTo(DeletePush)
	}
	*x.base() = Word0{F: BaseOp, S: s, FL: deleteMine, K: w.K}
	x.again()
	x.l.s = s
	return x.goTo(DeleteWait)
}

func (x *step) deletePush() bool {
	x.freeRecord()
	x.again()
	return x.goTo(DeleteLoad)
}

func (x *step) deleteFollow() bool {
	if !x.follow(x.home()) {
		x.again()
		return x.goTo(DeleteLoad)
	}
	return x.goTo(DeleteMaster)
}

// deleteMaster: the base key must still be the same.
func (x *step) deleteMaster() bool {
	w := x.base()
	if w.F != BaseOp || !w.names(x.l.s) || w.has(Root) || w.K != x.op().K {
		x.l.r = retry
		return x.goTo(DeleteDrop)
	}
	w.FL |= deleteMine
	return x.goTo(DeleteWait)
}

// deleteWait: the deleter waits for readers that do not search carefully.
func (x *step) deleteWait() bool { return x.taken().F != Stashed && x.goTo(DeleteReal) }

func (x *step) deleteReal() bool {
	x.l.g = x.record(x.l.s).Real
	x.l.m = x.l.g.Without(0)
	return x.goTo(DeleteScan)
}

// deleteScan: a member for the base, not lost, not being reserved, not pinned. One that is being
// usurped is waited for: it will be in the stash.
func (x *step) deleteScan() bool {
	if x.l.m == 0 {
		return x.goTo(DeleteStashed)
	}
	j := x.l.m.least()
	w := x.s.c[x.m.up(x.home(), j)]
	switch {
	case w.F == MemberOp:
		return false
	case w.live():
		x.l.m, x.l.g, x.l.j, x.l.k = 0, 0, j, w.K
		return w.N == 0 && x.goTo(DeleteCopy)
	case w.F != Member:
		x.l.g = x.l.g.Without(j)
	}
	x.l.m = x.l.m.Without(j)
	return x.goTo(DeleteScan)
}

// deleteStashed: a pair in the stash takes the base, and will not be reinserted.
func (x *step) deleteStashed() bool {
	y := x.record(x.l.s)
	switch {
	case y.K != None && y.K != Lost:
		x.l.g, x.l.k, x.l.v = 0, y.K, y.V
		y.K = Lost
		return x.goTo(DeleteBaseValue)
	case x.l.g == upTo(0, 0):
		x.l.m = x.offsets()
		return x.goTo(DeleteSweep)
	}
	x.l.m = 0
	return x.goTo(DeleteWithdraw)
}

func (x *step) deleteCopy() bool {
	x.l.v = x.s.tv[x.member()].V
	return x.goTo(DeleteBaseValue)
}

func (x *step) deleteBaseValue() bool {
	x.taken().V = x.l.v
	x.l.v = None
	return x.goTo(DeleteBaseKey)
}

func (x *step) deleteBaseKey() bool {
	x.base().K = x.l.k
	x.base().FL &^= Delete
	if x.l.j == 0 {
		x.l.k, x.l.r = None, Deleted
		return x.goTo(DeleteDrop)
	}
	return x.goTo(DeleteMoved)
}

// deleteMoved: the member that moved is marked after it was copied, and when nobody has pinned it.
func (x *step) deleteMoved() bool {
	w := &x.s.c[x.member()]
	if w.F == Member && w.K == x.l.k {
		if w.N > 0 {
			return false
		}
		w.K = Lost
		w.FL |= Mobile
	}
	x.l.j, x.l.k = 0, None
	return x.goTo(DeleteQueue)
}

func (x *step) deleteQueue() bool {
	x.setCrops(append(x.crops(), x.home()))
	x.l.r = Deleted
	return x.goTo(DeleteDrop)
}

// deleteWithdraw: all members are lost, and the base is removed from a future cropping.
func (x *step) deleteWithdraw() bool {
	x.setCrops(slices.DeleteFunc(x.crops(), func(b uint8) bool { return b == x.home() }))
	x.l.m = x.offsets()
	return x.goTo(DeleteSweep)
}

// deleteCell: every cell of the bucket, the farthest first: its bit in each map that covers it, its
// value, its key. m holds the distances to be looked at.
func (x *step) deleteCell() uint8 { return x.m.up(x.home(), x.most(x.l.g)) }

func (x *step) deleteSweep() bool {
	d := x.least(x.l.m)
	if x.changeMap(x.m.down(x.deleteCell(), d), 0, upTo(d, d)) {
		return x.goTo(DeleteSweepStash)
	}
	return x.sweptOut(d, DeleteSweep, DeleteZero1)
}

func (x *step) deleteSweepStash() bool {
	d := x.least(x.l.m)
	x.changeStashed(0, upTo(d, d))
	return x.sweptOut(d, DeleteSweep, DeleteZero1)
}

// sweptOut: the distance d is done.
func (x *step) sweptOut(d uint8, sweep, zero PC) bool {
	if x.l.m = x.l.m.Without(d); x.l.m != 0 {
		return x.goTo(sweep)
	}
	return x.goTo(zero)
}

func (x *step) deleteZero1() bool {
	x.s.tv[x.deleteCell()] = Word1{}
	return x.goTo(DeleteZero0)
}

func (x *step) deleteZero0() bool {
	x.s.c[x.deleteCell()] = Word0{}
	o := x.most(x.l.g)
	x.l.g = x.l.g.Without(o)
	if o == 0 {
		x.l.m = 0
		return x.goTo(DeleteClear)
	}
	x.l.m = x.offsets()
	return x.goTo(DeleteSweep)
}

// deleteClear: the stash is cleared of the element.
func (x *step) deleteClear() bool {
	x.freeRecord()
	return x.answer(Deleted)
}

func (x *step) deleteDrop() bool {
	return x.giveBack(x.home(), DeleteRestore, DeleteFree) || x.after(x.l.r)
}

func (x *step) deleteRestore() bool { return x.putBack(x.home(), DeleteFree) }

func (x *step) deleteFree() bool {
	x.freeRecord()
	return x.after(x.l.r)
}
