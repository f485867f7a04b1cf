// Package synctest is the standard package testing/synctest for tests whose goroutines are explored. The
// clock of an explored test is always that of a bubble: it does not advance while any goroutine can
// continue. So a bubble is the whole execution.
package synctest

import (
	"fmt"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/testing"
	"github.com/samecycle/samecycle/internal/hook"
)

// Test calls f and its cleanup functions, and waits until no goroutine can continue. Goroutines of the
// bubble that are left would then wait for ever, because the clock does not advance. As in the original,
// that is a panic. The clock begins at the same time for each bubble, and a look at it takes no time.
func Test(t *testing.T, f func(t *testing.T)) {
	failed := false
	flow.InBubble(func(b *flow.Bubble) {
		failed = !t.RunWithin(f)
		Wait()
		if n := b.Running(); n > 0 && !failed {
			const deadlock = "deadlock: main bubble goroutine has exited but blocked goroutines remain"
			panic(fmt.Sprintf("%s: %d", deadlock, n))
		}
	})
	if failed {
		t.FailNow()
	}
}

// Wait waits until no other goroutine can continue, unless the clock advances. As in the original, it panics
// outside of a bubble.
func Wait() {
	if !flow.Inside() {
		if s := hook.Active; s != nil { // a step, which no goroutine but an actor comes to
			s.Before(hook.Runtime, unsafe.Pointer(&outside))
			s.After(hook.Runtime, unsafe.Pointer(&outside), 0, 0, true)
		}
		panic("goroutine is not in a bubble")
	}
	flow.Still()
}

var outside uint64
