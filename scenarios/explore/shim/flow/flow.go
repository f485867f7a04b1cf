// Package flow stands in for the statements of explored code that start goroutines or leave the
// processor. A copy of foreign code has them changed to calls of this package by scenarios/foreign.
package flow

import (
	"fmt"
	"runtime"

	"github.com/samecycle/samecycle/internal/hook"
)

// Go runs f in a new goroutine. Inside an exploration f is a new actor, named after who made it. It
// is made at once and without a step, for nobody sees it before its first step. Too many actors
// are a failure of the execution.
func Go(f func()) {
	s := hook.Active
	if s == nil {
		go f()
		return
	}
	spawner, ok := s.(hook.Spawner)
	if !ok {
		panic(fmt.Sprintf("flow: go statement under a scheduler that makes no actors (%T)", s))
	}
	spawner.Spawn(f)
}

// Gosched lets others run, as runtime.Gosched does.
func Gosched() {
	if s := hook.Active; s != nil {
		s.Yield()
		return
	}
	runtime.Gosched()
}

// Channel returns c. Inside an exploration it panics, for channels are not explored; where is the
// place in the source text.
func Channel[C any](c C, where string) C {
	if hook.Active != nil {
		panic(hook.Refusal(where + ": channels and select are not explored: use a program that does not " +
			"come here"))
	}
	return c
}
