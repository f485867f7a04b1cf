package explore

import (
	"cmp"
	"fmt"
	"math/bits"
	"strings"
)

// roundsToLivelock is how often each actor is set aside without progress until the execution counts as a
// livelock.
const roundsToLivelock = 3

// spinState is what the rules of fairness need to know of one actor.
type spinState struct {
	epoch  uint64 // the progress count that since and asides belong to
	since  int    // accesses and yields since the last progress
	asides int    // times set aside since the last progress
	seen   uint64 // the write count at its last step
	idle   int    // steps since somebody changed something
	own    uint64 // writes by itself
}

// run is an unbroken run of one actor. If it is long, a ring keeps its last steps, to find out whether they
// repeat.
type run struct {
	actor int32
	n     int
	ring  []uint64
}

// fairness counts a step of a, which changed something or not. It reports whether a may have to be set
// aside; see repeats.
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

// repeats sets a aside if, after the step, a has only looked for too long, or repeats the same steps.
func (e *engine) repeats(a *actor, s access) {
	circles := e.run.n > e.o.SpinLimit && e.circles(s)
	if circles || a.spin.idle >= e.o.SpinLimit {
		e.setAside(a)
	}
}

// changed notes a change that others see. Actors that were set aside continue.
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

// circles notes a step of a long run. It reports whether the last SpinLimit steps are the same few steps
// again and again, which is also possible for a loop that writes.
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

// setAside takes a from the ready actors until another actor changes something. Whatever the reason was, the
// counters start again here: a may make SpinLimit further steps before it is set aside again.
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

// livelocked reports whether every actor that could run has been set aside often enough since the last
// progress.
func (e *engine) livelocked() bool {
	for m := e.live; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		a := e.actors[i]
		if e.waiting>>uint(i)&1 == 1 && !a.wait.Holds() {
			continue
		}
		if !e.circling(a) {
			return false
		}
	}
	for i := range e.displaced {
		if d := &e.displaced[i]; (d.spins || d.able(e)) && !e.circling(d.a) {
			return false
		}
	}
	return true
}

// circling reports whether a has been set aside often enough since the last progress.
func (e *engine) circling(a *actor) bool {
	sp := &a.spin
	return sp.epoch == e.progress && sp.asides >= roundsToLivelock && sp.since >= e.o.SpinLimit
}

func (e *engine) describeLivelock() string {
	var who []string
	say := func(a *actor) { who = append(who, fmt.Sprintf("%s (%d steps)", a.name, a.spin.since)) }
	for m := e.live; m != 0; m &= m - 1 {
		say(e.actors[bits.TrailingZeros64(m)])
	}
	for _, d := range e.displaced {
		say(d.a)
	}
	return fmt.Sprintf("no progress although everybody had several turns: %s",
		strings.Join(who, ", "))
}

// idles reports whether a, which yields, has found nothing changed since its previous yield.
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
		e.red.window(a).reset() // no change of a word that it read wakes it
	}
	e.setsAside(a)
	e.resting &^= bit // also if it continues alone
}

// idler counts a yield of the running actor, which has found nothing to do, and returns the actor.
func (e *engine) idler() *actor {
	a := e.actors[e.cur]
	if e.unwinding {
		a.refuse()
	}
	e.strays(a)
	e.lap(a)
	return a
}

// setsAside sets the running actor aside, and returns when the actor continues.
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
