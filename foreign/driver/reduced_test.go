package driver

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	original "testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/context"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/maphash"
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
	"addresses": func(t *testing.T, say said) {
		a, b := new(int), new(int)
		both(func() { say["a"] = maphash.Comparable(maphash.MakeSeed(), a) }, func() {
			maphash.Comparable(maphash.MakeSeed(), b)
		})
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
	"exits": func(t *testing.T, say said) { flow.Go(func() { flow.Exit(0) }) },
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
	"parallel": func(t *testing.T, say said) {
		var last atomic.Int64
		t.Cleanup(func() { say["last"] = last.Load() })
		for i, x := range []string{"a", "b"} {
			t.Run(x, func(t *testing.T) {
				t.Parallel()
				t.Cleanup(func() { last.Store(int64(i)) })
			})
		}
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
	if _, err := s.ahead(); err != nil { // it learns which subtests are parallel
		t.Fatal(err)
	}
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

// A world is what the goroutines of a drawn test share.
type world struct {
	mu    sync.Mutex
	n     int
	word  atomic.Int64
	full  chan int // has room for one
	meet  chan int
	ctx   context.Context
	stop  context.CancelFunc
	timer *time.Timer
}

// The numbers of steps that use what not all tests have.
const contextStep, timerStep = 12, 13

// steps are what goroutines of drawn tests do. Each returns what it has seen.
var steps = []func(t *testing.T, w *world) any{
	func(t *testing.T, w *world) any { w.mu.Lock(); defer w.mu.Unlock(); w.n++; return w.n },
	func(t *testing.T, w *world) any {
		return w.mu.TryLock() && func() bool { w.mu.Unlock(); return true }()
	},
	func(t *testing.T, w *world) any { return w.word.Add(1) },
	func(t *testing.T, w *world) any { return w.word.CompareAndSwap(1, 0) },
	func(t *testing.T, w *world) any {
		return flow.Select(true, flow.To(w.full).Case(1), flow.Receiving(w.full))
	},
	func(t *testing.T, w *world) any {
		late := time.NewTimer(time.Millisecond)
		return flow.Select(false, flow.To(w.meet).Case(1), flow.Receiving(w.meet), flow.Receiving(late.C))
	},
	func(t *testing.T, w *world) any { time.Sleep(time.Millisecond); return w.word.Load() },
	func(t *testing.T, w *world) any { return time.Now().Nanosecond() },
	func(t *testing.T, w *world) any { return draw.Intn(10) },
	func(t *testing.T, w *world) any { return flow.NumGoroutine() },
	func(t *testing.T, w *world) any { return t.Failed() },
	func(t *testing.T, w *world) any { t.Fail(); return nil },
	contextStep: func(t *testing.T, w *world) any {
		w.stop()
		return w.ctx.Err()
	},
	timerStep: func(t *testing.T, w *world) any { return w.timer.Stop() },
	func(t *testing.T, w *world) any { t.Cleanup(func() { w.word.Store(7) }); return nil },
	func(t *testing.T, w *world) any { flow.Go(func() { w.word.Add(2) }); return nil },
}

// drawn returns a test of two goroutines that make up to two steps each, and the numbers of these steps.
func drawn(random *rand.Rand) (f func(t *testing.T, say said), which []int) {
	all := make([][]int, 2)
	for i := range all {
		for range 1 + random.IntN(2) {
			all[i] = append(all[i], random.IntN(len(steps)))
		}
	}
	which = slices.Concat(all...)
	return func(t *testing.T, say said) {
		w := &world{full: make(chan int, 1), meet: make(chan int)}
		if w.ctx, w.stop = context.Background(), func() {}; slices.Contains(which, contextStep) {
			w.ctx, w.stop = context.WithCancel(w.ctx)
		}
		if slices.Contains(which, timerStep) {
			w.timer = time.AfterFunc(time.Millisecond, func() { w.word.Add(10) })
		}
		var wait sync.WaitGroup
		wait.Add(len(all))
		for i, some := range all {
			flow.Go(func() {
				for k, s := range some {
					say[fmt.Sprint(i, ".", k)] = fmt.Sprint(s, ": ", steps[s](t, w))
				}
				wait.Done()
			})
		}
		wait.Wait()
		say["word"] = w.word.Load()
	}, which
}

// The numbers of executions with which a drawn test is compared: so many in order, which are all of them if
// there are no more, and so many drawn ones.
const (
	orderedMost = 20_000
	walkedMost  = 2000
)

// TestReduced_Drawn: the same holds for tests that are drawn. Most of them have too many interleavings to
// search them all, so what was seen in part of these must be found.
func TestReduced_Drawn(t *original.T) {
	whole, cut := 0, uint64(0)
	for seed := range uint64(80) {
		f, which := drawn(rand.New(rand.NewPCG(1, seed)))
		few, r := outcomes(t, f, true, explore.Options{Reduce: true, MaxExecutions: orderedMost})
		all, full := outcomes(t, f, true, explore.Options{MaxExecutions: orderedMost})
		more, walked := outcomes(t, f, true, explore.Options{Walks: walkedMost, Seed: seed})
		if err := errors.Join(r.Err(), full.Err(), walked.Err()); err != nil || !r.Exhaustive {
			t.Errorf("seed %d, steps %v: %v", seed, which, err)
		}
		for _, x := range append(all, more...) {
			if !slices.Contains(few, x) {
				t.Errorf("seed %d, steps %v: %s is not in %d reduced executions", seed, which, x,
					r.Executions)
			}
		}
		if full.Exhaustive {
			whole++
			if len(few) != len(all) {
				t.Errorf("seed %d, steps %v: %q in all executions, %q reduced", seed, which, all, few)
			}
		}
		cut += r.SleepBlocked
	}
	t.Logf("%d tests were searched completely in both ways; %d executions were cut", whole, cut)
	if whole < 60 {
		t.Errorf("only %d tests were searched completely in both ways", whole)
	}
}
