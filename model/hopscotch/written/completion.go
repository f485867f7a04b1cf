package written

// hole is the cell that the service's item gets.
func (x *step) hole() uint8 { return x.m.up(x.l.b, x.l.j) }

func (x *step) serveTake() bool {
	if x.s.qn == 0 {
		return false
	}
	y := x.s.q[0]
	copy(x.s.q[:], x.s.q[1:x.s.qn])
	x.s.qn--
	x.s.q[x.s.qn] = Item{}
	*x.l = noLocal
	x.l.kind, x.l.b, x.l.s, x.l.k, x.l.v = y.Kind, y.B, y.S, y.K, y.V
	switch y.Kind {
	case NewBase:
		x.l.j = 1
		return x.goTo(ServeWalk)
	case OldPair:
		return x.goTo(ServePair)
	case DropOnly:
		return x.goTo(ServeDrop)
	}
	return x.goTo(ServeMap)
}

// A new base: each cell of the window is looked at, and what is taken goes into the own map, or
// into the stash record that has it while there are readers.

func (x *step) serveWalk() bool {
	if x.s.c[x.hole()].F != Empty {
		x.l.m = x.l.m.With(x.l.j)
	}
	if x.l.j == x.m.w-1 {
		x.l.j = 0
		return x.goTo(ServeMerge)
	}
	x.l.j++
	return x.goTo(ServeWalk)
}

func (x *step) serveMerge() bool {
	if x.changeMap(x.l.b, x.l.m, 0) {
		return x.goTo(ServeMergeStash)
	}
	x.l.m = x.offsets()
	return x.goTo(ServeSweep)
}

func (x *step) serveMergeStash() bool {
	x.changeStashed(x.l.m, 0)
	x.l.m = x.offsets()
	return x.goTo(ServeSweep)
}

// serveSweep: every base below the cell within a window gets the bit; m holds the distances that
// are still to be looked at.
func (x *step) serveSweep() bool {
	d := x.least(x.l.m)
	if x.changeMap(x.m.down(x.hole(), d), upTo(d, d), 0) {
		return x.goTo(ServeSweepStash)
	}
	return x.swept(d)
}

func (x *step) serveSweepStash() bool {
	d := x.least(x.l.m)
	x.changeStashed(upTo(d, d), 0)
	return x.swept(d)
}

func (x *step) swept(d uint8) bool {
	x.l.m = x.l.m.Without(d)
	switch {
	case x.l.m != 0:
		return x.goTo(ServeSweep)
	case x.l.kind == NewBase:
		return x.goTo(ServeDrop)
	}
	return x.goTo(ServeMember)
}

// servePair: whatever pair is in the stash is reinserted, unless its key is lost.
func (x *step) servePair() bool {
	y := *x.record(x.l.s)
	if y.K == Lost || y.K == None {
		return x.goTo(ServeDrop)
	}
	x.l.k, x.l.v = y.K, y.V
	return x.goTo(ServeMap)
}

// serveMap: the taken map, as it is or from the stash; m collects what is taken.
func (x *step) serveMap() bool {
	y := x.s.tv[x.l.b]
	if y.F == Stashed {
		x.l.e = y.S
		return x.goTo(ServeMapStash)
	}
	x.l.m = y.M
	return x.goTo(ServeClaim)
}

func (x *step) serveMapStash() bool {
	x.l.m = x.record(x.l.e).Real
	x.l.e = noRecord
	return x.goTo(ServeClaim)
}

// serveClaim: the nearest zero bit. The cell itself decides: somebody may have made it a base, then
// the next one is tried. Where none is left the window is full.
func (x *step) serveClaim() bool {
	holes := x.offsets() &^ x.l.m
	if holes == 0 {
		x.l.m = x.offsets()
		return x.goTo(ServeOldest)
	}
	j := holes.least()
	w := &x.s.c[x.m.up(x.l.b, j)]
	if *w != (Word0{}) {
		x.l.m = x.l.m.With(j)
		return x.goTo(ServeClaim)
	}
	*w = Word0{F: Member, O: j, FL: Immobile}
	x.l.m, x.l.j = 0, j
	return x.goTo(ServeValue)
}

func (x *step) serveValue() bool {
	x.s.tv[x.hole()] = Word1{F: Taken, V: x.l.v}
	return x.goTo(ServeKey)
}

func (x *step) serveKey() bool {
	x.s.c[x.hole()] = Word0{F: Member, O: x.l.j, K: x.l.k}
	x.l.m, x.l.k, x.l.v = x.offsets(), None, None
	return x.goTo(ServeSweep)
}

// gained: the real bits get the bit; a pair that was in the stash leaves it in the same step, or
// stays until the record is used again.
func (x *step) gained() {
	r := x.record(x.l.s)
	r.Real = r.Real.With(x.l.j)
	if x.l.kind == OldPair && !x.m.p.reads(Stays) {
		r.K, r.V = None, None
	}
}

func (x *step) serveMember() bool {
	x.gained()
	x.l.j = 0
	return x.goTo(ServeDrop)
}

func (x *step) serveDrop() bool { return x.giveBack(x.l.b, ServeRestore, ServeFree) || x.rest() }

func (x *step) serveRestore() bool { return x.putBack(x.l.b, ServeFree) }

func (x *step) serveFree() bool {
	x.freeRecord()
	return x.rest()
}
