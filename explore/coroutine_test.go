package explore_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
)

// settle waits until there are at most n goroutines, for at most so long, and returns the number of
// goroutines.
func settle(n int, most time.Duration) int {
	for end := time.Now().Add(most); runtime.NumGoroutine() > n && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	return runtime.NumGoroutine()
}

// Coroutines end, in whatever places a search has left them.
func TestCoroutines_End(t *testing.T) {
	explore.EndCrew()
	before, moved := settle(0, 300*time.Millisecond), 0
	for seed := range uint64(20) {
		o := unbounded()
		o.Walks, o.Seed = 1+seed%3, seed
		if r, err := explore.Explore(adders(5, 3), o); err != nil || r.Failure != nil {
			t.Fatal(err, r.Failure)
		}
		moved += explore.EndCrew()
		if n := settle(before, time.Minute); n > before {
			t.Fatalf("seed %d: %d goroutines, %d before the search", seed, n, before)
		}
	}
	if moved == 0 {
		t.Error("every coroutine was in its own place each time: the test shows nothing")
	}
}

// Whichever of several suspended actors ends its goroutine, the search ends with a failure.
func TestCoroutines_Goexit(t *testing.T) {
	for who := range 4 {
		for seed := range uint64(10) {
			var w atomic.Uint64
			p := explore.Program{Name: "goexit", Start: func(*explore.Execution) []explore.Actor {
				actors := make([]explore.Actor, 4)
				for i := range actors {
					actors[i].Body = func() {
						for range 4 {
							w.Add(1)
						}
						if i == who {
							runtime.Goexit()
						}
					}
				}
				return actors
			}}
			o := unbounded()
			o.Walks, o.Seed = 1, seed
			r, err := explore.Explore(p, o)
			if err != nil || r.Failure == nil || r.Failure.Kind != explore.Panicked {
				t.Fatalf("actor %d, seed %d: %v, %v", who, seed, err, r.Failure)
			}
		}
	}
}
