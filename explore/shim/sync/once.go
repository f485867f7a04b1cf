package sync

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

const (
	onceRunning = 1
	onceDone    = 2
)

// A Once runs a function once and reports each of its steps.
type Once struct {
	real sync.Mutex // held around the function outside explorations
	word uint64     // 0, onceRunning or onceDone; shared by both worlds
}

// Do calls f if no earlier Do of this Once has called it. It returns when that call is over, also if f
// panics.
func (o *Once) Do(f func()) {
	s := hook.Active
	if s == nil {
		o.doReal(f)
		return
	}
	p := unsafe.Pointer(o)
	s.Wait(hook.Once, p, hook.Condition{Word: &o.word, Mask: onceRunning})
	changes(o, "Do of a Once")
	if o.word == onceDone {
		s.After(hook.Once, p, onceDone, onceDone, false)
		return
	}
	o.word = onceRunning
	s.After(hook.Once, p, 0, onceRunning, true)
	defer o.finish()
	f()
}

// finish publishes that f is over. In a killed actor it unwinds instead, and the Once stays running for
// ever, as the death of the caller implies.
func (o *Once) finish() {
	if s := hook.Active; s != nil {
		s.Before(hook.Signal, unsafe.Pointer(o))
		o.word = onceDone
		s.After(hook.Signal, unsafe.Pointer(o), onceRunning, onceDone, true)
	}
}

func (o *Once) doReal(f func()) {
	if atomic.LoadUint64(&o.word) == onceDone {
		return
	}
	o.real.Lock()
	defer o.real.Unlock()
	if o.word != onceDone {
		defer atomic.StoreUint64(&o.word, onceDone)
		f()
	}
}

// OnceFunc returns a function that calls f once, however often it is called. If f panics, each
// call panics with the same value.
func OnceFunc(f func()) func() {
	get := OnceValue(func() struct{} { f(); return struct{}{} })
	return func() { get() }
}

// OnceValue returns a function that calls f once and returns its result each time. If f panics,
// each call panics with the same value.
func OnceValue[T any](f func() T) func() T {
	get := OnceValues(func() (T, struct{}) { return f(), struct{}{} })
	return func() T { v, _ := get(); return v }
}

// OnceValues returns a function that calls f once and returns its results each time. If f
// panics, each call panics with the same value.
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var (
		once    Once
		returns bool
		cause   any
		v1      T1
		v2      T2
	)
	call := func() {
		defer func() {
			if !returns {
				cause = recover()
				panic(cause)
			}
		}()
		v1, v2 = f()
		returns = true
	}
	return func() (T1, T2) {
		once.Do(call)
		if !returns {
			panic(cause)
		}
		return v1, v2
	}
}
