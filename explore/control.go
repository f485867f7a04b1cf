package explore

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/samecycle/samecycle/internal/hook"
)

// turn is a mutex that the running exploration holds, because hook.Active is one variable for the process.
var turn sync.Mutex

// hung counts actors of abandoned explorations that still run. While there are any, nothing can be explored,
// because they might use a shim.
var hung atomic.Int32

const tick = 100 * time.Millisecond

// signals are what the controlling goroutine and the exploring goroutine tell each other.
type signals struct {
	stop     atomic.Bool
	progress atomic.Bool
	beat     atomic.Uint64 // changes with every execution; odd while actors run
	fate     atomic.Int32  // exploring, explored or abandoned
	news     chan news     // to the goroutine that waits for the report
	watch    watch         // with Options.Strays

	// planned is the trail of the current execution. It is written before beat changes, and its contents do
	// not change while actors run. Random decisions, and decisions of a reduced search, are added under the
	// mutex, because an actor that hangs may continue at any time.
	mu      sync.Mutex
	planned []node
	items   []int
}

// draw adds a decision to the trail of a random execution.
func (s *signals) draw(trail []node, n node) []node {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.planned = append(trail, n)
	return s.planned
}

// note adds a decision to those of a reduced search.
func (s *signals) note(items []int, item int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(items, item)
	return s.items
}

// notes replaces the decisions of a reduced search by these.
func (s *signals) notes(items []int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = items
	return items
}

// The fates of an exploration. An exploration ends or is abandoned, and the first of the two decides.
const (
	exploring = iota
	explored
	abandoned
)

// enterActors says that actors run from now on, along the trail.
func (s *signals) enterActors(trail []node) {
	s.planned = trail
	s.beat.Add(1)
}

// leaveActors says that no actor runs.
func (s *signals) leaveActors() { s.beat.Add(1) }

// alive says that actors still make steps.
func (s *signals) alive() { s.beat.Add(2) }

// beat is called from time to time. It says that the actors still make steps, and halts a long execution when
// the context is done. An execution that is run again is not halted, because it may be that of a failure.
func (e *engine) beat() {
	e.signals.alive()
	if e.long && e.signals.stopped() && !e.again && e.script == nil {
		e.most, e.halted = e.steps, true
	}
}

func (s *signals) stopped() bool        { return s.stop.Load() }
func (s *signals) progressWanted() bool { return s.progress.Load() && s.progress.Swap(false) }
func (s *signals) pending() bool        { return s.stop.Load() || s.progress.Load() }

// control runs job on a goroutine of its own. So an actor that never returns control blocks that goroutine,
// and not the caller's.
func control(e *engine, job func(*engine) Report) (Report, error) {
	turn.Lock()
	defer turn.Unlock()
	if hung.Load() > 0 {
		return Report{}, fmt.Errorf("%w; end the process", ErrHung)
	}
	if c := e.o.Context; c != nil && c.Done() != nil {
		e.signals.stop.Store(c.Err() != nil) // the function below may run late
		stop := context.AfterFunc(c, func() { e.signals.stop.Store(true) })
		defer func() { e.stoppable = !stop() }()
	}
	e.hire()
	e.crew.tasks <- task{e, job}
	return e.await()
}

// drain marks the end of an exploration's job on its goroutine. The job ends early if the program calls
// runtime.Goexit, which recover cannot stop.
func (e *engine) drain(ended bool) {
	switch {
	case e.signals.fate.Load() == abandoned:
		hook.Active = nil
		hung.Add(-1)
	case !ended:
		hook.Active = nil
		e.signals.news <- news{failure: &Failure{Kind: Panicked, Message: "the program ended the goroutine " +
			"(runtime.Goexit; a test's FailNow or Fatal does that): return an error instead"}}
	}
}

// await waits for the report, wakes the progress callback, and watches for hanging actors.
func (e *engine) await() (Report, error) {
	c := e.crew
	defer c.busy.Store(false)
	beat, since, ticks := uint64(0), time.Time{}, 0
	for {
		switch n := <-c.news; {
		case n.failure != nil:
			hook.Active = nil
			return e.abandoned(n.failure), nil
		case n.ended:
			r := c.report
			c.report = Report{}
			e.release()
			return r, nil
		}
		if ticks++; ticks%5 == 0 {
			e.signals.progress.Store(true)
		}
		if b := e.signals.beat.Load(); b != beat || b%2 == 0 || ticks == 1 {
			beat, since = b, time.Now()
		}
		if limit := e.watchdog(); limit > 0 && time.Since(since) > limit {
			if r, hangs := e.hang(); hangs {
				return r, nil
			}
		}
	}
}

// strayWatchdog is the watchdog after a stray goroutine was ended, because actors most likely wait for that
// goroutine.
const strayWatchdog = time.Second

// watchdog returns how long actors may run without a scheduling point; negative: for ever.
func (e *engine) watchdog() time.Duration {
	if e.signals.watch.stray.Load() != nil && e.o.Watchdog > strayWatchdog {
		return strayWatchdog
	}
	return e.o.Watchdog
}

// hang abandons an exploration because one of its actors does not return control. The exploration stays the
// active one until that actor does return control, and then stops.
//
// It reports false if the exploration has just ended.
func (e *engine) hang() (Report, bool) {
	hung.Add(1)
	if !e.signals.fate.CompareAndSwap(exploring, abandoned) {
		hung.Add(-1)
		return Report{}, false
	}
	e.signals.stop.Store(true)
	f := &Failure{
		Kind: Hung,
		Message: fmt.Sprintf("no scheduling point for %v: an actor waits for something that "+
			"no shim sees, or computes without end", e.o.Watchdog),
		Stacks: actorStacks(),
	}
	if s := e.signals.watch.stray.Load(); s != nil {
		f.Kind, f.Message = s.Kind, s.Message+"; an actor waits for it"
		f.Stacks = append(f.Stacks, s.Stacks...)
	}
	switch {
	case e.o.Guide != nil:
		f.Message += fmt.Sprintf("; it is the execution of the bytes %x", e.o.Guide)
	case e.o.Walks > 0:
		f.Message += fmt.Sprintf("; it is a random execution of seed %d", e.o.Seed)
	}
	f.Token = e.tokenSoFar()
	return e.abandoned(f), true
}

// tokenSoFar returns a token of the decisions of the running execution so far. Any goroutine may call it.
// The token is empty in a replay, because the caller already has one.
func (e *engine) tokenSoFar() string {
	s := &e.signals
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case e.script != nil:
		return ""
	case e.o.Reduce:
		return makeToken(e.p.Name, e.o, s.items, false)
	}
	return sparseToken(e.p.Name, e.o, s.planned)
}

// abandoned is the report of an exploration whose goroutine does not return. The statistics belong to that
// goroutine, so the report has none.
func (e *engine) abandoned(f *Failure) Report {
	return Report{Program: e.p.Name, Failure: f, Bound: "abandoned, nothing is known"}
}

// abandon ends the exploration from within an actor that cannot be ended. The actor stays there for ever, so
// it does no harm.
func (e *engine) abandon(f *Failure) {
	f.Token = e.tokenSoFar()
	e.signals.news <- news{failure: f}
	select {}
}

// actorStacks returns the stacks of the goroutines that run actors of this package. Suspended actors are
// parked at a coroutine switch. Actors of abandoned explorations stay in abandon.
func actorStacks() []string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var found []string
	for _, s := range strings.Split(string(buf), "\n\n") {
		state, _, _ := strings.Cut(s, "\n")
		if strings.Contains(s, "explore.(*actor).runBody") && !strings.Contains(state, "[coroutine") &&
			!strings.Contains(s, "explore.(*engine).abandon(") {
			found = append(found, s)
		}
	}
	return found
}
