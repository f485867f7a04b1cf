package explore

import (
	"fmt"
	"math/bits"
)

// A search with Options.Delays is that of delay-bounded scheduling (Emmi, Qadeer, Rakamarić: POPL 2011).
// Without a delay the schedule is fixed: an actor runs until it ends or waits, and the next actor in turn
// follows. A delay skips the actor whose turn it is, so choosing the actor that is k places behind costs k
// delays. A data choice other than the first costs one delay. With n accesses and d delays there are about
// n^d executions, however many actors there are. Within a bound on preemptions, in contrast, the actors that
// begin, end and wait may come in every order.

// delayed returns the options at a's scheduling point for which enough delays are left.
func (e *engine) delayed(a *actor, opts uint64) uint64 {
	if e.o.Delays == 0 || e.script != nil || opts == 0 {
		return opts
	}
	c := first(a, opts)
	left := uint64(0)
	for k := 0; k <= e.o.Delays-e.delays && opts != 0; k++ {
		left |= 1 << uint(c)
		opts &^= 1 << uint(c)
		c = following(c, opts)
	}
	return left
}

// following is the option that is next in turn behind c.
func following(c int, opts uint64) int {
	if later := opts >> uint(c) << uint(c); later != 0 {
		return bits.TrailingZeros64(later)
	}
	return bits.TrailingZeros64(opts)
}

// pay counts the delays that the choice of c among the options costs at a's scheduling point.
func (e *engine) pay(a *actor, opts uint64, c int) {
	if e.o.Delays == 0 {
		return
	}
	for at := first(a, opts); at != c; at = following(at, opts) {
		opts &^= 1 << uint(at)
		e.delays++
	}
}

// choices returns how many of n values a data choice may take. Each value other than the first costs a
// delay.
func (e *engine) choices(n int) int {
	if e.o.Delays > 0 && e.script == nil && e.delays >= e.o.Delays {
		return 1
	}
	return n
}

// checkDelays refuses options that have no meaning with a bound on delays, or that hide executions within
// it.
func (o Options) checkDelays() error {
	why := ""
	switch {
	case o.Delays < 0:
		return fmt.Errorf("%w: Delays is %d; use 0 for no bound, or a bound from 1", ErrOptions, o.Delays)
	case o.Delays == 0:
		return nil
	case o.Preemptions != Unbounded:
		why = "a preemption bound; a search has one bound: use Unbounded"
	case o.Kills > 0:
		why = "Kills; a death is not delayed: use a preemption bound"
	case o.Reduce || o.Stateful:
		why = "Reduce or Stateful; equivalent executions differ in their delays: leave it out"
	case o.Walks > 0:
		why = "Walks; random executions have no bound: use one of the two"
	case o.Solo > 0:
		why = "Solo, which needs the states that the bound leaves out: use another search"
	}
	if why != "" {
		return fmt.Errorf("%w: Delays with %s", ErrOptions, why)
	}
	return nil
}
