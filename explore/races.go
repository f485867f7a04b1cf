package explore

import (
	"math/bits"
	"slices"
)

// A plan is a node of a wakeup tree: the next step of an actor, and what follows it. The last step of a
// reversal has not been seen in its place yet, so its footprint is known only in part, and is assumed to be
// as large as possible. If a step has several alternatives, the plan is followed after each of them, as far
// as that is possible.
type plan struct {
	actor int32
	last  bool
	print footprint
	next  []*plan
	home  int32    // the frame for which it was made
	one   [1]*plan // memory of next
}

// analyse finds the races of the execution that has ended and plans their reversals.
func (r *reducer) analyse() {
	r.order()
	for j := 0; j < r.n; j++ {
		for _, i := range r.frames[j].races {
			r.reverse(i, j)
		}
	}
	if r.doomed != 0 {
		r.fates()
	}
	e := r.e
	for m := e.left; m != 0; m &= m - 1 {
		if c := bits.TrailingZeros64(m); r.waits[c].waits {
			r.unblock(int32(c))
		}
	}
	if e.outcome == complete || e.outcome == blocked {
		if !r.classes.add(r.sums[r.n-1], 0) {
			e.stats.Repeated++
		}
	}
}

// order computes the clocks and races of the events.
func (r *reducer) order() {
	r.deathSlots = len(r.e.processes)
	if n := r.deathSlots + len(r.e.actors); n > r.width {
		r.width, r.known = n, 0
	}
	r.marks, r.sums = r.marks[:min(len(r.marks), r.known)], r.sums[:min(len(r.sums), r.known)]
	for j := r.known; j < r.n; j++ {
		r.clock(j)
		r.marks = append(r.marks, r.print(j, j))
		r.sums = append(r.sums, r.sum(j))
	}
	r.known, r.most = r.n, max(r.most, r.n)
}

// unblock plans the reversals that make an actor continue that waits for ever: the races of the step that it
// could not make.
func (r *reducer) unblock(c int32) {
	prev, obj := r.last[c], r.waits[c].obj
	ev := event{actor: c, prev: prev, floor: r.floor, wait: r.waits[c], obj: obj,
		earlier: r.objects[obj].latest, write: true, fate: fate{own: r.owned(c), looks: r.doomed}}
	ev.seq = r.seqAfter(c, prev)
	r.suppose(ev, func(j int) {
		r.clock(j)
		for _, i := range r.frames[j].races {
			r.reverse(i, j)
		}
	})
}

// suppose calls f with an event that has not happened, as if it came after the last event of the execution.
func (r *reducer) suppose(ev event, f func(j int)) {
	kept := len(r.frames)
	if kept == r.n {
		r.frames = append(r.frames, frame{})
	}
	saved := r.frames[r.n]
	r.frames[r.n] = frame{event: ev}
	f(r.n)
	r.frames[r.n] = saved
	r.frames = r.frames[:kept]
}

// clockOf returns the vector clock of event i: for each actor, the number of its events that precede i or are
// i.
func (r *reducer) clockOf(i int) []uint32 {
	k := r.width
	return r.clocks[i*k : (i+1)*k]
}

// precedes reports whether event i precedes event j, both with clocks.
func (r *reducer) precedes(i, j int) bool {
	f := &r.frames[i]
	return r.clockOf(j)[r.slot(f.actor)] >= f.seq
}

// clock computes the clock of event j, whose predecessors have theirs, and its races: the events
// of other actors that it depends on with nothing between the two.
func (r *reducer) clock(j int) {
	k := r.width
	for len(r.clocks) < (j+1)*k {
		r.clocks = append(r.clocks, make([]uint32, k)...)
	}
	f, c := &r.frames[j], r.clockOf(j)
	clear(c)
	if f.prev >= 0 && (seeded != orphans || r.frames[f.prev].actor == f.actor) {
		copy(c, r.clockOf(f.prev))
	}
	for i := f.floor - 1; i >= 0; i-- {
		g := &r.frames[i]
		at := r.slot(g.actor)
		c[at] = max(c[at], g.seq)
	}
	f.races = f.races[:0]
	if w := f.waker(); w >= 0 && seeded != unwoken {
		for a, n := range r.clockOf(w) {
			c[a] = max(c[a], n)
		}
	}
	waited := false
	if f.wait.waits {
		waited = r.waitRace(j)
	}
	whole := r.whole || f.call || f.ret || f.dies|f.looks != 0
	for i := r.candidate(j, j, whole); i >= 0; i = r.candidate(i, j, whole) {
		g := &r.frames[i]
		if g.actor == f.actor || c[r.slot(g.actor)] >= g.seq || !r.dependent(i, j) {
			continue
		}
		if !waited || g.obj != f.obj {
			f.races = append(f.races, i)
		}
		for a, n := range r.clockOf(i) {
			c[a] = max(c[a], n)
		}
	}
	c[r.slot(f.actor)] = f.seq
}

// candidate returns the last event before i on which event j may depend directly, or a negative number if
// there is none. Unless calls, returns or waits count, that is an event on j's object, and not one before
// the last change of the object, because all of those precede the change.
func (r *reducer) candidate(i, j int, whole bool) int {
	switch {
	case whole:
		return i - 1
	case i < j && r.frames[i].write:
		return -1
	}
	return r.frames[i].earlier
}

// waitRace finds the race of a step that waited for a condition of its object: the last event on the object
// before which the condition held too. The later events made the condition true again, and cannot be undone
// by themselves. It is called with the clock of the actor's past.
func (r *reducer) waitRace(j int) bool {
	f, c := &r.frames[j], r.clockOf(j)
	for i := j - 1; i >= 0; i-- {
		g := &r.frames[i]
		if g.actor == f.actor || c[r.slot(g.actor)] >= g.seq || g.obj != f.obj || !(g.write || f.write) {
			continue
		}
		if r.held1(i, f) {
			f.races = append(f.races, i)
			break
		}
	}
	return true
}

// held1 reports whether the condition of f's step held before event i. A condition that wants another value
// than zero is one on a word of the waiter itself (Cond), which no event shows.
func (r *reducer) held1(i int, f *frame) bool {
	if f.wait.cond.Want != 0 {
		return f.wait.held >= 0 && i >= f.wait.held
	}
	return r.frames[i].old&f.wait.cond.Mask == f.wait.cond.Want
}

// reverse plans an execution in which event j comes before event i; there j may do something else. After the
// prefix up to i come all events that do not depend on i, and then the step of j's actor. Nothing is planned
// if that was searched already, or if another plan covers it.
func (r *reducer) reverse(i, j int) {
	v := r.racing[:0]
	for k := i + 1; k < r.n; k++ {
		if k != j && !r.precedes(i, k) {
			v = append(v, k)
		}
	}
	r.racing = v
	switch f := &r.frames[j]; {
	case f.resumed && !r.resumable(i, j, v), f.dies != 0 && !r.mayDie(i, j, v):
		return
	}
	r.replan(i, j, v)
}

// replan plans the events v, and then the step of j's actor, in place of event i.
func (r *reducer) replan(i, j int, v []int) {
	w := reversal{r: r, at: i, last: r.frames[j].actor, end: r.reversed(i, j), events: v}
	f := &r.frames[i]
	for s := range f.sleep {
		if w.starts(&f.sleep[s]) {
			return
		}
	}
	w.insert(&f.tree, int32(i))
}

// resumable reports whether the actor of j, which was set aside before, would be taken back
// without event i: by a change before it, or among the events v.
func (r *reducer) resumable(i, j int, v []int) bool {
	f := &r.frames[j]
	wakes := func(k int) bool {
		g := &r.frames[k].event
		return g.actor != f.actor && (g.wakes(&f.event) || g.dies&f.vigil != 0)
	}
	for k := f.prev + 1; k < i; k++ {
		if wakes(k) {
			return true
		}
	}
	for _, k := range v {
		if k > f.prev && wakes(k) {
			return true
		}
	}
	return false
}

// reversed returns what is known of the footprint of event j if event i has not happened. If i did not
// change j's object, j does the same. Otherwise a step that is not a plain load may change the object,
// except that a CompareAndSwap that succeeded fails; and the operation may return, or look which processes
// are alive. The same holds if i is a death that j was told of.
func (r *reducer) reversed(i, j int) footprint {
	f, g := &r.frames[j].event, &r.frames[i].event
	p := r.print(j, i)
	told, changed := g.dies&f.looks != 0, g.obj == f.obj && g.write
	if f.kind.Channel() || len(g.also) > 0 {
		changed = changed || g.wakes(f)
	}
	if told || changed {
		p.ret, p.looks, p.own = r.e.o.Histories, r.doomed, r.owned(f.actor)
	}
	if changed {
		p.write = changesAnew(f.kind, f.new, f.ok, g.old)
	}
	// If other actors wait at several channels, j may end the wait of one of them.
	p.unknown = p.unknown || told && f.blind || changed && f.kind.Channel() && r.wide && seeded != hasty
	return p
}

// A reversal is a sequence of steps for the search from a frame on: events of the execution, and then the
// next step of an actor.
type reversal struct {
	r      *reducer
	at     int // that frame
	events []int
	last   int32 // actor of the last step, -1 after that was taken out
	end    footprint
}

// empty reports whether all steps were taken out.
func (w *reversal) empty() bool { return len(w.events) == 0 && w.last < 0 }

// find returns the position of the actor's first step: its index in events, len(events) for the last step,
// or a negative number.
func (w *reversal) find(actor int32) int {
	for k, i := range w.events {
		if w.r.frames[i].actor == actor {
			return k
		}
	}
	if w.last == actor {
		return len(w.events)
	}
	return -1
}

// initial reports whether nothing in the reversal has to come before its event k.
func (w *reversal) initial(k int) bool {
	for _, m := range w.events[:k] {
		if w.r.precedes(m, w.events[k]) {
			return false
		}
	}
	return true
}

// alone reports whether a step with that footprint depends on none of the events. The step is of a frame
// that does not come after the reversal's.
func (w *reversal) alone(p *footprint) bool {
	for _, k := range w.events {
		if p.depends(&w.r.marks[k]) {
			return false
		}
	}
	return true
}

// starts reports whether the sleeper guarantees that every execution that begins with the reversal was or
// will be found. This is so if the sleeper may come first, or depends on nothing in the reversal, so that
// its own races reach further.
func (w *reversal) starts(s *sleeper) bool {
	switch k := w.find(s.actor); {
	case k < 0:
		return w.independent(s.prints)
	case k == len(w.events):
		for i := range s.prints {
			if !w.alone(&s.prints[i]) {
				return false
			}
		}
		return true
	default:
		return w.initial(k)
	}
}

// independent reports whether none of the footprints depends on any step of the reversal.
func (w *reversal) independent(prints []footprint) bool {
	for i := range prints {
		if w.last >= 0 && prints[i].depends(&w.end) || !w.alone(&prints[i]) {
			return false
		}
	}
	return true
}

// insert adds the reversal to a wakeup tree: along the first branches that are consistent with it, and from
// there as a branch of its own. The part of a reversal beyond a leaf is added after the leaf. So the search
// that begins there comes to it without a race of its own, although some actors sleep there that did not
// sleep when the reversal was found.
func (w *reversal) insert(tree *[]*plan, home int32) {
	for i := 0; i < len(*tree); {
		p := (*tree)[i]
		if !w.follow(p) {
			i++
			continue
		}
		if w.empty() {
			return
		}
		tree, home, i = &p.next, p.home, 0
	}
	*tree = append(*tree, w.chain(home))
}

// follow reports whether the reversal is consistent with the step of p, and takes the step out.
func (w *reversal) follow(p *plan) bool {
	k := w.find(p.actor)
	switch {
	case k < 0:
		return (w.last < 0 || !p.print.depends(&w.end)) && w.alone(&p.print)
	case k == len(w.events):
		known := &w.end
		if !p.last {
			known = &p.print
		}
		if !w.alone(known) {
			return false
		}
		w.last = -1
		return true
	}
	if !w.initial(k) {
		return false
	}
	w.events = slices.Delete(w.events, k, k+1)
	return true
}

// chain makes a branch of the reversal, which is not empty. The branch belongs to frame home.
func (w *reversal) chain(home int32) *plan {
	n := len(w.events)
	if w.last >= 0 {
		n++
	}
	plans := w.r.plot(home, n)
	for k, i := range w.events {
		p := &plans[k]
		p.actor, p.last, p.print = w.r.frames[i].actor, false, w.r.marks[i]
		p.print.comparable = w.at
	}
	if w.last >= 0 {
		p := &plans[n-1]
		p.actor, p.last, p.print = w.last, true, w.end
	}
	for k := range plans {
		p := &plans[k]
		p.home, p.next = home, nil
		if k+1 < n {
			p.one[0] = &plans[k+1]
			p.next = p.one[:]
		}
	}
	return &plans[0]
}

// plot returns memory for n plans. The memory is free again when frame home is removed: the plans are only
// added to the tree of that frame, or of a later one.
func (r *reducer) plot(home int32, n int) []plan {
	for len(r.plots) <= int(home) {
		r.plots = append(r.plots, nil)
	}
	p := &r.plots[home]
	at := len(*p)
	if at+n > cap(*p) { // the plans in the old memory stay there
		*p, at = make([]plan, 0, max(n, 2*cap(*p))), 0
	}
	*p = (*p)[:at+n]
	return (*p)[at:]
}

// sum returns the class of the execution up to event i: a hash of which events precede which. It is the same
// for all executions that differ only in the order of independent steps.
func (r *reducer) sum(i int) key {
	f := &r.frames[i]
	k := actorKey(uint64(f.actor)).then(uint64(f.seq))
	for _, c := range f.choices {
		if !c.kill || c.value == 1 {
			k = k.then(uint64(c.value) + 1)
		}
	}
	for a, n := range r.clockOf(i) {
		if n > 0 { // then actors that were not made yet count for nothing
			k = k.then(uint64(a)<<32 | uint64(n))
		}
	}
	if i > 0 {
		k = key{k.a + r.sums[i-1].a, k.b + r.sums[i-1].b}
	}
	return k
}
