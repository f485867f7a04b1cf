// Package flow stands in for the statements of explored code that start goroutines, leave the processor,
// or use channels. A copy of foreign code has them changed to calls of this package by
// foreign; code that is written for the explorer calls them by hand.
//
// Channels keep their types, and outside explorations the functions do what the statements do. Inside, each
// operation is a step on its channel, as is len; a select is one on all of its channels, and makes each of
// the cases that it can make. An actor that has to wait at a channel without a buffer, or in a select,
// joins the queue of waiting actors, which is a step. It continues by another step when some actor has
// completed its operation. The first in the queue is served first, as in the runtime. At a buffered channel
// a send or a receive is one step, which waits until it is possible. What was sent, received or closed
// happens before what the memory model says, and who reuses a place of a buffer comes after who freed it,
// as for the runtime's race detector.
//
// What others do to a channel, the standard library for instance, is not seen while actors run.
package flow

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/samecycle/samecycle/internal/hook"
)

// Go runs f in a new goroutine. Inside an exploration f is a new actor, named after the actor that made it.
// It is made at once and without a step, for nobody sees it before its first step. Too many actors are a
// failure of the execution.
func Go(f func()) {
	s := hook.Active
	if s == nil {
		if atLoad() {
			return
		}
		strays.Add(1)
		go f()
		return
	}
	spawner, ok := s.(hook.Spawner)
	if !ok {
		panic(fmt.Sprintf("flow: go statement under a scheduler that makes no actors (%T)", s))
	}
	spawner.Spawn(Body(f))
}

// strays counts the goroutines that were started outside of explorations.
var strays atomic.Int64

// Strays returns how many goroutines were started outside of explorations. No scheduler knows them, so one
// that runs on while actors do breaks what is explored.
func Strays() int64 { return strays.Load() }

// Gosched lets others run, as runtime.Gosched does.
func Gosched() {
	if s := hook.Active; s != nil {
		s.Yield()
		return
	}
	runtime.Gosched()
}

// Refuse returns c. Inside an exploration it panics, for there is a use of a channel that no function stands
// in for; where is the place in the source text.
func Refuse[C any](c C, where string) C {
	if hook.Active != nil {
		panic(hook.Refusal(where + ": a receive whose second value has a boolean type of the program's own " +
			"is not explored: use a program that does not come here"))
	}
	return c
}
