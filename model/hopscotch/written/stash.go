package written

import "slices"

// fresh forgets everything but which operation it is; again remembers that it has flagged a base.
func (x *step) fresh() { *x.l = local{i: x.l.i, h: x.l.h} }
func (x *step) again() { *x.l = local{i: x.l.i, h: x.l.h, kind: x.l.kind} }

// rest ends a service's work.
func (x *step) rest() bool {
	*x.l = noLocal
	return x.goTo(Idle)
}

func (x *step) offsets() Set { return upTo(1, x.m.w-1) }

// least and most of an empty set have no value in the specification.
func (x *step) least(set Set) uint8 {
	if set == 0 {
		x.fail("the least of no number")
		return 0
	}
	return set.least()
}

func (x *step) most(set Set) uint8 {
	if set == 0 {
		x.fail("the greatest of no number")
		return 0
	}
	return set.most()
}

// record is a stash record. The specification has none of the number 0.
func (x *step) record(s uint8) *Record {
	if s < 1 || int(s) > x.m.p.Records {
		x.fail("there is no stash record %d", s)
	}
	return &x.s.st[s]
}

func (x *step) enqueue(i Item) {
	if int(x.s.qn) == MaxQueue {
		x.fail("more than %d entries are in the queue", MaxQueue)
		return
	}
	x.s.q[x.s.qn] = i
	x.s.qn++
}

// crops are the bases that are to be cropped, first in first out.
func (x *step) crops() []uint8 { return slices.Clone(x.s.cq[:x.s.cqn]) }

func (x *step) setCrops(list []uint8) {
	if len(list) > MaxQueue {
		x.fail("more than %d entries are in the cropper's queue", MaxQueue)
		return
	}
	x.s.cq = [MaxQueue]uint8{}
	x.s.cqn = uint8(copy(x.s.cq[:], list))
}

// takeRecord takes the least free record; it is not possible while there is none.
func (x *step) takeRecord(next PC) bool {
	if x.s.free == 0 {
		return false
	}
	x.l.s = x.s.free.least()
	x.s.free = x.s.free.Without(x.l.s)
	return x.goTo(next)
}

// takeSecond takes the least free record as the second one of the actor.
func (x *step) takeSecond(next PC) bool {
	s := x.l.s
	ok := x.takeRecord(next)
	x.l.s, x.l.e = s, x.l.s
	return ok
}

// fillSecond fills it with the map of a base that is to be stashed.
func (x *step) fillSecond(next PC) bool {
	*x.record(x.l.e) = filled(x.l.m)
	return x.goTo(next)
}

// stashSecond stashes the base that was loaded into m and k.
func (x *step) stashSecond(b uint8, next, otherwise PC) bool {
	seen := Word0{F: Base, M: x.l.m, K: x.l.k}
	x.l.m, x.l.k = 0, None
	if x.s.c[b] != seen {
		return x.goTo(otherwise)
	}
	x.s.c[b] = Word0{F: BaseOp, S: x.l.e, K: seen.K}
	return x.goTo(next)
}

func (x *step) pushSecond(next PC) bool {
	x.s.free = x.s.free.With(x.l.e)
	x.l.e = noRecord
	return x.goTo(next)
}

// followSecond counts one reference more to the second record, like follow.
func (x *step) followSecond(b uint8, next, again PC) bool {
	if x.m.p.Tied && !x.s.c[b].names(x.l.e) {
		x.l.e = noRecord
		return x.goTo(again)
	}
	x.record(x.l.e).U++
	return x.goTo(next)
}

func (x *step) freeRecord() { x.s.free = x.s.free.With(x.l.s) }

// follow counts one reference more, after the cell was seen to name the record; false if a tied
// machine sees that it does not any more.
func (x *step) follow(b uint8) bool {
	if x.m.p.Tied && !x.s.c[b].names(x.l.s) {
		return false
	}
	x.record(x.l.s).U++
	return true
}

// restored puts the real bits into the cell, if it still names the record; this releases the
// master's hold.
func (x *step) restored(b uint8, real Set) {
	if w := &x.s.c[b]; w.names(x.l.s) {
		*w = Word0{F: Base, M: real, K: w.K}
	}
}

// giveBack counts one reference less; false if others remain. Who gives back the last one restores
// the bits of control and frees the record, in the steps restore and next.
func (x *step) giveBack(b uint8, restore, next PC) bool {
	r := x.record(x.l.s)
	last := r.U == 1
	r.U--
	switch {
	case !last:
		return false
	case x.m.p.Tied:
		x.restored(b, r.Real)
		return x.goTo(next)
	}
	x.l.m = r.Real
	return x.goTo(restore)
}

func (x *step) putBack(b uint8, next PC) bool {
	x.restored(b, x.l.m)
	x.l.m = 0
	return x.goTo(next)
}

// changeMap: the taken map of the base at a gets the bits add and loses the bits drop. It is true if that
// has to be done one step later, in the record that has the map while there are readers.
func (x *step) changeMap(a uint8, add, drop Set) (stashed bool) {
	y := &x.s.tv[a]
	switch {
	case y.F == Stashed && !x.m.p.Tied:
		x.l.e = y.S
		return true
	case y.F == Stashed:
		r := x.record(y.S)
		r.Real = (r.Real | add) &^ drop
	case y.F == TakenBy:
		y.M = (y.M | add) &^ drop
	}
	return false
}

func (x *step) changeStashed(add, drop Set) {
	r := x.record(x.l.e)
	r.Real = (r.Real | add) &^ drop
	x.l.e = noRecord
}
