// Package flow replaces the statements of explored code that start goroutines, give up the processor, or use
// channels. In a copy of foreign code, package foreign changes them to calls of this package. Code that is
// written for the explorer calls it directly.
//
// Channels keep their types, and outside explorations the functions do what the statements do. Inside an
// exploration each operation is a step on its channel, and so is len. A select is a step on all of its
// channels, and each case that is possible is tried. An actor that has to wait at a channel without a
// buffer, or in a select, joins the queue of waiting actors, which is a step. It continues by another step
// when some actor has completed its operation. The first actor in the queue is served first, as in the
// runtime. At a buffered channel a send or a receive is one step, which waits until it is possible. What
// happens before a send, a receive or a close is as in the memory model. A send that reuses a place of a
// buffer comes after the receive that freed it, as in the runtime's race detector.
//
// What other code does with a channel, for instance the standard library, is not seen while actors run.
package flow

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/samecycle/samecycle/internal/hook"
)

// Go runs f in a new goroutine. Inside an exploration f is a new actor, named after the actor that made it.
// It is made at once and without a step, because no other actor sees it before its first step. Too many
// actors are a failure of the execution.
func Go(f func()) {
	s := hook.Active
	if s == nil {
		if by := starter(3); !keep(by, f) {
			stray(by, f)
		}
		return
	}
	spawner, ok := s.(hook.Spawner)
	if !ok {
		panic(fmt.Sprintf("flow: go statement under a scheduler that makes no actors (%T)", s))
	}
	spawner.Spawn(Body(f))
}

// Gosched lets other actors run, as runtime.Gosched does.
func Gosched() {
	if s := hook.Active; s != nil {
		yields.Add(1)
		s.Yield()
		return
	}
	runtime.Gosched()
}

// yields counts how often actors had nothing to do.
var yields atomic.Uint64

// Yields returns how often actors have let others run, or have begun to wait for an ordered clock. These are
// not steps, but they count when the explorer asks whether an actor makes progress.
func Yields() uint64 { return yields.Load() }

// Refuse returns c. Inside an exploration it panics, because no function can replace this use of a channel;
// where is its place in the source text.
func Refuse[C any](c C, where string) C {
	if hook.Active != nil {
		panic(hook.Refusal(where + ": a receive whose second value has a boolean type of the program's own " +
			"is not explored: use a program that does not come here"))
	}
	return c
}
