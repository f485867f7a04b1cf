package explore

import "math/bits"

// In a bare execution the only decision is which of the ready actors goes next, and nothing observes the
// steps. Most executions of most searches are bare. Their steps are taken here, with the same effects as in
// general (pick, After), but without the checks at each step for features that the execution does not use.

// isBare reports whether the execution about to start is a bare one.
func (e *engine) isBare() bool {
	return (e.quick || e.words != nil) && e.script == nil && e.rec == nil && e.solo == nil &&
		e.views == nil && !e.watch && !e.steering && !e.drawing && e.race == nil && e.o.LockFree == 0 &&
		e.o.Starvation == 0
}

// decide is pick at a's scheduling point, or at the start. If an actor waits for a condition, or none is
// ready, it does nothing and returns false, and the caller calls pick.
func (e *engine) decide(a *actor) bool {
	if e.words != nil {
		e.words.decide(a)
		return true
	}
	opts := e.ready
	if opts == 0 || e.waiting != 0 || e.crowded {
		return false
	}
	me := int32(driver)
	if a != nil {
		me = a.id
	}
	var c int32
	switch {
	case opts&(opts-1) == 0:
		c = int32(bits.TrailingZeros64(opts))
	case e.pos < len(e.trail):
		if e.rep.logging {
			e.point(me)
		}
		n := &e.trail[e.pos]
		e.pos++
		if c = int32(n.chosen); n.opts != opts || n.data {
			e.diverged(n, opts)
			return true
		}
	default:
		if e.rep.logging {
			e.point(me)
		}
		c = int32(first(a, opts))
		e.pos++
		e.trail = append(e.trail, node{opts: opts, left: opts &^ (1 << uint(c)), chosen: uint8(c)})
	}
	if c != me {
		if a.stands() && opts>>uint(me)&1 == 1 {
			e.preempts++
		}
		e.cur = c
	}
	return true
}

// step is After, for a step that changed something or not. See fairness for what it reports.
func (e *engine) step(a *actor, changed bool) (long bool) {
	e.steps++
	e.sinceEnd++
	a.atBegin = false
	if a.operation++; a.always > 0 && a.operation > a.always {
		e.overlong(a)
	}
	if e.steps%256 == 0 {
		e.beat()
	}
	return e.fairness(a, changed)
}
