package bench

import (
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestHalves_UnequalProcessors: parts that do not disturb one another are two over one, also when one
// takes three times as long as the other.
func TestHalves_UnequalProcessors(t *testing.T) {
	scales(t, 2, func() func(int) {
		naps := [2]time.Duration{20 * time.Millisecond, 60 * time.Millisecond}
		return func(who int) { time.Sleep(naps[who]) }
	})
}

// TestHalves_InTurns is the canary of the scaling: of parts that wait for one another the second takes
// twice as long, which is 1.5 over one.
func TestHalves_InTurns(t *testing.T) {
	scales(t, 1.5, func() func(int) {
		turn := make(chan struct{}, 1) // while somebody waits for a lock the clock stands still
		return func(int) {
			turn <- struct{}{}
			defer func() { <-turn }()
			time.Sleep(30 * time.Millisecond)
		}
	})
}

// scales wants that two parts do so much at once over one of them. They take their time on a clock of the
// test's own, in which the part is made: what a busy machine adds to a sleep is not measured.
func scales(t *testing.T, want float64, part func() func(who int)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if got := scalingOf(part()); math.Abs(got-want) > 1e-9 {
			t.Errorf("two over one is %v, want %v", got, want)
		}
	})
}

// scalingOf is how much two parts do at once over one of them.
func scalingOf(part func(who int)) float64 {
	h := Halved(make([]uint32, 2*chunk), func(who int, _ []uint32) int { part(who); return 0 })
	_ = h.Apart()
	one := h.One(0)
	_ = h.Together()
	return one / h.Two(0)
}

// TestHalves_GoesOn: whoever ends first works until the other one ends, and what is wrong counts.
func TestHalves_GoesOn(t *testing.T) {
	var calls [2]atomic.Int32
	h := Halved(make([]uint32, 2*chunk+2), func(who int, keys []uint32) int {
		calls[who].Add(1)
		for who == 1 && calls[0].Load() < 3 {
			time.Sleep(time.Millisecond)
		}
		return len(keys)
	})
	if wrong := h.Together(); wrong < 2*chunk+2 || calls[0].Load() < 3 || calls[1].Load() != 1 {
		t.Errorf("%d wrong of %d and more, %d and %d calls",
			wrong, 2*chunk+2, calls[0].Load(), calls[1].Load())
	}
	if wrong := h.Apart(); wrong != 2*chunk+2 {
		t.Errorf("%d wrong of %d", wrong, 2*chunk+2)
	}
}
