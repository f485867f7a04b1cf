package explore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/time"
)

// toil is a program in which two actors hand each other work, and a third one stops them.
func toil() explore.Program {
	var work, stop atomic.Uint64
	worker := func(odd uint64) func() {
		return func() {
			for stop.Load() == 0 {
				if n := work.Load(); n%2 == odd {
					work.CompareAndSwap(n, n+1)
				}
			}
		}
	}
	return simple("toil", func() { work, stop = atomic.Uint64{}, atomic.Uint64{} }, worker(0), worker(1),
		func() { stop.Store(1) })
}

// TestStarvation_WorkEnds: actors that work until another one stops them are searched to the end with
// Starvation, which says what it left out, and without it they are not.
func TestStarvation_WorkEnds(t *testing.T) {
	p := toil()
	o := explore.Options{Preemptions: 1, MaxSteps: 400, SpinLimit: 100}
	if r := mustExplore(t, p, o); r.StepBound == 0 || r.Exhaustive || r.Starved != 0 {
		t.Errorf("without: %d cut, exhaustive %t, %d starved", r.StepBound, r.Exhaustive, r.Starved)
	}
	o.Starvation = 20
	r := mustExplore(t, p, o)
	if r.Failure != nil || r.StepBound > 0 || !r.Exhaustive || r.Starved == 0 || r.Everything() ||
		r.MaxPreemptions != 1 || r.Starvation != 20 {
		t.Errorf("with: %v, %d cut, exhaustive %t, %d starved, everything %t, %d preemptions", r.Err(),
			r.StepBound, r.Exhaustive, r.Starved, r.Everything(), r.MaxPreemptions)
	}
	if !strings.Contains(r.Bound, "nobody who could continue waits for more than 20 steps of others: in ") {
		t.Error(r.Bound)
	}
}

// TestStarvation_IsExact: an actor can come as late as the limit lets it, and no later. All that this leaves
// is searched, but the report does not say that it is everything.
func TestStarvation_IsExact(t *testing.T) {
	for _, starvation := range []uint64{2, 6, 7, 30} {
		var work, stop atomic.Uint64
		latest, came := uint64(0), map[uint64]bool{}
		p := simple("until stopped", func() { work, stop = atomic.Uint64{}, atomic.Uint64{} }, func() {
			for stop.Load() == 0 {
				work.Add(1)
			}
		}, func() { stop.Store(1) })
		p.Finish = func(*explore.Execution) error {
			latest = max(latest, work.Load())
			came[work.Load()] = true
			return nil
		}
		r := mustExplore(t, p, explore.Options{Preemptions: explore.Unbounded, Audit: -1,
			Starvation: int(starvation)})
		// The worker looks and adds. Its begin is one decision, and it adds once more if it has just looked.
		want := (starvation + 1) / 2
		if latest != want || len(came) != int(want)+1 {
			t.Errorf("starvation %d: it came after %v, want all from 0 to %d", starvation, came, want)
		}
		if r.Failure != nil || !r.Exhaustive || r.Everything() || r.Starved == 0 ||
			r.Starved == r.Executions {
			t.Errorf("starvation %d: %v, exhaustive %t, %d starved, everything %t", starvation, r.Err(),
				r.Exhaustive, r.Starved, r.Everything())
		}
	}
}

// TestStarvation_DrawnByPriority: an actor of low priority that had to wait for too long need not wait again
// before each of its accesses.
func TestStarvation_DrawnByPriority(t *testing.T) {
	var work, stop atomic.Uint64
	p := simple("slow to stop", func() { work, stop = atomic.Uint64{}, atomic.Uint64{} }, func() {
		for stop.Load() == 0 {
			work.Add(1)
		}
	}, func() {
		for range 50 {
			work.Load()
		}
		stop.Store(1)
	})
	r := mustExplore(t, p, explore.Options{Preemptions: explore.Unbounded, MaxSteps: 500, SpinLimit: 450,
		Starvation: 20, Walks: 200, Strategy: explore.PCT, Depth: 1})
	if r.Failure != nil || r.StepBound > 0 || r.Starved == 0 {
		t.Errorf("%v, %d cut, %d starved", r.Err(), r.StepBound, r.Starved)
	}
}

// TestStarvation_Clock: an ordered clock goes on in the end, though somebody always works.
func TestStarvation_Clock(t *testing.T) {
	defer func() { flow.Clock = nil }()
	var work, stop atomic.Uint64
	p := simple("until a time", func() {
		flow.Clock = &flow.Slow{Ordered: true}
		work, stop = atomic.Uint64{}, atomic.Uint64{}
	}, func() {
		time.Sleep(time.Second)
		time.Sleep(time.Second)
		stop.Store(1)
	}, func() {
		for stop.Load() == 0 {
			work.Add(1)
		}
	})
	o := explore.Options{Preemptions: 1, MaxSteps: 2000, SpinLimit: 500}
	if r := mustExplore(t, p, o); r.StepBound == 0 {
		t.Errorf("without: %v, %d cut", r.Err(), r.StepBound)
	}
	o.Starvation = 100
	r := mustExplore(t, p, o)
	if r.Failure != nil || !r.Exhaustive || r.Starved == 0 || r.MaxSteps < 200 || r.MaxSteps > 1000 {
		t.Errorf("with: %v, exhaustive %t, %d starved, %d steps", r.Err(), r.Exhaustive, r.Starved,
			r.MaxSteps)
	}
	p.Finish = func(*explore.Execution) error { return errors.New("the time is over") }
	mustReplay(t, p, wantFailure(t, mustExplore(t, p, o), explore.Verdict))
}

// TestStarvation_LeavesOthersAlone: a program in which nobody waits for long has the same executions with it.
func TestStarvation_LeavesOthersAlone(t *testing.T) {
	var w atomic.Uint64
	twice := func() { w.Add(1); w.Add(1) }
	p := simple("adds", func() { w = atomic.Uint64{} }, twice, twice)
	for _, o := range []explore.Options{{Preemptions: 1}, {Preemptions: explore.Unbounded},
		{Preemptions: explore.Unbounded, Delays: 2}} {
		without := mustExplore(t, p, o)
		o.Starvation = 50
		with := mustExplore(t, p, o)
		if with.Executions != without.Executions || with.Steps != without.Steps || with.Starved != 0 ||
			with.Everything() != without.Everything() {
			t.Errorf("%+v: %d executions and %d steps, without %d and %d", o, with.Executions, with.Steps,
				without.Executions, without.Steps)
		}
	}
}

// TestStarvation_Refused: a limit that is none, and searches that it would make incomplete.
func TestStarvation_Refused(t *testing.T) {
	p := toil()
	for _, o := range []explore.Options{{Starvation: -1}, {Starvation: 5, Kills: 1},
		{Starvation: 5, Stateful: true}, {Starvation: 5, Solo: 5},
		{Starvation: 5, Reduce: true, Preemptions: explore.Unbounded}} {
		if _, err := explore.Explore(p, o); !errors.Is(err, explore.ErrOptions) ||
			!strings.Contains(err.Error(), "Starvation") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestEnds: actors that still work so many accesses later count as those that wait for ever. The program
// judges them, or they are a failure that names them.
func TestEnds(t *testing.T) {
	var w atomic.Uint64
	for _, turns := range []uint64{10, 1000} {
		var x *explore.Execution
		p := explore.Program{Name: "ends", Start: func(e *explore.Execution) []explore.Actor {
			x, w = e, atomic.Uint64{}
			return []explore.Actor{
				{Name: "first", Body: func() { w.Add(1); x.Ends(50) }},
				{Name: "other", Body: func() {
					for range turns {
						w.Add(1)
					}
				}},
			}
		}}
		o := explore.Options{Preemptions: 0}
		late := turns > 50
		r := mustExplore(t, p, o)
		if late {
			f := wantFailure(t, r, explore.Deadlock)
			if !strings.Contains(f.Message, "not all actors have ended in time: other") {
				t.Error(f.Message)
			}
			mustReplay(t, p, f)
		} else if r.Failure != nil || r.Blocked > 0 {
			t.Errorf("%d turns: %v, %d blocked", turns, r.Err(), r.Blocked)
		}
		p.Stuck = func(*explore.Execution) error { return nil }
		r = mustExplore(t, p, o)
		if r.Failure != nil || !r.Exhaustive || late != (r.Blocked > 0) || r.StepBound > 0 {
			t.Errorf("%d turns, judged: %v, exhaustive %t, %d blocked, %d cut", turns, r.Err(), r.Exhaustive,
				r.Blocked, r.StepBound)
		}
	}
}
