package explore_test

import (
	"iter"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/memory"
	"github.com/samecycle/samecycle/internal/hook"
)

func needsGoroutines(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("NOT RUN: goroutines are told apart on amd64 and arm64 alone, and this is " + runtime.GOARCH)
	}
}

// TestStrays: a goroutine of a go statement that comes to a step while actors run ends the execution, and
// the failure names it, also if an actor waits for the goroutine. The goroutine touches nothing.
func TestStrays(t *testing.T) {
	needsGoroutines(t)
	var w *atomic.Uint64
	var plain int
	release := make(chan struct{})
	for _, c := range []struct {
		name  string
		waits bool
		races bool
		do    func()
	}{
		{"step", false, false, func() { w.Add(1) }},
		{"lock", false, false, func() { hook.Active.Wait(hook.Lock, nil, hook.Condition{}) }},
		{"spawn", false, false, func() { hook.Active.(hook.Spawner).Spawn(func() {}) }},
		{"serve", false, false, func() { hook.Active.(hook.Spawner).Serve(func() {}) }},
		{"rest", false, false, func() { hook.Active.(hook.Spawner).Rest() }},
		{"wait for the clock", false, false, func() { hook.Active.(hook.Spawner).Waits() }},
		{"choose", false, false, func() { hook.Active.Choose(2) }},
		{"yield", false, false, func() { hook.Active.Yield() }},
		{"plain", false, true, func() { memory.Write(&plain, "plain") }},
		{"waited for", true, false, func() { w.Add(1) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := unbounded()
			o.Strays, o.Races = true, c.races
			p := simple("strays", func() { w = new(atomic.Uint64) }, func() {
				came, ended := make(chan struct{}), make(chan struct{})
				go func() {
					defer close(ended)
					close(came)
					c.do()
				}()
				switch <-came; {
				case c.waits:
					<-release
				default:
					<-ended
				}
				w.Load()
			}, func() { w.Load() })
			o.Watchdog = time.Minute
			f := wantFailure(t, mustExplore(t, p, o), explore.Stray)
			if !strings.Contains(f.Message, "a goroutine that is no actor comes to a step") ||
				strings.Contains(f.Message, "an actor waits for it") != c.waits ||
				!strings.Contains(strings.Join(f.Stacks, "\n"), "TestStrays") {
				t.Errorf("%s\n%s", f.Message, f.Stacks)
			}
			if !c.waits {
				return
			}
			close(release)
			for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(time.Millisecond) {
				if _, err := explore.Explore(simple("free", func() {}, func() {}), o); err == nil {
					break // it has come back
				}
			}
		})
	}
}

// TestStrays_None: actors, the actors that they make, and iterators that they pull are not strays. The
// results, and the number of executions, are the same as without the option.
func TestStrays_None(t *testing.T) {
	var w, v *atomic.Uint64
	p := simple("no strays", func() { w, v = new(atomic.Uint64), new(atomic.Uint64) }, func() {
		hook.Active.(hook.Spawner).Spawn(func() { v.Add(1) })
		next, stop := iter.Pull(func(yield func(uint64) bool) {
			for yield(w.Add(1)) {
			}
		})
		defer stop()
		next()
		v.Load()
		next()
	}, func() { w.Add(1); v.Add(1) })
	for _, o := range []explore.Options{unbounded(), reduced()} {
		without := mustExplore(t, p, o)
		o.Strays = true
		if r := mustExplore(t, p, o); r.Failure != nil || without.Failure != nil ||
			r.Executions != without.Executions || r.Steps != without.Steps {
			t.Errorf("%+v, without %+v", r, without)
		}
	}
}

// TestStrays_Finalizer: a finalizer that comes to a step is not a failure, and touches nothing.
func TestStrays_Finalizer(t *testing.T) {
	needsGoroutines(t)
	var w *atomic.Uint64
	began := make(chan struct{})
	o := unbounded()
	o.Strays, o.MaxExecutions, o.Audit = true, 1, -1 // no other finalizer comes
	p := simple("finalizer", func() { w = new(atomic.Uint64) }, func() {
		type object struct{ _ *object }
		made := w
		runtime.SetFinalizer(&object{}, func(*object) {
			began <- struct{}{}
			made.Add(1)
		})
		runtime.GC()
		<-began
		for range 1000 {
			runtime.Gosched() // until it has come to the step
		}
		if n := w.Load(); n != 0 {
			t.Errorf("it added %d", n)
		}
	})
	if r := mustExplore(t, p, o); r.Failure != nil {
		t.Error(r.Failure)
	}
}
