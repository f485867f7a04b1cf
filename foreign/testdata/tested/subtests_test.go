package tested

import (
	"sync"
	"sync/atomic"
	"testing"
)

// All subtests together make more steps than an execution may have.
func TestLarge(t *testing.T) {
	var mu sync.Mutex
	var n atomic.Int32
	for _, name := range []string{"a", "b#1/2", "a", "c.d e"} {
		t.Run(name, func(t *testing.T) {
			for range 30_000 {
				n.Add(1)
			}
			if name != "b#1/2" {
				return
			}
			go mu.Lock()
			if !mu.TryLock() {
				t.Error("somebody was faster")
			}
		})
	}
}
