package written

func (x *step) cropTake() bool {
	list := x.crops()
	if len(list) == 0 {
		return false
	}
	x.setCrops(list[1:])
	x.l.b = list[0]
	return x.cropAgain()
}

// cropAgain starts again with the same base.
func (x *step) cropAgain() bool {
	*x.l = local{i: 1, b: x.l.b}
	return x.goTo(CropLoad)
}

func (x *step) cropBase() *Word0 { return &x.s.c[x.l.b] }

// cropLoad waits while somebody else is master.
func (x *step) cropLoad() bool {
	w := *x.cropBase()
	switch {
	case w.F == BaseOp && w.has(Root):
		return false
	case !w.isBase() || w.F == Base && w.M == upTo(0, 0):
		return x.rest()
	case w.F == Base:
		x.l.w = w
		return x.goTo(CropPop)
	}
	x.l.s = w.S
	return x.goTo(CropFollow)
}

func (x *step) cropPop() bool { return x.takeRecord(CropFill) }

func (x *step) cropFill() bool {
	*x.record(x.l.s) = filled(x.l.w.M)
	return x.goTo(CropStash)
}

const cropMine = Root | Swappy

func (x *step) cropStash() bool {
	w := x.l.w
	x.l.w = Word0{}
	if *x.cropBase() != w {
		return x.goTo(CropPush)
	}
	*x.cropBase() = Word0{F: BaseOp, S: x.l.s, FL: cropMine, K: w.K}
	return x.goTo(CropWait)
}

func (x *step) cropPush() bool {
	x.freeRecord()
	return x.cropAgain()
}

func (x *step) cropFollow() bool {
	if !x.follow(x.l.b) {
		return x.cropAgain()
	}
	return x.goTo(CropMaster)
}

func (x *step) cropMaster() bool {
	w := x.cropBase()
	if w.F != BaseOp || !w.names(x.l.s) || w.has(Root) {
		x.l.r = retry
		return x.goTo(CropDrop)
	}
	w.FL |= cropMine
	return x.goTo(CropWait)
}

func (x *step) cropWait() bool { return x.s.tv[x.l.b].F != Stashed && x.goTo(CropReal) }

func (x *step) cropReal() bool {
	x.l.m = x.record(x.l.s).Real.Without(0)
	return x.goTo(CropLow)
}

// at is the word of the member at an offset of the bucket that is cropped.
func (x *step) at(offset uint8) *Word0 { return &x.s.c[x.m.up(x.l.b, offset)] }

func (w Word0) lost() bool { return w.F == Member && w.K == Lost }
func (w Word0) live() bool { return w.F == Member && w.K != None && w.K != Lost }

// cropLow: the nearest lost member. One that is pinned is waited for.
func (x *step) cropLow() bool {
	switch {
	case x.l.m == 0 && x.l.g == 0:
		return x.goTo(CropDrop)
	case x.l.m == 0:
		return x.goTo(CropCheck)
	}
	j := x.l.m.least()
	x.l.m = x.l.m.Without(j)
	if w := x.at(j); w.lost() {
		x.l.j = j
		return w.N == 0 && x.goTo(CropHigh)
	}
	return x.goTo(CropLow)
}

// cropHigh: the farthest live member beyond it; what is lost there stays there.
func (x *step) cropHigh() bool {
	if x.l.m == 0 {
		x.l.g = x.l.g.With(x.l.j)
		x.l.j = 0
		return x.goTo(CropLow)
	}
	far := x.l.m.most()
	w := x.at(far)
	if w.live() {
		x.l.k = w.K
		return w.N == 0 && x.goTo(CropCopy)
	}
	x.l.m = x.l.m.Without(far)
	if w.lost() {
		x.l.g = x.l.g.With(far)
	}
	return x.goTo(CropHigh)
}

func (x *step) cropCopy() bool {
	x.l.v = x.s.tv[x.m.up(x.l.b, x.most(x.l.m))].V
	return x.goTo(CropMoveValue)
}

func (x *step) cropMoveValue() bool {
	x.s.tv[x.m.up(x.l.b, x.l.j)].V = x.l.v
	x.l.v = None
	return x.goTo(CropMoveKey)
}

func (x *step) cropMoveKey() bool {
	w := x.at(x.l.j)
	x.l.j = 0
	if !w.lost() {
		x.l.k = None
		return x.goTo(CropLow)
	}
	*w = Word0{F: Member, O: w.O, N: w.N, K: x.l.k}
	return x.goTo(CropMoveLost)
}

// cropMoveLost: the element has moved; what it leaves is lost, and past the swap. The cropper waits for
// readers that have pinned it.
func (x *step) cropMoveLost() bool {
	far := x.most(x.l.m)
	w := x.at(far)
	if w.F == Member && w.K == x.l.k {
		if w.N > 0 {
			return false
		}
		w.K, w.FL = Lost, Delete
	}
	x.l.m, x.l.g, x.l.k = x.l.m.Without(far), x.l.g.With(far), None
	return x.goTo(CropLow)
}

// cropCheck: is the key of what is to be erased still lost? m holds what was looked at.
func (x *step) cropCheck() bool {
	j := x.least(x.l.g &^ x.l.m)
	seen := x.l.m.With(j)
	if !x.at(j).lost() {
		x.l.g = x.l.g.Without(j)
	}
	all := x.l.g&^seen == 0
	if x.l.m = seen & x.l.g; all {
		x.l.m = 0
	}
	switch {
	case x.l.g == 0:
		return x.goTo(CropDrop)
	case all:
		return x.goTo(CropRemove)
	}
	return x.goTo(CropCheck)
}

func (x *step) cropRemove() bool {
	x.record(x.l.s).Real &^= x.l.g
	x.l.m = x.offsets()
	return x.goTo(CropSweep)
}

// cropCell: cell by cell, out of every taken map that covers it, then zero.
func (x *step) cropCell() uint8 { return x.m.up(x.l.b, x.most(x.l.g)) }

func (x *step) cropSweep() bool {
	d := x.least(x.l.m)
	if x.changeMap(x.m.down(x.cropCell(), d), 0, upTo(d, d)) {
		return x.goTo(CropSweepStash)
	}
	return x.sweptOut(d, CropSweep, CropZero1)
}

func (x *step) cropSweepStash() bool {
	d := x.least(x.l.m)
	x.changeStashed(0, upTo(d, d))
	return x.sweptOut(d, CropSweep, CropZero1)
}

func (x *step) cropZero1() bool {
	x.s.tv[x.cropCell()] = Word1{}
	return x.goTo(CropZero0)
}

func (x *step) cropZero0() bool {
	if w := &x.s.c[x.cropCell()]; w.lost() {
		*w = Word0{}
	}
	x.l.g = x.l.g.Without(x.most(x.l.g))
	if x.l.m = 0; x.l.g == 0 {
		return x.goTo(CropDrop)
	}
	x.l.m = x.offsets()
	return x.goTo(CropSweep)
}

// cropEnd starts again where somebody else was master.
func (x *step) cropEnd() bool {
	if x.l.r == retry {
		return x.cropAgain()
	}
	return x.rest()
}

func (x *step) cropDrop() bool { return x.giveBack(x.l.b, CropRestore, CropFree) || x.cropEnd() }

func (x *step) cropRestore() bool { return x.putBack(x.l.b, CropFree) }

func (x *step) cropFree() bool {
	x.freeRecord()
	return x.cropEnd()
}
