package time

import (
	"time"

	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/hidden"
	"github.com/samecycle/samecycle/internal/hook"
)

// A Ticker sends the time on C again and again.
type Ticker struct {
	C    <-chan Time
	real *time.Ticker // outside explorations
	c    chan Time    // inside: C
	word uint64       // inside: twice the number of its starts, and 1 while it runs
	sent int          // inside: its ticks
}

// NewTicker returns a Ticker of period d. It panics if d is not positive.
func NewTicker(d Duration) *Ticker {
	s := hook.Active
	if s == nil || d <= 0 {
		t := time.NewTicker(d)
		return &Ticker{C: t.C, real: t}
	}
	t := &Ticker{c: flow.ForTicker[Time](), word: 1}
	t.C = t.c
	t.run(s, d)
	return t
}

// Tick returns a channel on which the time is sent each d, nil if d is not positive.
func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}

// run makes the actor for the present start of t.
func (t *Ticker) run(s hook.Scheduler, d Duration) {
	if s == nil {
		return
	}
	mine, spawner := t.word, s.(hook.Spawner)
	ticks := func() bool {
		pass(d)
		if t.word == mine {
			t.sent++
		}
		return t.word == mine
	}
	if ordered() {
		t.runInOrder(d, s, ticks)
		return
	}
	until := in(d)
	spawner.Serve(flow.Begins(func() {
		for t.sent < flow.FreeTicks+flow.LastTicks {
			pause := flow.Any
			if t.sent >= flow.FreeTicks {
				pause = flow.Last
			}
			rest(s, pause, until)
			if !flow.FireAgain(t.c, onClock, ticks) {
				return
			}
		}
	}))
}

// runInOrder is run on an ordered clock. Ticks that no actor receives are lost, and do not advance the
// clock.
func (t *Ticker) runInOrder(d Duration, s hook.Scheduler, ticks func() bool) {
	if hidden.Reduced { // it is refused, because FireAt waits for room and for the clock in one
		s.(hook.Spawner).ServeWhen(hook.Condition{Word: &t.word}, func() {})
	}
	until := in(d)
	next := func() Duration {
		until += max(0, *now()-until+d) / d * d
		return until
	}
	flow.Clock.Serve(s, until, true, func() {
		for again := flow.Fire(t.c, onClock, ticks); again; {
			again = flow.FireAt(t.c, next, onClock, ticks)
		}
	})
}

// Reset changes the period, and starts t again if it was stopped. It panics if d is not positive.
func (t *Ticker) Reset(d Duration) {
	switch {
	case t.real != nil:
		t.real.Reset(d)
		return
	case d <= 0:
		panic("non-positive interval for Ticker.Reset")
	case t.c == nil:
		panic("time: Reset called on uninitialized Ticker")
	}
	t.swap(func(old uint64) uint64 { return old&^1 + 3 })
	t.run(hook.Active, d)
}

// Stop ends the ticker.
func (t *Ticker) Stop() {
	if t.real != nil {
		t.real.Stop()
	} else if t.c != nil {
		t.swap(func(old uint64) uint64 { return old &^ 1 })
	}
}

// swap changes the word in one step.
func (t *Ticker) swap(f func(old uint64) uint64) { flow.Empty(t.c, func() { t.word = f(t.word) }) }
