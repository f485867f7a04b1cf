package driver

import (
	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
)

// A reaching is a search for a sequential run, in one order of the calls, that explains what clients saw.
// Each call has an actor of its own, so a switch from a call that has returned is not a preemption.
type reaching struct {
	s        *subject
	j        *objectJudge
	g        *goal
	order    []int
	explains func(sequentialRun) bool
	found    *sequentialRun

	// A reduced search learns from all steps of an execution what else there is. So nothing is cut there, but
	// no further call is made, because a call has no influence on those before it.
	reduces bool

	// What the running execution has.
	o              any // the value
	made           error
	results, after []string // of the calls, and of the probe
	given          rooms
	at             []int // how many calls each actor has made
	left           bool  // it does not explain what clients saw
}

// start begins an execution.
func (w *reaching) start(x *explore.Execution) []explore.Actor {
	w.results, w.after, w.made, w.given, w.left = nil, nil, errNoReturn, rooms{}, false
	w.at = make([]int, len(w.g.sizes))
	w.s.begin()
	return []explore.Actor{{Name: "alone", Body: func() {
		if w.o, w.made = w.j.p.maker.make(x); w.made != nil {
			return
		}
		flow.LateTimers = true
		for n, c := range w.j.p.setup {
			w.given.invoke(x, place{ahead, n}, c, w.o)
		}
		flow.LateTimers = false
		flow.Go(func() { w.next(x, 0) })
	}}}
}

// next makes the i-th call, and then those that follow.
func (w *reaching) next(x *explore.Execution, i int) {
	x.Begin()
	n := i - len(w.order)
	agrees := false
	switch {
	case n < 0:
		a := w.order[i]
		result := w.given.invoke(x, place{a, w.at[a]}, w.j.p.actors[a][w.at[a]], w.o)
		agrees = w.at[a] < len(w.g.byActor[a]) && !w.g.differs(a, w.at[a], result)
		w.at[a]++
		w.results = append(w.results, result)
	case n < len(w.j.probe):
		flow.LateTimers = true
		w.after = append(w.after, w.given.invoke(x, place{behind, n}, w.j.probe[n], w.o))
		agrees = !w.g.differsAfter(w.after)
	default:
		if len(w.given.all) > 0 { // what is in channels is known when nobody can go on
			return
		}
		r, ends := alone(w.order, w.results, w.given.saw(w.after))
		if !ends || !w.explains(r) {
			w.leave(x)
		}
		return
	}
	if !agrees {
		w.leave(x)
		return
	}
	x.Mark(0)
	flow.Go(func() { w.next(x, i+1) })
}

// leave ends an execution that does not explain what clients saw.
func (w *reaching) leave(x *explore.Execution) {
	w.left = true
	if !w.reduces {
		x.Cut()
	}
}

// end looks whether an execution that has ended explains what clients saw.
func (w *reaching) end(*explore.Execution) error {
	if w.left {
		return w.made
	}
	after := w.after
	if len(w.results) == len(w.order) && len(after) == len(w.j.probe) {
		after = w.given.saw(after)
	}
	if r, ends := alone(w.order, w.results, after); ends && w.explains(r) {
		w.found = &r
		return errReached
	}
	return w.made
}
