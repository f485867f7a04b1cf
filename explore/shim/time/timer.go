package time

import (
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// A Timer is one event: a function that is called, or a time that is sent on C.
type Timer struct {
	C    <-chan Time
	real *time.Timer // outside explorations
	f    func()
	c    chan Time // inside: C, if there is no function
	word uint64    // inside: twice the number of its starts, and 1 while it runs
}

// NewTimer returns a Timer that sends the time after d.
func NewTimer(d Duration) *Timer {
	s := hook.Active
	if s == nil {
		t := time.NewTimer(d)
		return &Timer{C: t.C, real: t}
	}
	t := &Timer{c: flow.ForTimer[Time](), word: 1}
	t.C = t.c
	t.run(s, d)
	return t
}

// After returns a channel on which the time is sent after d.
func After(d Duration) <-chan Time { return NewTimer(d).C }

// AfterFunc calls f after d, in a goroutine of its own; inside an exploration in a new actor.
func AfterFunc(d Duration, f func()) *Timer {
	s := hook.Active
	if s == nil {
		return &Timer{real: time.AfterFunc(d, f)}
	}
	t := &Timer{f: f, word: 1}
	t.run(s, d)
	return t
}

// run makes the actor for the present start of t. After the exploration nothing fires any more.
func (t *Timer) run(s hook.Scheduler, d Duration) {
	if s == nil {
		return
	}
	pause, mine, until := flow.BeginTimer(s), t.word, in(d)
	fire := func() {
		if t.c != nil {
			flow.Fire(t.c, onClock, func() bool {
				pass(d)
				return t.ends(mine)
			})
		} else if t.fires(mine, d) {
			flow.Body(t.f)()
		}
	}
	early := pause != flow.Endless && flow.Clock.IsEarly(s)
	switch {
	case pause == flow.Endless:
	case early && t.c != nil:
		fire()
	case early:
		flow.Clock.Ahead(s, fire)
	case ordered() && d <= 0 && t.c != nil: // as in the runtime, the next look at the channel finds it
		fire()
	case ordered() && d <= 0:
		s.(hook.Spawner).Serve(flow.Begins(fire))
	case ordered(): // a look at the channel when the time is over finds the value
		flow.Clock.Serve(s, until, t.c != nil, fire)
	case flow.Clock == nil && pause != flow.Awaited:
		s.(hook.Spawner).Spawn(func() {
			rest(s, pause, until)
			fire()
		})
	default:
		object, awaited := unsafe.Pointer(&t.word), hook.Condition{Word: &t.word, Mask: ^uint64(0),
			Want: mine}
		if t.c != nil {
			object, awaited = flow.Waited(t.c)
		}
		s.(hook.Spawner).Serve(func() {
			flow.Await(s, object, awaited)
			fire()
		})
	}
}

// onClock is the time, without a step.
func onClock() Time {
	if ordered() {
		return flow.Clock.Seen()
	}
	return flow.Begin.Add(*now())
}

// ends ends this start of t, in a step on its channel, and reports whether t has not been stopped.
func (t *Timer) ends(start uint64) bool {
	running := t.word == start
	if running {
		t.word = start - 1
	}
	return running
}

// fires is ends in a step of its own.
func (t *Timer) fires(start uint64, d Duration) bool {
	s := hook.Active
	s.Before(hook.CompareAndSwap, unsafe.Pointer(&t.word))
	pass(d)
	old := t.word
	fires := t.ends(start)
	s.After(hook.CompareAndSwap, unsafe.Pointer(&t.word), old, start-1, fires)
	return fires
}

// Stop prevents t from firing, and reports whether it did.
func (t *Timer) Stop() bool {
	if t.real != nil {
		return t.real.Stop()
	}
	return t.swap("Stop", func(old uint64) uint64 { return old &^ 1 })
}

// Reset makes t fire after d, and reports whether it was going to fire.
func (t *Timer) Reset(d Duration) bool {
	if t.real != nil {
		return t.real.Reset(d)
	}
	active := t.swap("Reset", func(old uint64) uint64 { return old&^1 + 3 })
	t.run(hook.Active, d)
	return active
}

// swap changes the word in one step. It reports whether t was running, or whether the value that it sent was
// not received.
func (t *Timer) swap(method string, f func(old uint64) uint64) bool {
	if t.f == nil && t.c == nil {
		panic("time: " + method + " called on uninitialized Timer")
	}
	running := false
	change := func() { running, t.word = t.word&1 == 1, f(t.word) }
	if t.c != nil {
		return flow.Empty(t.c, change) || running
	}
	s := hook.Active
	if s == nil {
		change()
		return running
	}
	s.Before(hook.Swap, unsafe.Pointer(&t.word))
	old := t.word
	change()
	s.After(hook.Swap, unsafe.Pointer(&t.word), old, t.word, true)
	return running
}
