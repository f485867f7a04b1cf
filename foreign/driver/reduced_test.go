package driver

import (
	"fmt"
	"io"
	"maps"
	"slices"
	original "testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/context"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/order"
	draw "github.com/samecycle/samecycle/explore/shim/rand"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/explore/shim/testing"
	"github.com/samecycle/samecycle/explore/shim/time"
)

// said is what the goroutines of one execution of a test have seen, each under its own name. To say it is no
// step.
type said map[string]any

// both runs two functions beside one another, and waits for both.
func both(f, g func()) {
	var w sync.WaitGroup
	w.Add(2)
	for _, h := range []func(){f, g} {
		flow.Go(func() {
			h()
			var own atomic.Int64
			own.Add(1) // so that the order of the ends is not that of what comes before
			w.Done()
		})
	}
	w.Wait()
}

// after runs a function in a goroutine that it waits for up to then.
func after(f func()) {
	var w sync.WaitGroup
	w.Add(1)
	flow.Go(func() {
		w.Done()
		var own atomic.Int64
		own.Add(1)
		f()
	})
	w.Wait()
}

// hiddenOrders are tests that see in which order steps came that have no object of the test in common.
var hiddenOrders = map[string]func(t *testing.T, say said){
	"goroutines": func(t *testing.T, say said) {
		flow.NumGoroutine()
		never := make(chan int)
		wait := func() { flow.Receive(never) }
		flow.Go(func() { flow.Go(wait); wait() })
		say["n"] = flow.NumGoroutine()
	},
	"pointers": func(t *testing.T, say said) {
		a, b := new(int), new(int)
		both(func() { order.Seen(a) }, func() { order.Seen(b) })
		all := []*int{a, b}
		order.Sort(all)
		say["a is first"] = all[0] == a
	},
	"cleanups": func(t *testing.T, say said) {
		last := func(x string) func() { return func() { t.Cleanup(func() { say["last"] = x }) } }
		both(last("a"), last("b"))
	},
	"skipped": func(t *testing.T, say said) {
		flow.Go(func() { say["skipped"] = t.Skipped() })
		t.Skip("NOT RUN: a goroutine looks whether it is skipped")
	},
	"failed": func(t *testing.T, say said) {
		both(func() { say["failed"] = t.Failed() }, t.Fail)
	},
	"contexts": func(t *testing.T, say said) {
		flow.Go(func() { say["err"] = t.Context().Err() })
	},
	"ends":  func(t *testing.T, say said) { after(func() { t.Log("late") }) },
	"parts": func(t *testing.T, say said) { t.Run("part", func(t *testing.T) { after(t.Fail) }) },
	"names": func(t *testing.T, say said) {
		run := func(x string) func() {
			return func() { t.Run("n", func(t *testing.T) { say[x] = t.Name() }) }
		}
		both(run("a"), run("b"))
	},
}

// shownOrders are tests that see the order of steps that are steps in any search.
var shownOrders = map[string]func(t *testing.T, say said){
	"numbers": func(t *testing.T, say said) {
		both(func() { say["a"] = draw.Int() }, func() { say["b"] = draw.Int() })
	},
	"clock": func(t *testing.T, say said) {
		both(func() { say["a"] = time.Now() }, func() { say["b"] = time.Now() })
	},
}

// clockOrders are tests of an ordered clock, which a search refuses that is reduced without package hidden.
var clockOrders = map[string]func(t *testing.T, say said){
	"sleeps": func(t *testing.T, say said) {
		sleep := func(x string) func() {
			return func() { time.Sleep(time.Second); say["last"] = x }
		}
		both(sleep("a"), sleep("b"))
		say["now"] = time.Now()
	},
	"timeout": func(t *testing.T, say said) {
		c := make(chan int)
		flow.Go(func() { time.Sleep(time.Second); flow.To(c).Send(1) })
		timer := time.NewTimer(time.Second)
		say["case"] = flow.Select(false, flow.Receiving(c), flow.Receiving(timer.C))
	},
	"never": func(t *testing.T, say said) {
		c := make(chan int, 1)
		flow.Go(func() { flow.To(c).Send(1) })
		timer := time.NewTimer(time.Hour)
		say["case"] = flow.Select(false, flow.Receiving(c), flow.Receiving(timer.C))
		say["stopped"] = timer.Stop()
	},
	"function": func(t *testing.T, say said) {
		var n atomic.Int64
		timer := time.AfterFunc(time.Second, func() { n.Add(1) })
		flow.Go(func() { time.Sleep(time.Second); say["stopped"] = timer.Stop() })
		time.Sleep(2 * time.Second)
		say["n"] = n.Load()
	},
	"deadline": func(t *testing.T, say said) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		both(func() { flow.Receive(ctx.Done()); say["err"] = ctx.Err() },
			func() { time.Sleep(time.Second); cancel() })
	},
	"looks": func(t *testing.T, say said) {
		both(func() { time.Now(); time.Sleep(time.Microsecond); say["last"] = "a" },
			func() { time.Sleep(time.Microsecond); say["last"] = "b" })
	},
	"poll": func(t *testing.T, say said) {
		var done atomic.Bool
		flow.Go(func() { time.Sleep(4 * time.Millisecond); done.Store(true) })
		for !done.Load() {
			time.Sleep(time.Millisecond)
		}
		say["now"] = time.Now()
	},
	"left": func(t *testing.T, say said) {
		flow.Go(func() { time.Sleep(time.Second); say["over"] = true })
	},
}

// outcomes runs a test in all orders, or one of each class of equivalent ones. It returns what was said in
// them, with the messages of the test, and the failure that ended the search.
func outcomes(t *original.T, f func(*testing.T, said), reduced bool, o explore.Options) (
	all []string, r explore.Report) {
	t.Helper()
	say, seen := said{}, map[string]bool{}
	s := tests{subject: &subject{run: run{name: "x", notice: io.Discard}}, reduced: reduced}.searchOf(part{
		Test: Test{Name: "TestX", Func: func(t *testing.T) { clear(say); f(t, say) }}})
	p := s.program
	note := func(*explore.Execution) error {
		o := s.judge.t.Outcome()
		seen[fmt.Sprint(say, o.Failed, o.Skipped, o.Logs)] = true
		return nil // go on, even if it fails
	}
	p.Finish, p.Stuck = note, note
	o.Preemptions = explore.Unbounded
	r, err := s.judge.ofTest(explore.Explore(p, o))
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(seen)), r
}

// TestReduced_Outcomes: a reduced search of a test finds what a search of all its interleavings finds, with
// the same steps or with fewer. Without the steps of package hidden, it does not.
func TestReduced_Outcomes(t *original.T) {
	for name, f := range hiddenOrders {
		t.Run(name, func(t *original.T) {
			all, r := sameOutcomes(t, f)
			if blind, bad := outcomes(t, f, false, explore.Options{Reduce: true}); kind(bad) == kind(r) &&
				slices.Equal(all, blind) {
				t.Errorf("all %d outcomes are found without these steps: %q", len(all), all)
			}
		})
	}
	for name, f := range shownOrders {
		t.Run(name, func(t *original.T) { sameOutcomes(t, f) })
	}
	for name, f := range clockOrders {
		t.Run(name, func(t *original.T) {
			sameOutcomes(t, f)
			if _, r := outcomes(t, f, false, explore.Options{Reduce: true}); kind(r) != explore.Unexplored {
				t.Errorf("without these steps: %v", r.Failure)
			}
		})
	}
}

// sameOutcomes compares a reduced search with one of all interleavings, and returns what it has found.
func sameOutcomes(t *original.T, f func(*testing.T, said)) ([]string, explore.Report) {
	all, full := outcomes(t, f, true, explore.Options{})
	few, r := outcomes(t, f, true, explore.Options{Reduce: true})
	usual, u := outcomes(t, f, false, explore.Options{})
	if kind(full) != kind(r) || r.Failure == nil && (!slices.Equal(all, few) || !r.Exhaustive) {
		t.Errorf("all %d executions: %q, %v; %d reduced: %q, %v", full.Executions, all, full.Failure,
			r.Executions, few, r.Failure)
	}
	for _, x := range usual {
		if r.Failure == nil && !slices.Contains(few, x) {
			t.Errorf("%s is found with fewer steps", x)
		}
	}
	if u.Failure != nil && r.Failure == nil {
		t.Errorf("with fewer steps it fails: %v", u.Failure)
	}
	t.Logf("%d executions of %d, %d with fewer steps; outcomes %q, %v", r.Executions, full.Executions,
		u.Executions, few, r.Failure)
	return few, r
}

func kind(r explore.Report) explore.FailureKind {
	if r.Failure == nil {
		return ""
	}
	return r.Failure.Kind
}
