// Package synctest is the standard package testing/synctest for tests whose goroutines are explored. The
// clock of an explored test is that of a bubble in any case: it stands still while any goroutine can go on.
// So a bubble is the whole execution.
package synctest

import (
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/testing"
)

// Test calls f, and what it has left to clean up, and waits until no goroutine can go on. Goroutines that are
// left then may wait for ever; in the original they end the test. A look at the clock takes no time.
func Test(t *testing.T, f func(t *testing.T)) {
	look := flow.Look
	flow.Look = 0
	defer func() { flow.Look = look }()
	failed := !t.RunWithin(f)
	Wait()
	if failed {
		t.FailNow()
	}
}

// Wait waits until no other goroutine can go on, unless the clock passes.
func Wait() { flow.Still() }
