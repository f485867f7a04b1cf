package explore_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/sync"
)

// TestStatefulLimit shows both sides of the line that the package documentation draws. The orders
// of appends to a plain slice are kept apart when a lock of shim/sync guards the slice, and
// merge when nothing guards it: the state key does not see the slice. It is also the proof that
// comparing the outcomes of the two searches can fail.
func TestStatefulLimit(t *testing.T) {
	var (
		mu    *sync.Mutex
		word  atomic.Uint32
		order []int
	)
	reset := func() {
		mu, order = new(sync.Mutex), nil
		word.Store(0)
	}
	outcomes := func(lock, unlock func(), stateful bool) int {
		body := func(me int) func() {
			return func() {
				for range 2 {
					lock()
					order = append(order, me)
					unlock()
				}
			}
		}
		got := map[string]int{}
		p := simple("order", reset, body(0), body(1))
		start := p.Start
		p.Start = func(x *explore.Execution) []explore.Actor {
			x.Region(unsafe.Pointer(&word), int(unsafe.Sizeof(word)))
			return start(x)
		}
		p.Finish = func(*explore.Execution) error { got[fmt.Sprint(order)]++; return nil }
		o := withoutAudit(unbounded())
		o.Stateful, o.SpinLimit = stateful, 4
		if r := mustExplore(t, p, o); r.Failure != nil {
			t.Fatal(r.Failure.Table())
		}
		return len(got)
	}
	for _, c := range []struct {
		name         string
		lock, unlock func()
		stateful     bool
		want         int
	}{
		{"mutex", func() { mu.Lock() }, func() { mu.Unlock() }, false, 6},
		{"mutex, stateful", func() { mu.Lock() }, func() { mu.Unlock() }, true, 6},
	} {
		if got := outcomes(c.lock, c.unlock, c.stateful); got != c.want {
			t.Errorf("%s: %d orders of the appends, want %d", c.name, got, c.want)
		}
	}
	look := func() { word.Load() }
	all, cut := outcomes(look, look, false), outcomes(look, look, true)
	if all != 6 || cut >= all {
		t.Errorf("unguarded plain memory: %d orders, stateful %d; want 6, and fewer: the limit "+
			"that the package documents", all, cut)
	}
}
