package explore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/internal/hook"
)

// turns is a program of n actors with some accesses each, none of which waits.
func turns(n, accesses int) explore.Program {
	var w atomic.Uint64
	bodies := make([]func(), n)
	for i := range bodies {
		bodies[i] = func() {
			for range accesses {
				w.Add(1)
			}
		}
	}
	return simple("turns", func() { w.Store(0) }, bodies...)
}

// schedules counts the schedules of such a program with so many delays, by the definition. left is what each
// actor has still to do, and at is the actor whose turn it is.
func schedules(left []int, at, delays int) uint64 {
	ended, count := true, uint64(0)
	for k, cost := 0, 0; k < len(left) && cost <= delays; k++ {
		i := (at + k) % len(left)
		if left[i] == 0 {
			continue
		}
		ended = false
		left[i]--
		count += schedules(left, i, delays-cost)
		left[i]++
		cost++
	}
	if ended {
		return 1
	}
	return count
}

// TestDelays_Counts: a search runs exactly the schedules within its bound.
func TestDelays_Counts(t *testing.T) {
	for _, c := range []struct{ actors, accesses int }{{2, 3}, {3, 2}, {4, 2}, {5, 1}} {
		left := make([]int, c.actors)
		for i := range left {
			left[i] = c.accesses
		}
		for delays := 1; delays < 7; delays++ {
			o := unbounded()
			o.Delays, o.Audit = delays, 1
			r := mustExplore(t, turns(c.actors, c.accesses), o)
			if want := schedules(left, 0, delays); r.Failure != nil || r.Executions != want || !r.Exhaustive {
				t.Errorf("%v, %d delays: %d executions, want %d; %v", c, delays, r.Executions, want, r.Err())
			}
			if !strings.Contains(r.Bound, fmt.Sprintf("at most %d delay", delays)) {
				t.Error(r.Bound)
			}
		}
	}
	all, o := mustExplore(t, turns(3, 2), unbounded()), unbounded()
	for o.Delays = 1; ; o.Delays++ {
		r := mustExplore(t, turns(3, 2), o)
		if r.Everything() != (r.Executions == all.Executions) && r.MaxDelays < o.Delays {
			t.Errorf("%d delays: everything %t with %d executions of %d", o.Delays, r.Everything(),
				r.Executions, all.Executions)
		}
		if r.Everything() || t.Failed() {
			break
		}
	}
}

// TestDelays_Choices: a value other than the first one costs a delay.
func TestDelays_Choices(t *testing.T) {
	seen := map[string]bool{}
	text := ""
	p := explore.Program{Name: "choices", Start: func(*explore.Execution) []explore.Actor {
		text = ""
		return []explore.Actor{{Body: func() {
			for range 3 {
				text += fmt.Sprint(hook.Active.Choose(3))
			}
		}}}
	}, Finish: func(*explore.Execution) error { seen[text] = true; return nil }}
	for delays, want := range map[int]int{1: 1 + 3*2, 2: 1 + 3*2 + 3*4, 3: 27} {
		clear(seen)
		o := unbounded()
		o.Delays = delays
		if r := mustExplore(t, p, o); r.Failure != nil || len(seen) != want || r.Executions != uint64(want) {
			t.Errorf("%d delays: %d executions, %d outcomes, want %d; %v", delays, r.Executions, len(seen),
				want, r.Err())
		}
	}
}

// TestDelays_Few: with many actors, a fault of the last two takes one delay and a short search. Within a
// bound on preemptions the search would not be short.
func TestDelays_Few(t *testing.T) {
	var w atomic.Uint64
	bodies := make([]func(), 20)
	for i := range bodies {
		bodies[i] = func() { w.Store(w.Load() + 1) }
	}
	p := simple("lost", func() { w.Store(0) }, bodies...)
	p.Finish = func(*explore.Execution) error {
		if w.Load() != 20 {
			return errors.New("an update is lost")
		}
		return nil
	}
	o := unbounded()
	o.Delays = 1
	r := mustExplore(t, p, o)
	f := wantFailure(t, r, explore.Verdict)
	if r.Executions > 100 || f.Preemptions > 1 {
		t.Errorf("%d executions, %d preemptions", r.Executions, f.Preemptions)
	}
	if again, err := explore.Replay(p, f.Token, explore.Options{}); err != nil || again.Failure == nil ||
		again.Failure.Message != f.Message {
		t.Errorf("replay: %v, %v", err, again.Err())
	}
}

// TestDelays_Refused: options that have no meaning with delays are refused.
func TestDelays_Refused(t *testing.T) {
	for want, change := range map[string]func(*explore.Options){
		"Delays is -1":       func(o *explore.Options) { o.Delays = -1 },
		"a preemption bound": func(o *explore.Options) { o.Preemptions = 1 },
		"Kills":              func(o *explore.Options) { o.Kills = 1 },
		"Reduce":             func(o *explore.Options) { o.Reduce = true },
		"Stateful":           func(o *explore.Options) { o.Stateful = true },
		"Walks":              func(o *explore.Options) { o.Walks = 1 },
		"Solo":               func(o *explore.Options) { o.Solo = 9 },
	} {
		o := unbounded()
		o.Delays = 1
		change(&o)
		if _, err := explore.Explore(turns(2, 1), o); !errors.Is(err, explore.ErrOptions) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
