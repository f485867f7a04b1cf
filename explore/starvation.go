package explore

import (
	"fmt"
	"math/bits"
)

// Starvation is bounded by Options.Starvation: no actor that can continue waits for more than so many
// decisions of others. Then it goes next, whatever the search would have chosen. Without a bound a search
// meets schedules in which some actors never get a turn, and which have no end if the others work until
// somebody stops them. These are the unfair schedules; no scheduler of an operating system has them. After
// Musuvathi and Qadeer: Fair Stateless Model Checking, PLDI 2008, where an actor that yields lets the others
// go first. Here no actor has to yield.
//
// The actor that advances an ordered clock waits like any other while somebody waits for the clock. So the
// clock goes on in the end, even if some actor can always continue.

// starving returns an actor that has waited for as many decisions as an actor may wait, or noActor. The
// enabled actors can continue.
func (e *engine) starving(enabled uint64) int {
	for m := enabled | e.spinning&e.resting; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); e.actors[i].passed >= e.o.Starvation {
			return i
		}
	}
	return noActor
}

const noActor = -1

// promote lets that actor go next. It takes it back if it rests.
func (e *engine) promote(i int) (opts uint64) {
	opts = 1 << uint(i)
	if e.spinning&e.resting&opts != 0 {
		e.spinning &^= opts
		e.resting &^= opts
		e.ready |= opts
	}
	e.starved = true
	if w, draws := e.walk.(*walk); draws && e.drawing && !w.learning() {
		if p, is := w.s.(*pctWalk); is {
			p.promote(e.actors[i].number)
		}
	}
	return opts
}

// passOver counts the decision for c as one for which the others that can continue have waited.
func (e *engine) passOver(enabled uint64, c int) {
	for m := enabled | e.spinning&e.resting; m != 0; m &= m - 1 {
		e.actors[bits.TrailingZeros64(m)].passed++
	}
	e.actors[c].passed = 0
}

// checkStarvation refuses options with which a turn that is forced would hide executions.
func (o Options) checkStarvation() error {
	switch {
	case o.Starvation < 0:
		return fmt.Errorf("%w: Starvation is %d; use 0 for no limit, or a limit from 1", ErrOptions,
			o.Starvation)
	case o.Starvation > 0 && (o.Kills > 0 || o.Reduce || o.Stateful || o.Solo > 0):
		return fmt.Errorf("%w: Starvation with Kills, Reduce, Stateful or Solo; they search what can follow "+
			"from each state, and with Starvation that depends on what came before: leave it out", ErrOptions)
	}
	return nil
}
