package explore

import "math/bits"

// A wordPlan is a node of a wakeup tree (see plan): the next step of an actor, and what follows it.
type wordPlan struct {
	actor int8
	last  bool      // the last step of a reversal, whose footprint is known only in part
	print wordPrint // if last, as large as it can be
	next  planList  // what follows it
	after int32     // the branch after this one, 0: none
}

// A planList is a sequence of branches.
type planList struct{ first, last int32 } // 0: none

// fresh returns a plan that is not in use.
func (w *wordReducer) fresh() int32 {
	if i := w.spare.first; i != 0 {
		w.spare.first = w.plans[i].after
		return i
	}
	if len(w.plans) == 0 {
		w.plans = append(w.plans, wordPlan{}) // number 0 stands for none
	}
	w.plans = append(w.plans, wordPlan{})
	return int32(len(w.plans) - 1)
}

// release gives back one plan, without what follows it.
func (w *wordReducer) release(i int32) {
	w.plans[i].after = w.spare.first
	w.spare.first = i
}

// drop gives back all plans of a list.
func (w *wordReducer) drop(l *planList) {
	for l.first != 0 {
		p := &w.plans[l.first]
		i := l.first
		l.first = p.after
		w.drop(&p.next)
		w.release(i)
	}
	l.last = 0
}

// add adds a branch to a list.
func (w *wordReducer) add(l *planList, i int32) {
	if l.first == 0 {
		l.first = i
	} else {
		w.plans[l.last].after = i
	}
	l.last = i
}

// plan takes the next planned branch of the frame, and reports whether there is one. In a program of words
// the branch is always possible: without deaths and choices, everything before it is as it was when it was
// planned.
func (w *wordReducer) plan(f *wordFrame) bool {
	i := f.tree.first
	if i == 0 {
		return false
	}
	p := &w.plans[i]
	f.tree.first, f.actor, f.below = p.after, int32(p.actor), p.next
	w.release(i)
	return true
}

// A wordReversal is a sequence of steps for the search from a frame on: steps of the execution, and then the
// next step of an actor.
type wordReversal struct {
	w     *wordReducer
	steps uint64
	last  int // actor of the last step, -1 after that was taken out
	end   wordPrint
}

// reverse plans, for each step j that races with step i, an execution in which j comes before i; there j may
// do something else. After the prefix up to i come all steps that do not depend on i, and then the step of
// j's actor. Nothing is planned if that was searched already, or if another plan covers it.
func (w *wordReducer) reverse(i int) {
	f, independent := &w.frames[i], uint64(0)
	for k := i + 1; k < w.n; k++ {
		independent |= (^w.frames[k%wordSteps].before >> uint(i) & 1) << uint(k)
	}
	for m := f.races &^ f.settled; m != 0; m &= m - 1 {
		j := bits.TrailingZeros64(m)
		g := &w.frames[j]
		v := wordReversal{w: w, steps: independent, last: int(g.actor), end: g.print}
		if f.print.changes() { // then j does something else: see reducer.reversed
			v.end &^= 1
			if s := &w.e.rep.log[j]; changesAnew(s.kind, s.new, s.ok, w.e.rep.log[i].old) {
				v.end |= 1
			}
		}
		if first := v.slept(f); first == 0 {
			v.insert(f)
		} else if first < 1<<uint(j) { // whatever follows j in other executions
			f.settled |= 1 << uint(j)
		}
	}
}

// slept returns a number that is not 0 if a sleeper guarantees that everything that begins with the reversal
// was or will be found. The number is the step of the sleeper, or a bit beyond all steps.
func (v *wordReversal) slept(f *wordFrame) uint64 {
	for m := f.asleep; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		if own := v.steps & v.w.steps[c%wordActors]; own != 0 {
			if v.initial(own) {
				return own & -own
			}
		} else if p := f.sleeper(c); v.alone(p) && (c == v.last || !p.depends(v.end)) {
			return ^uint64(0)
		}
	}
	return 0
}

// alone reports whether a step with that footprint depends on none of the steps.
func (v *wordReversal) alone(p wordPrint) bool {
	on := v.w.objects[p.object()].steps & v.steps
	if !p.changes() {
		on &= v.w.changes
	}
	return on == 0
}

// initial reports whether nothing in the reversal has to come before the first of an actor's steps in it.
func (v *wordReversal) initial(own uint64) bool {
	return v.w.frames[bits.TrailingZeros64(own)].before&v.steps == 0
}

// insert adds the reversal to the frame's wakeup tree: along the first branches that are consistent with it,
// and from there as a branch of its own. See reversal.insert.
func (v *wordReversal) insert(f *wordFrame) {
	w, at := v.w, int32(0)
	for i := f.tree.first; i != 0; {
		if p := &w.plans[i]; !v.follow(p) {
			i = p.after
		} else {
			at, i = i, p.next.first
		}
	}
	for v.steps != 0 || v.last >= 0 {
		i := v.shift()
		l := &f.tree
		if at != 0 {
			l = &w.plans[at].next
		}
		w.add(l, i)
		at = i
	}
}

// shift makes a plan of the first step and takes it out.
func (v *wordReversal) shift() int32 {
	w := v.w
	i := w.fresh()
	if v.steps == 0 {
		w.plans[i] = wordPlan{actor: int8(v.last), last: true, print: v.end}
		v.last = -1
		return i
	}
	f := &w.frames[bits.TrailingZeros64(v.steps)]
	w.plans[i] = wordPlan{actor: int8(f.actor), print: f.print}
	v.steps &= v.steps - 1
	return i
}

// follow reports whether the reversal is consistent with the step of p, and takes the step out.
func (v *wordReversal) follow(p *wordPlan) bool {
	own := v.steps & v.w.steps[uint8(p.actor)%wordActors]
	switch {
	case own != 0:
		if !v.initial(own) {
			return false
		}
		v.steps &^= own & -own
		return true
	case int(p.actor) == v.last:
		known := v.end
		if !p.last {
			known = p.print
		}
		if !v.alone(known) {
			return false
		}
		v.last = -1
		return true
	}
	return (v.last < 0 || !p.print.depends(v.end)) && v.alone(p.print)
}
