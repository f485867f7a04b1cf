package driver

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/globals"
	"github.com/samecycle/samecycle/internal/hook"
)

// overtakenClock says in words what overtaking means for calls that wait for the clock.
const overtakenClock = "calls that wait for the clock: others are made meanwhile in some orders, as where " +
	"one waits for others; not judged is how long they wait, and whether they give up when they might not " +
	"have to"

// alone returns the run in which one actor makes the calls of an order, with what the probe saw. ends is
// false if the call without a result waits before the others have made their calls.
func alone(order []int, results, after []string) (r sequentialRun, ends bool) {
	for i, result := range results {
		r.turns = append(r.turns, turn{actor: order[i], result: result})
	}
	if r.after = after; len(results) == len(order) {
		return r, true
	}
	waits := order[len(results)]
	r.turns = append(r.turns, turn{actor: waits, waits: true})
	return r, !slices.ContainsFunc(order[len(results):], func(a int) bool { return a != waits })
}

// overtaking makes the sequential runs of a program in which calls wait while others are made. They are its
// executions without preemptions: an actor continues until its call returns or has to wait, so two calls
// never run at the same time. Only those executions count in which each call is made at the end of such a
// run of all earlier calls. So a call is overtaken only if it would wait for ever at that point, and calls
// that others wake have returned before the next call.
//
// A call that waits for the clock, in a select with a timer or in a sleep, counts as waiting, too. While
// calls wait for the clock, time passes when no actor can continue before it does. At that point other calls
// may be made instead. So two calls may be in progress at the same time only if one of them does not run,
// and no other call can know yet whether its time is over. A timer may also be over as soon as it is set.
//
// With a goal, only runs of the whole program that agree with the goal are made and returned.
func (s *subject) overtaking(p objectProgram, probe []*Invocation, g *goal) ([]sequentialRun, error) {
	ended := map[string]bool{} // runs of the beginnings of the program
	sizes := sizesOf(p.actors)
	part := make([]int, len(sizes))
	var all []sequentialRun
	var each func(actor int) error
	each = func(actor int) error {
		if actor < len(sizes) {
			for part[actor] = 0; part[actor] <= sizes[actor]; part[actor]++ {
				if err := each(actor + 1); err != nil {
					return err
				}
			}
			return nil
		}
		q, after, sought := p, []*Invocation(nil), (*goal)(nil)
		q.actors = nil
		for a, n := range part {
			q.actors = append(q.actors, p.actors[a][:n])
		}
		if slices.Equal(part, sizes) {
			after, sought = probe, g
		}
		var err error
		var quiet map[string]bool
		all, quiet, err = s.unpreempted(q, after, ended, sought)
		maps.Copy(ended, quiet)
		for _, r := range all {
			ended[fmt.Sprint(r.turns)] = true
		}
		return err
	}
	err := each(0)
	return all, err // those of the last part, which is the whole program
}

// An overtaker makes runs in which calls are overtaken. If there is a goal, it makes only runs that agree
// with it.
type overtaker struct {
	p     objectProgram
	probe []*Invocation
	from  *globals.Snapshot // see subject
	ended map[string]bool   // points at which runs are known to end, or to wait for the clock
	g     *goal

	all   []sequentialRun
	quiet map[string]bool // points at which calls wait for the clock

	// State of the running execution.
	now   sequentialRun
	given rooms
	o     any
	made  error
	left  int    // actors that still have calls to make
	held  int    // calls that may not be made yet
	open  uint64 // whether one of the known runs ends here
	clock *flow.Slow
	still int // advances of the clock up to the last call, return, or quiet moment
}

// told notes that a call was made or has returned.
func (v *overtaker) told(x *explore.Execution) {
	if v.still, v.open = v.clock.Passed, 0; v.ended[fmt.Sprint(v.now.turns)] {
		v.open = 1
	}
	x.Mark(0)
}

// turn waits until a call may be made. That is when all calls that were made have returned or wait, and all
// actors that the clock has woken have done what they can.
func (v *overtaker) turn() {
	v.held++
	s, at := hook.Active, unsafe.Pointer(&v.open)
	for {
		s.Wait(hook.Await, at, hook.Condition{Word: &v.open, Mask: 1, Want: 1})
		s.After(hook.Await, at, v.open, v.open, true)
		n := v.clock.Passed
		if n == v.still && !v.clock.Busy() {
			break
		}
		if s.(hook.Spawner).Rest(); n == v.clock.Passed && !v.clock.Busy() {
			v.still = n
		}
	}
	v.held--
}

// next makes the actor make its n-th call and its later ones. The last actor makes the probe.
func (v *overtaker) next(x *explore.Execution, actor, n int) {
	calls := v.p.actors[actor]
	if n == len(calls) {
		if v.left--; v.left == 0 {
			v.look(x)
		}
		return
	}
	flow.Go(func() {
		v.turn()
		x.Begin()
		if v.g.refuses(v.now, actor) {
			x.Cut()
		}
		v.now.begin(actor)
		v.told(x)
		result := v.given.invoke(x, place{actor, n}, calls[n], v.o)
		if v.g.differs(actor, n, result) {
			x.Cut()
		}
		v.now.end(actor, result)
		v.told(x)
		v.next(x, actor, n+1)
	})
}

// look makes the probe.
func (v *overtaker) look(x *explore.Execution) {
	v.clock.Early = false // as with LateTimers
	for n, c := range v.probe {
		x.Begin()
		result := v.given.invoke(x, place{behind, n}, c, v.o)
		if v.now.after = append(v.now.after, result); v.g.differsAfter(v.now.after) {
			x.Cut()
		}
		x.Mark(0)
	}
}

// start begins an execution.
func (v *overtaker) start(x *explore.Execution) []explore.Actor {
	v.now, v.made, v.held, v.still, v.open = sequentialRun{}, errNoReturn, 0, 0, 1
	v.clock = &flow.Slow{Passes: func() { v.quiet[fmt.Sprint(v.now.turns)] = true }}
	flow.Clock, flow.LateTimers = v.clock, false
	v.given.reset()
	v.left = len(v.p.actors)
	v.from.Restore()
	return []explore.Actor{{Name: "alone", Body: func() {
		if v.o, v.made = v.p.maker.make(x); v.made != nil {
			return
		}
		for n, c := range v.p.setup {
			v.given.invoke(x, place{ahead, n}, c, v.o)
		}
		v.clock.Early = true
		for a := range v.p.actors {
			v.next(x, a, 0)
		}
	}}}
}

// collect keeps the run of an execution, unless it has a call that may not be made.
func (v *overtaker) collect(*explore.Execution) error {
	if v.left == 0 && len(v.now.after) == len(v.probe) {
		v.now.after = v.given.saw(v.now.after)
	}
	if v.held == 0 && !slices.ContainsFunc(v.all, v.now.equal) {
		v.all = append(v.all, v.now)
	}
	return v.made
}

// unpreempted makes the executions of a program without preemptions in which each call is made where one of
// the known runs has ended, or waits for the clock. Each call has an actor of its own, so a switch from a
// call that has returned is not a preemption. quiet has the points at which runs wait for the clock.
func (s *subject) unpreempted(p objectProgram, probe []*Invocation, ended map[string]bool, g *goal) (
	all []sequentialRun, quiet map[string]bool, err error) {
	v := &overtaker{p: p, probe: probe, from: s.from, ended: ended, g: g, quiet: map[string]bool{}}
	hearing = true
	defer func() { hearing = false }()
	program := explore.Program{Name: "overtaking", Start: v.start, Finish: v.collect, Stuck: v.collect}
	r, err := explore.Explore(program, explore.Options{Strays: true, MaxExecutions: g.executions(),
		MaxSteps: sequentialSteps, SpinLimit: longestCall, Audit: -1, Context: s.ctx})
	if err := errors.Join(s.ended(), notRun(r, err)); err != nil {
		return nil, nil, err
	}
	s.partial = s.partial || !r.Exhaustive
	return v.all, v.quiet, nil
}
