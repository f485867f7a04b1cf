package explore

import (
	"fmt"
	"math/bits"
	"strings"
)

// A node is a decision with at least two alternatives. Bit i of its masks means "actor i makes
// the next step", bit 32+i means "actor i dies"; in a data choice bit i means the value i.
type node struct {
	opts   uint64 // all alternatives
	left   uint64 // those not searched yet
	chosen uint8
	data   bool
}

// killBit is the option number of the death of actor 0.
const killBit = MaxActors

// pick decides which actor makes the next step, and puts it into e.cur. The decision is taken by a at its
// scheduling point, by the driver (a == nil) at the start of an execution, or on behalf of an actor that has
// just got the place of an actor that ended.
func (e *engine) pick(a *actor) {
	if e.red != nil && e.red.searches() {
		e.red.pick(a)
		return
	}
	if a != nil && e.ready == e.live && e.ready&(e.ready-1) == 0 && e.alone(a) {
		a.stepped = false
		return
	}
	if e.bare && e.decide(a) {
		return
	}
	for {
		e.decisions++
		if e.script.soloNext(e); e.soloDue() {
			e.pickSolo()
			return
		}
		enabled := e.enabled()
		e.noteState(a, enabled)
		opts, forced := e.alternatives(a, enabled)
		if opts == 0 {
			e.stuck()
			return
		}
		c, ok := bits.TrailingZeros64(opts), true
		switch {
		case e.script != nil:
			c, ok = e.script.pick(e, a, opts)
		case opts&(opts-1) != 0:
			if c, ok = e.branch(a, opts, enabled); ok {
				ok = !e.leaveShard()
			}
		}
		if a != nil {
			a.stepped = false
		}
		if !ok {
			e.cur = driver
			return
		}
		if e.rec != nil {
			e.rec.pick(c)
		}
		e.pay(a, opts, c)
		if c < killBit {
			if a.stands() && int32(c) != a.id && enabled>>uint(a.id)&1 == 1 && !forced {
				e.preempts++
			}
			if e.o.Starvation > 0 {
				e.passOver(enabled, c)
			}
			e.cur, e.stirred = int32(c), 0
			return
		}
		if e.kill(c - killBit); e.failure != nil {
			e.cur = driver
			return
		}
	}
}

// alternatives returns what may come next at a's scheduling point. forced is set if that is only the turn of
// an actor that has waited for too long.
func (e *engine) alternatives(a *actor, enabled uint64) (opts uint64, forced bool) {
	if e.o.Starvation > 0 {
		if i := e.starving(enabled); i != noActor {
			return e.promote(i), true
		}
	}
	return e.delayed(a, e.options(a, enabled)), false
}

// alone reports whether there is only one decision: a continues.
func (e *engine) alone(a *actor) bool {
	return e.ready == 1<<uint(a.id) && e.killsLeft == 0 && e.script == nil && e.rec == nil && e.o.Solo == 0 &&
		!e.crowded
}

// enabled returns the actors that can make the next step. If all actors that could continue have been set
// aside for spinning, they are all taken back.
func (e *engine) enabled() uint64 {
	enabled := e.ready
	for m := e.waiting; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		holds := e.actors[i].wait.Holds()
		if holds {
			enabled |= 1 << uint(i)
		}
		if e.red != nil {
			e.red.held(i, holds)
		}
	}
	if e.crowded {
		enabled = e.rotate(enabled)
	}
	if enabled == 0 && e.spinning != 0 {
		if e.red != nil {
			if e.red.mourns() {
				return 0
			}
			e.red.quiesce()
			return e.ready
		}
		e.ready, e.spinning, e.resting = e.spinning, 0, 0
		e.recallDisplaced()
		return e.ready
	}
	return enabled
}

// options returns the alternatives at a's scheduling point.
func (e *engine) options(a *actor, enabled uint64) uint64 {
	mortal := uint64(0)
	if len(e.processes) > 0 && e.killsLeft > 0 && (enabled != 0 || e.script.kills(e)) {
		mortal = e.deaths()
	}
	if !a.stands() || enabled == 0 {
		return enabled | mortal
	}
	opts, bit := enabled, uint64(1)<<uint(a.id)
	if e.o.Preemptions >= 0 && e.preempts >= e.o.Preemptions && enabled&bit != 0 {
		opts = bit
	}
	switch {
	case e.killsLeft == 0:
	case e.o.AnyKill:
		for m := e.live; m != 0; m &= m - 1 {
			if i := bits.TrailingZeros64(m); e.mayDieAlone(i) {
				opts |= 1 << uint(killBit+i)
			}
		}
	case a.stepped && e.live&bit != 0 && a.process == nobody:
		opts |= bit << killBit
	}
	return opts | mortal
}

// branch takes a decision among several options. It takes the planned option, or makes a new decision whose
// other options are searched later. It reports false if the execution is to be cut.
func (e *engine) branch(a *actor, opts, enabled uint64) (choice int, ok bool) {
	if e.pos < len(e.trail) {
		n := &e.trail[e.pos]
		e.pos++
		if n.opts != opts || n.data {
			e.diverged(n, opts)
			return 0, false
		}
		return int(n.chosen), true
	}
	if e.o.Stateful && !e.seen.add(e.stateKey(a, opts, enabled), e.budget()) {
		e.outcome = pruned
		return 0, false
	}
	c := first(a, opts)
	if e.walk != nil {
		c = e.walk.pick(e, a, opts)
	}
	e.push(node{opts: opts, left: opts &^ (1 << uint(c)), chosen: uint8(c)})
	return c, true
}

// branchData is branch for a data choice among n values.
func (e *engine) branchData(n int) int {
	opts := ^uint64(0) >> uint(64-n)
	if e.pos < len(e.trail) {
		d := &e.trail[e.pos]
		e.pos++
		if d.opts != opts || !d.data {
			e.diverged(d, opts)
			return 0
		}
		return int(d.chosen)
	}
	c := 0
	if e.walk != nil {
		c = e.walk.data(opts)
	}
	e.push(node{opts: opts, left: opts &^ (1 << uint(c)), chosen: uint8(c), data: true})
	return c
}

func (e *engine) push(n node) {
	if e.pos++; e.walk == nil {
		e.trail = append(e.trail, n)
	} else {
		e.trail = e.signals.draw(e.trail, n)
	}
}

// stands reports whether a is an actor at a scheduling point of its own.
func (a *actor) stands() bool { return a != nil && a.begun }

// first is the option that is searched first: a continues, or else the next actor in turn. An actor that has
// not begun comes last.
func first(a *actor, opts uint64) int {
	if a == nil {
		return bits.TrailingZeros64(opts)
	}
	steps := opts & (1<<killBit - 1)
	from := uint(a.id)
	if !a.begun {
		from++
	}
	if later := steps >> from << from; later != 0 {
		return bits.TrailingZeros64(later)
	}
	return bits.TrailingZeros64(opts)
}

// budget returns the preemptions left.
func (e *engine) budget() int32 {
	if e.o.Preemptions < 0 {
		return 0
	}
	return int32(e.o.Preemptions - e.preempts)
}

// advance moves the trail to the next execution of the search and reports whether there is one.
func (e *engine) advance() bool {
	for len(e.trail) > 0 {
		n := &e.trail[len(e.trail)-1]
		if n.left != 0 {
			n.chosen = uint8(bits.TrailingZeros64(n.left))
			n.left &= n.left - 1
			return true
		}
		e.trail = e.trail[:len(e.trail)-1]
	}
	return false
}

// kill ends actor i for ever, with all actors of its process if it has one. Their stacks stay as they are
// until the verdict. There is a step for each actor that was live, or for the first one if none was. This
// makes the death a part of the state, too.
func (e *engine) kill(i int) {
	set := uint64(1) << uint(i)
	if p := e.actors[i].process; p != nobody {
		set = e.members(p)
		e.gone |= 1 << uint(p)
		if e.red != nil {
			e.red.died(p)
		} else {
			e.changed() // for actors that look whether the process is alive
		}
	}
	struck := set & e.live
	e.dead |= struck
	e.live &^= set
	e.ready &^= set
	e.waiting &^= set
	e.spinning &^= set
	e.killsLeft--
	e.progress++
	e.stirred = ^uint64(0) // as in leave: this death was possible before, and now others may die
	if !e.watch {
		return
	}
	if struck == 0 {
		struck = set & -set
	}
	for m := struck; m != 0; m &= m - 1 {
		e.emit(e.actors[bits.TrailingZeros64(m)], killStep, false)
	}
}

// diverged ends the execution, because a planned decision has other alternatives than when it was planned.
func (e *engine) diverged(n *node, opts uint64) {
	e.cur = driver
	e.fail(&Failure{Kind: Nondeterminism, Message: fmt.Sprintf(
		"decision %d (step %d) had the options %s before and has %s now, after the same "+
			"decisions; the program depends on something that is not explored",
		e.pos-1, e.index, e.optionNames(n.opts), e.optionNames(opts))})
}

// optionNames renders a set of options for a person.
func (e *engine) optionNames(opts uint64) string {
	var s []string
	for m := opts; m != 0; m &= m - 1 {
		s = append(s, e.optionName(bits.TrailingZeros64(m)))
	}
	if len(s) == 0 {
		return "none"
	}
	return strings.Join(s, ", ")
}

func (e *engine) optionName(c int) string {
	name := func(i int) string {
		if i < len(e.actors) {
			return e.actors[i].name
		}
		return fmt.Sprintf("actor %d", i)
	}
	solo, _, alone := asSolo(c)
	switch {
	case c < 0:
		return fmt.Sprintf("the choice of %d", ^c)
	case alone:
		return name(solo) + " alone"
	case c >= killBit:
		if i := c - killBit; i < len(e.actors) && e.actors[i].process != nobody {
			return "the death of process " + e.processes[e.actors[i].process].Name
		}
		return "the death of " + name(c-killBit)
	}
	return name(c)
}
