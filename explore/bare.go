package explore

import "math/bits"

// A bare execution is one in which nothing is decided but who goes next among the actors that are
// ready, and at which nobody looks: most executions of most searches. Its steps are taken here, with
// the same effects as in general (pick, After) and without asking at each step for all that may be
// asked of an execution.

// isBare reports whether the execution about to start is a bare one.
func (e *engine) isBare() bool {
	return (e.quick || e.words != nil) && e.script == nil && e.rec == nil && e.solo == nil &&
		e.views == nil && !e.watch && !e.steering && !e.drawing && e.race == nil && e.o.LockFree == 0
}

// decide is pick at a's scheduling point, or at the start. It reports false, and has done nothing, if
// somebody waits for a condition or nobody is ready: that is for pick.
func (e *engine) decide(a *actor) bool {
	if e.words != nil {
		e.words.decide(a)
		return true
	}
	opts := e.ready
	if opts == 0 || e.waiting != 0 {
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
		e.signals.alive()
	}
	return e.fairness(a, changed)
}
