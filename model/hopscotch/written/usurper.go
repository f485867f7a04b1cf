package written

// In the local state of a usurper w is the member as it was, s its stash record, b its base, e the stash
// record of the base, and m and k are the base as it was loaded.

func (x *step) usurpPop() bool { return x.takeRecord(UsurpFill) }

func (x *step) usurpFill() bool {
	r := filled(0)
	if x.m.p.reads(OneField) {
		r = filled(upTo(x.l.w.O, x.l.w.O))
	}
	r.O = x.l.w.O
	*x.record(x.l.s) = r
	return x.goTo(UsurpStash)
}

func (x *step) usurpStash() bool {
	w := x.l.w
	if *x.base() != w {
		x.l.w = Word0{}
		return x.goTo(AddPush)
	}
	*x.base() = Word0{F: MemberOp, S: x.l.s, FL: w.FL, N: w.N, K: w.K}
	x.l.b = x.m.down(x.home(), w.O)
	return x.goTo(UsurpBaseLoad)
}

func (x *step) usurpBaseLoad() bool {
	switch w := x.s.c[x.l.b]; w.F {
	case Base:
		x.l.m, x.l.k = w.M, w.K
		return x.goTo(UsurpBasePop)
	case BaseOp:
		x.l.e = w.S
		return x.goTo(UsurpBaseFollow)
	}
	return x.goTo(UsurpMaster)
}

func (x *step) usurpBasePop() bool { return x.takeSecond(UsurpBaseFill) }

func (x *step) usurpBaseFill() bool { return x.fillSecond(UsurpBaseStash) }

func (x *step) usurpBaseStash() bool { return x.stashSecond(x.l.b, UsurpMaster, UsurpBasePush) }

func (x *step) usurpBasePush() bool { return x.pushSecond(UsurpBaseLoad) }

func (x *step) usurpBaseFollow() bool { return x.followSecond(x.l.b, UsurpMaster, UsurpBaseLoad) }

func (x *step) usurpMaster() bool {
	x.base().FL |= Usurped | Immobile
	return x.goTo(UsurpWait)
}

// usurpWait: the readers of the member's base have to be done.
func (x *step) usurpWait() bool {
	switch {
	case x.s.tv[x.l.b].F == Stashed:
		return false
	case x.l.w.K == Lost:
		return x.goTo(UsurpRemove)
	}
	return x.goTo(UsurpValue)
}

func (x *step) usurpValue() bool {
	x.l.v = x.taken().V
	return x.goTo(UsurpStashPair)
}

func (x *step) usurpStashPair() bool {
	r := x.record(x.l.e)
	r.K, r.V = x.l.w.K, x.l.v
	x.l.v = None
	return x.goTo(UsurpEditor)
}

// usurpEditor: from now on searches of the base look into its stash.
func (x *step) usurpEditor() bool {
	if w := &x.s.c[x.l.b]; w.names(x.l.e) {
		w.FL |= Editor
	}
	return x.goTo(UsurpRemove)
}

// usurpRemove: the bucket gives up the position.
func (x *step) usurpRemove() bool {
	if x.l.e != noRecord {
		r := x.record(x.l.e)
		r.Real = r.Real.Without(x.l.w.O)
	}
	return x.goTo(UsurpStoreKey)
}

// A new base: key, value with taken bits one, real bits one.

func (x *step) usurpStoreKey() bool {
	*x.base() = Word0{F: BaseOp, S: x.l.s, FL: Root, K: x.op().K}
	return x.goTo(UsurpStoreValue)
}

func (x *step) usurpStoreValue() bool {
	*x.taken() = Word1{F: TakenBy, M: upTo(0, 0), V: x.op().V}
	return x.goTo(UsurpSetReal)
}

func (x *step) usurpSetReal() bool {
	r := x.record(x.l.s)
	r.Real, r.O = upTo(0, 0), 0
	return x.goTo(UsurpQueueNew)
}

func (x *step) usurpQueueNew() bool {
	x.enqueue(Item{Kind: NewBase, B: x.home(), S: x.l.s})
	if x.l.e == noRecord {
		return x.answer(Added)
	}
	b, e, k := x.l.b, x.l.e, x.l.w.K
	x.fresh()
	x.l.b, x.l.e, x.l.k = b, e, k
	return x.goTo(UsurpQueueOld)
}

// usurpQueueOld: what the bucket lost is reinserted, unless it was deleted; the reference to its
// record is given back in any case.
func (x *step) usurpQueueOld() bool {
	kind := OldPair
	if x.l.k == Lost {
		kind = DropOnly
	}
	x.enqueue(Item{Kind: kind, B: x.l.b, S: x.l.e})
	return x.answer(Added)
}
