package driver

import (
	"errors"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// begin begins an execution.
func (s *subject) begin() {
	flow.Clock, flow.LateTimers = nil, false
	s.from.Restore()
}

// make makes a value, makes the calls that the program wants before, and reports whether one of these
// panicked. They were already made sequentially, and worked. given gets the channels of the calls; it may be
// nil.
func (s *subject) make(x *explore.Execution, p objectProgram, given *rooms) (o any, panics bool) {
	o, err := p.maker.New()
	if err != nil {
		panic(err)
	}
	flow.LateTimers = true
	for n, c := range p.setup {
		panics = panicked(given.invoke(x, place{ahead, n}, c, o)) || panics
	}
	flow.LateTimers = false
	return o, panics
}

// madeInside reports whether executions have to make the value themselves, by steps. Otherwise it is made
// before the executions, which is cheaper. But a lock or a count that the making leaves would then be free
// for the actors, because the shims keep the two apart (see shim/sync), and a panic in a shim would end the
// process as in the original. madeInside makes the value in an execution to find out what that leaves.
func (s *subject) madeInside(p objectProgram) (bool, error) {
	if s.o.Inside || s.several {
		return true, nil
	}
	left, panics := leftovers{map[uint64]bool{}, map[uint64]bool{}}, false
	program := explore.Program{Name: "setup",
		Start: func(x *explore.Execution) []explore.Actor {
			s.from.Restore()
			return []explore.Actor{{Name: "alone", Body: func() { _, panics = s.make(x, p, nil) }}}
		},
		Step: func(_ *explore.Execution, step explore.Step) error {
			left.see(step)
			return nil
		},
	}
	r, err := explore.Explore(program, explore.Options{MaxExecutions: 1, MaxSteps: sequentialSteps,
		SpinLimit: longestCall, Audit: -1, Strays: true, Context: s.ctx, Watchdog: s.watchdog})
	return panics || len(left.held) > 0, errors.Join(s.ended(), notRun(r, err))
}

// leftovers are the objects, by their names, that an actor holds or counts on.
type leftovers struct{ held, onces map[uint64]bool }

// see notes a step. A Once is the same inside and outside an exploration, as are channels, maps and atomics.
// The word of a Cond counts its steps, so a Cond that was used counts as one at which an actor waits.
func (l *leftovers) see(step explore.Step) {
	switch step.Kind {
	case hook.Lock, hook.TryLock, hook.Unlock, hook.RLock, hook.TryRLock, hook.RUnlock, hook.Await,
		hook.Signal:
	case hook.Once:
		l.onces[step.Object] = true
		return
	default:
		return
	}
	word := step.New
	if !step.OK {
		word = step.Old
	}
	if delete(l.held, step.Object); word != 0 && !l.onces[step.Object] {
		l.held[step.Object] = true
	}
}
