package explore

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A guard stands before the engine with Options.Strays. It admits actors, and ends other goroutines before
// they touch anything that belongs to the running actor. It is as large as a pointer, so its use allocates
// nothing.
type guard struct{ *engine }

var (
	_ hook.Messenger = guard{}
	_ hook.Spawner   = guard{}
	_ hook.Memory    = plainGuard{}
)

// watch is what a guard knows.
type watch struct {
	runs  atomic.Uintptr          // the goroutine that ran last
	stray atomic.Pointer[Failure] // the first goroutine that is not an actor
}

// scheduler is what the shims call.
func (e *engine) scheduler() hook.Scheduler {
	if e.o.Strays {
		return guard{e}
	}
	return e
}

// admit returns only for actors. Actors run on coroutines, which no go statement makes, and so does the code
// of an iterator that an actor pulls. Finalizers wait for ever.
func (g guard) admit(k hook.Kind) {
	w := &g.signals.watch
	if w.runs.Load() == goroutine() {
		return
	}
	switch startedBy() {
	case "runtime.corostart":
	case "runtime.runFinalizers", "runtime.runfinq", "runtime.runCleanups":
		select {} // as if it had not run yet, because no program may rely on it
	default:
		w.stray.CompareAndSwap(nil, &Failure{Kind: Stray, Message: fmt.Sprintf("a goroutine that is no "+
			"actor comes to a step (%v): code that is not explored started it, so what it does has no place "+
			"in a schedule", k), Stacks: []string{string(debug.Stack())}})
		runtime.Goexit() // its deferred calls let goroutines continue that wait for it
	}
}

// runs notes the goroutine that runs, so that it is not examined again.
func (e *engine) runs() {
	if !e.o.Strays {
		return
	}
	if w, me := &e.signals.watch, goroutine(); w.runs.Load() != me {
		w.runs.Store(me)
	}
}

// startedBy returns the function with which the calling goroutine began.
func startedBy() (name string) {
	var pcs [64]uintptr
	for skip, n := 0, len(pcs); n == len(pcs); skip += n {
		n = runtime.Callers(skip, pcs[:])
		frames := runtime.CallersFrames(pcs[:n])
		for more := n > 0; more; {
			var f runtime.Frame
			if f, more = frames.Next(); f.Function != "runtime.goexit" && f.Function != "" {
				name = f.Function
			}
		}
	}
	return name
}

// strayed makes the running execution fail if a stray has come.
func (e *engine) strayed() {
	if f := e.signals.watch.stray.Load(); f != nil {
		e.failure, e.outcome = &Failure{Kind: f.Kind, Message: f.Message, Stacks: f.Stacks}, failed
	}
}

// Before implements hook.Scheduler.
func (g guard) Before(k hook.Kind, p unsafe.Pointer) {
	g.admit(k)
	g.engine.Before(k, p)
	g.runs()
}

// Wait implements hook.Scheduler.
func (g guard) Wait(k hook.Kind, p unsafe.Pointer, c hook.Condition) {
	g.admit(k)
	g.engine.Wait(k, p, c)
	g.runs()
}

// Choose implements hook.Scheduler.
func (g guard) Choose(n int) int {
	g.admit(hook.Choice)
	return g.engine.Choose(n)
}

// Yield implements hook.Scheduler.
func (g guard) Yield() {
	g.admit(hook.Await)
	g.engine.Yield()
}

// Spawn implements hook.Spawner.
func (g guard) Spawn(f func()) {
	g.admit(hook.Begin)
	g.engine.Spawn(f)
}

// Serve implements hook.Spawner.
func (g guard) Serve(f func()) {
	g.admit(hook.Begin)
	g.engine.Serve(f)
}

// ServeWhen implements hook.Spawner.
func (g guard) ServeWhen(c hook.Condition, f func()) {
	g.admit(hook.Begin)
	g.engine.ServeWhen(c, f)
}

// ServeLast implements hook.Spawner.
func (g guard) ServeLast(f func()) {
	g.admit(hook.Begin)
	g.engine.ServeLast(f)
}

// Pause implements hook.Spawner.
func (g guard) Pause(p unsafe.Pointer, c hook.Condition) {
	g.admit(hook.Await)
	g.engine.Pause(p, c)
	g.runs()
}

// Rest implements hook.Spawner.
func (g guard) Rest() {
	g.admit(hook.Await)
	g.engine.Rest()
}

// Waits implements hook.Spawner.
func (g guard) Waits() (before int, serves bool) {
	g.admit(hook.Await)
	return g.engine.Waits()
}

// A plainGuard is a guard before the race detector.
type plainGuard struct {
	guard
	d *detector
}

// Plain implements hook.Memory.
func (g plainGuard) Plain(a hook.Plain) {
	g.admit(plainKind(a))
	g.d.Plain(a)
}
