package time

import (
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A Timer is one event: a function that is called, or a time that is sent on C.
type Timer struct {
	C    <-chan Time
	real *time.Timer // outside explorations
	f    func()
	word uint64 // inside: twice the number of its starts, and 1 while it runs
}

// NewTimer returns a Timer that sends the time after d. It panics inside an exploration.
func NewTimer(d Duration) *Timer {
	channels("NewTimer")
	t := time.NewTimer(d)
	return &Timer{C: t.C, real: t}
}

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

// run makes the actor of the running start of t.
func (t *Timer) run(s hook.Scheduler, d Duration) {
	mine := t.word
	s.(hook.Spawner).Spawn(func() {
		Sleep(d)
		if t.fires(mine) {
			t.f()
		}
	})
}

// fires ends the start of t and reports whether it has not been stopped.
func (t *Timer) fires(start uint64) bool {
	s := hook.Active
	s.Before(hook.CompareAndSwap, unsafe.Pointer(&t.word))
	old := t.word
	if old == start {
		t.word = start - 1
	}
	s.After(hook.CompareAndSwap, unsafe.Pointer(&t.word), old, start-1, old == start)
	return old == start
}

// Stop keeps t from firing and reports whether it did.
func (t *Timer) Stop() bool {
	if t.real != nil {
		return t.real.Stop()
	}
	return t.swap(func(old uint64) uint64 { return old &^ 1 })
}

// Reset lets t fire after d and reports whether it was going to.
func (t *Timer) Reset(d Duration) bool {
	if t.real != nil {
		return t.real.Reset(d)
	}
	active := t.swap(func(old uint64) uint64 { return old&^1 + 3 })
	t.run(hook.Active, d)
	return active
}

// swap changes the word in one step and reports whether t was running.
func (t *Timer) swap(f func(old uint64) uint64) bool {
	s := hook.Active
	s.Before(hook.Swap, unsafe.Pointer(&t.word))
	old := t.word
	t.word = f(old)
	s.After(hook.Swap, unsafe.Pointer(&t.word), old, t.word, true)
	return old&1 == 1
}
