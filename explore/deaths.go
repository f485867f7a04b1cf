package explore

import (
	"math/bits"
	"slices"
)

// With Options.Reduce the deaths of processes are searched set by set: for each set of at most Kills
// processes, beginning with the empty set, all executions in which exactly these processes die. In them a
// death is one more step that has to occur, made by no actor: its actor number is killBit plus the first
// actor of the process. The death depends on each step of the process's actors, and on each step that looks
// whether the process is alive, as if each of these steps read one word and the death changed it. The step
// is possible whenever a death is, so nothing that is independent of the death makes it possible or
// impossible.
//
// An actor that dies leaves a step undone. That step could have come before the death. It is planned there
// as if it were the next event of the actor, which may be anything (survive). A process whose actors have
// ended before its death could have died before the last step of each of its actors (outlived). Such an
// execution belongs to a smaller set, and is cut. An execution in which the last death, of a process or of a
// single actor, comes when nothing is left to do is cut as well, because the search of all executions has no
// such execution. A death when no actor can continue does not alone make an execution one of these: if some
// step need not come before that death, the execution stands for an order in which some actor can continue.
//
// Actors that wait for a change by others are taken back (quiesce) when no death can come any more.

// A fate says how an event concerns the lives of processes, as sets of the processes that will die.
type fate struct {
	own   uint64 // the process of its actor
	looks uint64 // processes of which its code was told whether they are alive
	dies  uint64 // the process that it ends
}

// decides reports whether one of two events is a death that concerns the other event.
func (f fate) decides(g fate) bool {
	return f.dies&(g.own|g.looks) != 0 || g.dies&(f.own|f.looks) != 0
}

// doom moves on to the next set of processes that will die, and reports whether there is one. It takes all
// sets of one size before the sets of the next size.
func (r *reducer) doom() bool {
	n, size := len(r.e.processes), bits.OnesCount64(r.doomed)
	next := uint64(1)
	if low := r.doomed & -r.doomed; low != 0 { // the next larger number with as many bits
		carried := r.doomed + low
		next = carried | (r.doomed^carried)/low>>2
	}
	if size == 0 || next>>uint(n) != 0 {
		size++
		next = 1<<uint(size) - 1
	}
	if size > min(r.e.o.Kills, n) {
		return false
	}
	r.doomed, r.known, r.frames, r.asleep = next, 0, r.frames[:0], r.asleep[:0]
	return true
}

// pending returns the processes that have yet to die.
func (r *reducer) pending() uint64 { return r.doomed &^ r.e.gone }

// deaths returns the options of the deaths that have to come and are possible now.
func (r *reducer) deaths() (opts uint64) {
	if r.pending() == 0 {
		return 0
	}
	for m := r.e.deaths(); m != 0; m &= m - 1 {
		if bit := m & -m; r.processOf(int32(bits.TrailingZeros64(bit)))&r.doomed != 0 {
			opts |= bit
		}
	}
	return opts
}

// processOf returns the process of an actor, or of a death, as a set.
func (r *reducer) processOf(actor int32) uint64 {
	if actor >= killBit {
		actor -= killBit
	}
	if p := r.e.actors[actor].process; p != nobody {
		return 1 << uint(p)
	}
	return 0
}

// owned returns the process of an actor as a set, if steps of the actor depend on its death.
func (r *reducer) owned(actor int32) uint64 {
	if r.doomed == 0 || seeded == immortal {
		return 0
	}
	return r.processOf(actor) & r.doomed
}

// slot returns the entry of an actor, or of the death of a process, in the clocks. The processes come first.
func (r *reducer) slot(actor int32) int {
	if actor >= killBit {
		return int(r.e.actors[actor-killBit].process)
	}
	return r.deathSlots + int(actor)
}

// death makes the event of a death. It reuses the memory of another event.
func (r *reducer) death(c int32, old *event) event {
	return event{actor: c, prev: none, seq: 1, floor: r.floor, obj: none, earlier: none,
		watch: old.watch[:0], choices: old.choices[:0], races: old.races,
		fate: fate{dies: r.processOf(c)}}
}

// die ends the process whose death was opened as an event.
func (r *reducer) die(c int32) {
	e, ev := r.e, &r.frames[r.n-1].event
	set := e.members(e.actors[c-killBit].process)
	ev.struck, ev.aside = set&e.live, set&e.spinning
	r.frames[r.n-1].fresh = false
	r.note(int(c))
	e.kill(int(c - killBit))
}

// look notes that a is told whether a process is alive.
func (r *reducer) look(a *actor, process int32) {
	bit := uint64(1) << uint(process)
	if r.searches() && r.n > 0 && seeded != unseen {
		ev := &r.frames[r.n-1].event
		ev.looks |= bit & r.doomed
		ev.blind = ev.blind || ev.obj == none
	}
	w := r.window(a)
	if w.lives&bit != 0 && (w.gone^r.e.gone)&bit != 0 {
		w.reset()
	}
	w.lives |= bit
	w.gone = w.gone&^bit | r.e.gone&bit
}

// died lets waiting actors continue that have looked whether the process is alive.
func (r *reducer) died(process int32) {
	e := r.e
	for i := range e.actors {
		if w := &r.windows[i]; w.watching && w.lives>>uint(process)&1 == 1 {
			w.watching, w.resumed = false, true
			e.spinning &^= 1 << uint(i)
			e.ready |= e.live & (1 << uint(i))
		}
	}
}

// mourns reports whether a death comes when no actor can continue, so that actors that wait go on waiting.
func (r *reducer) mourns() bool {
	if r.searches() {
		return r.deaths() != 0
	}
	return r.e.script.kills(r.e)
}

// over ends an execution in which nothing can happen any more.
func (r *reducer) over() {
	if r.pending() == 0 && !r.vainDeath() {
		r.e.stuck()
		return
	}
	r.ended, r.e.outcome = r.pending(), asleep
}

// vainDeath reports whether the last death comes after everything else: no step can come after all deaths,
// and no death prevented a step. An actor without a process dies with a step of its own, so whatever comes
// after that step comes after the death.
func (r *reducer) vainDeath() bool {
	if r.e.dead == 0 && r.doomed == 0 {
		return false
	}
	r.order()
	for i := range r.n {
		f := &r.frames[i]
		late := f.dies == 0 && !f.kills() || r.prevents(i)
		for d := i + 1; late && d < r.n; d++ {
			g := &r.frames[d]
			late = g.dies == 0 && !g.kills() || g.dies&r.processOf(f.actor) == 0 && !r.precedes(i, d)
		}
		if late {
			return false
		}
	}
	return true
}

// prevents reports whether the death of event i has ended an actor that could have continued if the death
// had come after everything that does not depend on it. An actor that waits could continue if its last step
// only read. So its next step counts as one that the death has prevented (Process.ReadsDie).
func (r *reducer) prevents(i int) bool {
	f := &r.frames[i]
	if f.kills() {
		return r.free(i, f.actor)
	}
	for m := f.struck; m != 0; m &= m - 1 {
		c := int32(bits.TrailingZeros64(m))
		if r.free(i, c) || r.last[c] >= 0 && !r.precedes(r.last[c], i) {
			return true
		}
	}
	return false
}

// kills reports whether the actor dies after the event, and does not belong to a process.
func (ev *event) kills() bool {
	n := len(ev.choices)
	return n > 0 && ev.choices[n-1].kill && ev.choices[n-1].value == 1
}

// free reports whether actor c, which the death of event i has ended, need not wait for its condition after
// everything that does not depend on the death. If that is not known, the result is true.
func (r *reducer) free(i int, c int32) bool {
	s := &r.waits[c]
	if !s.waits || s.cond.Want != 0 {
		return !s.waits || s.cond.Holds()
	}
	found, known := *s.cond.Word, true
	for k := r.n - 1; k >= 0; k-- {
		g := &r.frames[k]
		beside := slices.Contains(g.also, s.obj) // what it found there is not known
		if !beside && (g.obj != s.obj || !g.write) {
			continue
		}
		if k <= i || !r.precedes(i, k) {
			break
		}
		found, known = g.old, !beside
	}
	return !known || found&s.cond.Mask == s.cond.Want
}

// fates plans the steps that the deaths of the execution have prevented, and the deaths that did not come.
func (r *reducer) fates() {
	for i := range r.n {
		for m := r.frames[i].struck; m != 0; m &= m - 1 {
			r.survive(i, int32(bits.TrailingZeros64(m)))
		}
	}
	for m := r.ended; m != 0; m &= m - 1 {
		p := int32(bits.TrailingZeros64(m))
		c := int32(killBit + bits.TrailingZeros64(r.e.members(p)))
		r.suppose(r.death(c, &event{}), func(j int) { r.outlived(p, j) })
	}
}

// survive plans an execution in which actor c makes one more step before the death of event i, which ended
// it.
func (r *reducer) survive(i int, c int32) {
	ev := event{actor: c, prev: r.last[c], obj: none, earlier: none, unknown: true,
		fate: fate{own: r.owned(c)}}
	ev.seq = r.seqAfter(c, ev.prev)
	if r.frames[i].aside>>uint(c)&1 == 1 {
		ev.resumed, ev.vigil = true, r.windows[c].lives
		for _, s := range r.windows[c].objects {
			ev.watch = append(ev.watch, s.obj)
		}
	}
	if s := &r.waits[c]; s.waits {
		ev.wait = *s
		ev.obj, ev.write, ev.earlier = s.obj, true, r.objects[s.obj].latest
	}
	r.suppose(ev, func(j int) {
		if k := r.bar(i, j); k >= 0 {
			r.reverseBoth(i, k, j)
		} else {
			r.reverse(i, j)
		}
	})
}

// bar returns the event that makes event j wait for its condition in the execution without the death of
// event i: the last event before which the condition held. It is negative if j need not wait there.
func (r *reducer) bar(i, j int) int {
	f := &r.frames[j]
	if f.wait.cond.Want != 0 || r.free(i, f.actor) {
		return none
	}
	for k := r.n - 1; k >= 0; k-- {
		past := f.prev >= 0 && r.precedes(k, f.prev)
		if r.frames[k].obj == f.obj && !past && (k < i || !r.precedes(i, k)) && r.held1(k, f) {
			return k
		}
	}
	return none
}

// reverseBoth is reverse for two events that event j has to come before.
func (r *reducer) reverseBoth(i, k, j int) {
	first := min(i, k)
	v := r.racing[:0]
	for m := first + 1; m < r.n; m++ {
		if m != j && m != i && m != k && !r.precedes(i, m) && !r.precedes(k, m) {
			v = append(v, m)
		}
	}
	r.racing = v
	r.replan(first, j, v)
}

// outlived plans the death of event j, which did not come, before the events that ended process p: the last
// step of each of its actors.
func (r *reducer) outlived(p int32, j int) {
	own := uint64(1) << uint(p)
	for i := range r.n {
		last := r.frames[i].dies == 0 && r.processOf(r.frames[i].actor) == own
		for m := i + 1; last && m < r.n; m++ {
			last = r.frames[m].dies != 0 || r.processOf(r.frames[m].actor) != own || !r.precedes(i, m)
		}
		if last {
			r.reverse(i, j)
		}
	}
}

// mayDie reports whether the process that dies by event j could die before event i, after the events v that
// follow it here. For that the process has to exist.
func (r *reducer) mayDie(i, j int, v []int) bool {
	dies := r.frames[j].dies
	if r.e.processes[bits.TrailingZeros64(dies)].Present {
		return true
	}
	there := func(k int) bool {
		f := &r.frames[k]
		return f.accessed && r.processOf(f.actor) == dies
	}
	for k := range i {
		if there(k) {
			return true
		}
	}
	for _, k := range v {
		if there(k) {
			return true
		}
	}
	return false
}
