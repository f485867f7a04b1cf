package seam_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/samecycle/samecycle/internal/seam"
)

// short and long are bounds of sleeps: short passes in a test, long does not.
const (
	short = 30 * time.Millisecond
	long  = time.Minute
)

// TestAwait_EndsByAChangeOrItsBound: polled, and with sleepers that end for no reason
// again and again, as by signals, or that fail.
func TestAwait_EndsByAChangeOrItsBound(t *testing.T) {
	slept := 0
	for name, sleep := range map[string]seam.Sleeper{
		"no system call":                  nil,
		"a system call that fails":        func(*uint32, uint32, time.Duration) bool { return false },
		"a sleep that ends for no reason": func(*uint32, uint32, time.Duration) bool { slept++; return true },
		"a sleep that takes its whole time": func(_ *uint32, _ uint32, d time.Duration) bool {
			time.Sleep(d)
			return true
		},
	} {
		var w seam.Uint64
		w.Store(7 << 32)
		begun := time.Now()
		if seam.Await(&w, 0, short, sleep) {
			t.Errorf("%s: a word that stays has changed", name)
		}
		if d := time.Since(begun); d < short || d > long/2 {
			t.Errorf("%s: the bound of %v took %v", name, short, d)
		}
		if seam.Await(&w, 0, 0, sleep) || seam.Await(&w, 0, -1, sleep) || !seam.Await(&w, 1, 0, sleep) {
			t.Errorf("%s: without a bound it is not one look", name)
		}
		if name == "a sleep that takes its whole time" {
			continue
		}
		go func() {
			time.Sleep(short / 2)
			w.Store(7<<32 | 1)
		}()
		begun = time.Now()
		if !seam.Await(&w, 0, long, sleep) || time.Since(begun) > long/2 {
			t.Errorf("%s: a change was not seen within %v", name, time.Since(begun))
		}
	}
	if slept < 2 {
		t.Errorf("a sleep that ended for no reason was repeated %d times", slept)
	}
}

// TestAwait_LooksEach16ms: the pauses of who polls grow no further, and a system that cannot sleep is asked
// once.
func TestAwait_LooksEach16ms(t *testing.T) {
	for name, sleeps := range map[string]bool{"nil": false, "one that fails": true} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			sleep := seam.Sleeper(func(*uint32, uint32, time.Duration) bool { asked++; return false })
			if !sleeps {
				sleep = nil
			}
			var w seam.Uint64
			for _, after := range []time.Duration{100 * time.Millisecond, 777 * time.Millisecond, long / 2} {
				w.Store(0)
				asked = 0
				go func() {
					time.Sleep(after)
					w.Store(1)
				}()
				begun := time.Now()
				seen := seam.Await(&w, 0, long, sleep)
				d := time.Since(begun)
				if !seen || d < after || d > after+16*time.Millisecond || asked > 1 {
					t.Errorf("%s: seen %v after %v, changed after %v; the sleeper was asked %d times", name,
						seen, d, after, asked)
				}
			}
		})
	}
}

// TestAwait_EndsWithItsBound: to the nanosecond, and no later, whether it polls or sleeps, and as often as a
// sleep ends for no reason.
func TestAwait_EndsWithItsBound(t *testing.T) {
	for name, sleep := range map[string]seam.Sleeper{
		"polls": nil,
		"fails": func(*uint32, uint32, time.Duration) bool { return false },
		"wakes": func(_ *uint32, _ uint32, most time.Duration) bool {
			time.Sleep(min(most, 4*time.Millisecond))
			return true
		},
		"sleeps": func(_ *uint32, _ uint32, most time.Duration) bool { time.Sleep(most); return true },
		"wakes once": func(_ *uint32, _ uint32, most time.Duration) bool {
			if most == short {
				most /= 3
			}
			time.Sleep(most)
			return true
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			var w seam.Uint64
			begun := time.Now()
			seen := seam.Await(&w, 0, short, sleep)
			if d := time.Since(begun); seen || d != short {
				t.Errorf("%s: seen %v after %v, want it to end after %v", name, seen, d, short)
			}
		})
	}
}

func TestLowHalf(t *testing.T) {
	var w seam.Uint64
	w.Store(3<<32 | 4)
	if *seam.LowHalf(&w) != 4 {
		t.Errorf("the low half of %#x is %d", w.Load(), *seam.LowHalf(&w))
	}
}
