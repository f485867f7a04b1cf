package explore_test

import (
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
)

// gated is a program of two actors. One opens a gate and then gives a sign. The other, if the gate is open,
// looks for the sign up to so many times. Without a preemption it looks in vain only if the first actor has
// died.
func gated(most int) explore.Program {
	var gate, sign *atomic.Uint64
	return simple("gated", func() { gate, sign = new(atomic.Uint64), new(atomic.Uint64) },
		func() { gate.Store(1); sign.Store(1) },
		func() {
			if gate.Load() == 1 {
				for range most {
					if sign.Load() == 1 {
						return
					}
				}
			}
		})
}

// TestLockFree_AfterADeath: the claim that some operation ends also holds for the actors that survive.
func TestLockFree_AfterADeath(t *testing.T) {
	o := explore.Options{LockFree: 10}
	if r := mustExplore(t, gated(20), o); r.Failure != nil || !r.Exhaustive {
		t.Errorf("nobody dies: %v, exhaustive %t", r.Err(), r.Exhaustive)
	}
	o.Kills = 1
	if r := mustExplore(t, gated(20), o); r.Failure == nil || r.Failure.Kind != explore.NotLockFree ||
		r.Killed == 0 {
		t.Errorf("one dies at the gate: %v", r.Err())
	}
}

// TestSolo_CutAtTheStepBound: a probe that the step bound has cut shows nothing, so the search is not one of
// all executions.
func TestSolo_CutAtTheStepBound(t *testing.T) {
	o := explore.Options{Solo: 30, SpinLimit: 100}
	if r := mustExplore(t, gated(40), o); r.Failure == nil || r.Failure.Kind != explore.Obstructed {
		t.Errorf("it does not end alone: %v", r.Err())
	}
	o.MaxSteps = 10
	if r := mustExplore(t, gated(40), o); r.Failure != nil || r.Exhaustive || r.StepBound == 0 {
		t.Errorf("%v, exhaustive %t, %d cut", r.Err(), r.Exhaustive, r.StepBound)
	}
}
