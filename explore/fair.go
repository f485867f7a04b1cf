package explore

import (
	"cmp"
	"fmt"
	"math/bits"
	"strings"
)

// roundsToLivelock is how often each actor is set aside without progress before the execution
// counts as a livelock.
const roundsToLivelock = 3

// spinState is what fairness knows of one actor.
type spinState struct {
	epoch  uint64 // the progress count that since and asides belong to
	since  int    // accesses and yields since the last progress
	asides int    // times set aside since the last progress
	seen   uint64 // the write count at its last step
	idle   int    // steps since somebody changed something
	own    uint64 // writes by itself
}

// run is an unbroken run of one actor. When it is long, its last steps are kept in a ring to
// find out whether they repeat.
type run struct {
	actor int32
	n     int
	ring  []uint64
}

// fairness accounts for a step of a, which changed something or not. It reports whether a may have to be
// set aside; see repeats.
func (e *engine) fairness(a *actor, changed bool) (long bool) {
	sp := &a.spin
	if changed {
		e.changed()
		sp.own++
	}
	e.lap(a)
	if sp.seen != e.writes {
		sp.seen, sp.idle = e.writes, 0
	} else {
		sp.idle++
	}
	if e.run.actor != a.id {
		e.run.actor, e.run.n = a.id, 0
	}
	e.run.n++
	return e.run.n > e.o.SpinLimit || sp.idle >= e.o.SpinLimit
}

// repeats sets a aside if after the step it has only looked for too long, or goes in circles.
func (e *engine) repeats(a *actor, s access) {
	circles := e.run.n > e.o.SpinLimit && e.circles(s)
	if circles || a.spin.idle >= e.o.SpinLimit {
		e.setAside(a)
	}
}

// changed notes that somebody changed what others see: those that were set aside go on.
func (e *engine) changed() {
	e.writes++
	e.ready |= e.spinning &^ e.resting
	e.spinning &= e.resting
}

// lap counts one step or yield of a since the last progress.
func (e *engine) lap(a *actor) {
	sp := &a.spin
	if sp.epoch != e.progress {
		sp.epoch, sp.since, sp.asides = e.progress, 0, 0
	}
	sp.since++
}

// circles notes a step of a long run and reports whether its last SpinLimit steps are the same few
// over and over, which a loop of writes can be too.
func (e *engine) circles(s access) bool {
	limit := e.o.SpinLimit
	if len(e.run.ring) != limit {
		e.run.ring = make([]uint64, limit)
	}
	at := (e.run.n - 1) % limit
	h := mix64(uint64(uintptr(s.p)), uint64(s.kind), k1)
	if s.ok {
		h ^= k6
	}
	e.run.ring[at] = mix64(mix64(h, s.old, k2), s.new, k4)
	return at == limit-1 && e.run.n >= 2*limit && periodic(e.run.ring)
}

// periodic reports whether s repeats with a period of at most half its length.
func periodic(s []uint64) bool {
	for p := 1; p <= len(s)/2; p++ {
		i := p
		for i < len(s) && s[i] == s[i-p] {
			i++
		}
		if i == len(s) {
			return true
		}
	}
	return false
}

// setAside takes a from the ready actors until somebody changes something. Whatever it was set aside for,
// it may make SpinLimit steps more before that happens again: the rules count from here.
func (e *engine) setAside(a *actor) {
	bit := uint64(1) << uint(a.id)
	if e.spinning&bit != 0 {
		return
	}
	e.ready &^= bit
	e.spinning |= bit
	a.spin.asides++
	if a.spin.idle = 0; e.run.actor == a.id {
		e.run.n = min(e.run.n, e.o.SpinLimit)
	}
	if !e.soloDue() && e.livelocked() {
		e.fail(cmp.Or(e.crowding(), &Failure{Kind: Livelock, Message: e.describeLivelock()}))
	}
}

// livelocked reports whether every actor that could run has been set aside often enough since
// the last progress.
func (e *engine) livelocked() bool {
	for m := e.live; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		a := e.actors[i]
		if e.waiting>>uint(i)&1 == 1 && !a.wait.Holds() {
			continue
		}
		sp := a.spin
		if sp.epoch != e.progress || sp.asides < roundsToLivelock || sp.since < e.o.SpinLimit {
			return false
		}
	}
	return true
}

func (e *engine) describeLivelock() string {
	var who []string
	for m := e.live; m != 0; m &= m - 1 {
		a := e.actors[bits.TrailingZeros64(m)]
		who = append(who, fmt.Sprintf("%s (%d steps)", a.name, a.spin.since))
	}
	return fmt.Sprintf("no progress although everybody had several turns: %s",
		strings.Join(who, ", "))
}

// idles reports whether a, which yields, has found nothing changed since it did so before.
func (e *engine) idles(a *actor) bool {
	if e.red != nil {
		return e.red.yields(a)
	}
	others := e.writes - a.spin.own + 1
	if a.lastYield != others {
		a.lastYield = others
		return false
	}
	return true
}

// Yield implements hook.Scheduler.
func (e *engine) Yield() {
	if a := e.idler(); e.idles(a) {
		e.setsAside(a)
	}
}

// Rest implements hook.Spawner.
func (e *engine) Rest() {
	a := e.idler()
	bit := uint64(1) << uint(a.id)
	if e.resting |= bit; e.red != nil {
		e.red.window(a).reset() // no change of what it looked at wakes it
	}
	e.setsAside(a)
	e.resting &^= bit // also if it goes on alone
}

// idler accounts for the running actor, which finds nothing to do.
func (e *engine) idler() *actor {
	a := e.actors[e.cur]
	if e.unwinding {
		a.refuse()
	}
	e.strays(a)
	e.lap(a)
	return a
}

// setsAside sets the running actor aside, and returns when it is to go on.
func (e *engine) setsAside(a *actor) {
	if e.soloStep(); e.failure == nil {
		e.yields(a)
	}
	if e.red != nil {
		e.red.setAside(a)
	} else {
		e.setAside(a)
	}
	if e.failure != nil {
		e.stop(a)
	}
	e.pick(a)
	if e.cur != a.id {
		a.suspend()
	}
	a.fresh = true
}
