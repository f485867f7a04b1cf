package written

// serveOldest: w is the oldest member so far, j its offset, m what is still to be seen. The age of
// an element is its key: the smaller the older.
func (x *step) serveOldest() bool {
	d := x.least(x.l.m)
	w := x.s.c[x.m.up(x.l.b, d)]
	x.l.m = x.l.m.Without(d)
	if w.live() && w.N == 0 && (x.l.w.F == Empty || w.K < x.l.w.K) {
		x.l.w, x.l.j = w, d
	}
	switch {
	case x.l.m != 0:
		return x.goTo(ServeOldest)
	case x.l.w.F == Empty:
		return x.goTo(ServeShunt)
	}
	return x.goTo(ServeOldValue)
}

// serveShunt: the key leaves the table for older storage; for the map it is gone.
func (x *step) serveShunt() bool {
	k := x.l.k
	if k < 1 || k > MaxKeys {
		return x.fail("the key %d has no history", k)
	}
	x.s.tier[k] = true
	gone := x.s.of(k)
	for i := range gone {
		gone[i].v = None
	}
	x.setHistories(k, gone)
	x.l.k, x.l.v = None, None
	return x.goTo(ServeDrop)
}

func (x *step) serveOldValue() bool {
	x.l.x = x.s.tv[x.hole()]
	return x.goTo(ServeSteal)
}

// serveSteal: the cell is the bucket's now, its pair is written next. If the victim has changed
// meanwhile, somebody else is looked for.
func (x *step) serveSteal() bool {
	w := &x.s.c[x.hole()]
	if *w != x.l.w {
		x.l.w, x.l.x, x.l.j, x.l.m = Word0{}, Word1{}, 0, x.offsets()
		return x.goTo(ServeOldest)
	}
	*w = Word0{F: Member, O: x.l.j, FL: Immobile}
	return x.goTo(ServeStealValue)
}

func (x *step) serveStealValue() bool {
	x.s.tv[x.hole()] = Word1{F: Taken, V: x.l.v}
	x.l.v = None
	return x.goTo(ServeStealKey)
}

func (x *step) serveStealKey() bool {
	x.s.c[x.hole()] = Word0{F: Member, O: x.l.j, K: x.l.k}
	x.l.k = None
	return x.goTo(ServeGain)
}

// serveGain: taken maps do not change. A victim of the own bucket goes to older storage, one of
// another base is queued there.
func (x *step) serveGain() bool {
	x.gained()
	if w := x.l.w; w.O == x.l.j {
		x.l.w, x.l.x, x.l.j, x.l.k = Word0{}, Word1{}, 0, w.K
		return x.goTo(ServeShunt)
	}
	return x.goTo(ServeYieldLoad)
}

// yielding is the base that loses the victim. It is stashed, or its record is joined; it loses the
// bit, and the victim is queued for it.
func (x *step) yielding() uint8 { return x.m.down(x.hole(), x.l.w.O) }

func (x *step) serveYieldLoad() bool {
	switch w := x.s.c[x.yielding()]; w.F {
	case Base:
		x.l.m, x.l.k = w.M, w.K
		return x.goTo(ServeYieldPop)
	case BaseOp:
		x.l.e = w.S
		return x.goTo(ServeYieldFollow)
	}
	return x.fail("no base stands in cell %d", x.yielding())
}

func (x *step) serveYieldPop() bool { return x.takeSecond(ServeYieldFill) }

func (x *step) serveYieldFill() bool { return x.fillSecond(ServeYieldStash) }

func (x *step) serveYieldStash() bool {
	return x.stashSecond(x.yielding(), ServeYieldBit, ServeYieldPush)
}

func (x *step) serveYieldPush() bool { return x.pushSecond(ServeYieldLoad) }

func (x *step) serveYieldFollow() bool {
	return x.followSecond(x.yielding(), ServeYieldBit, ServeYieldLoad)
}

func (x *step) serveYieldBit() bool {
	r := x.record(x.l.e)
	r.Real = r.Real.Without(x.l.w.O)
	return x.goTo(ServeYieldQueue)
}

func (x *step) serveYieldQueue() bool {
	x.enqueue(Item{Kind: PutPair, B: x.yielding(), S: x.l.e, K: x.l.w.K, V: x.l.x.V})
	x.l.w, x.l.x, x.l.j, x.l.e = Word0{}, Word1{}, 0, noRecord
	return x.goTo(ServeDrop)
}
