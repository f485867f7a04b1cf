//go:build !explore

package shardmap

import (
	"math"
	"testing"
	"time"
)

// Whoever waits for long sleeps: for 20 µs behind 40 looks, twice as long each time, and for a millisecond at
// most. What is measured may be longer than it should be, since the machine does other things, and never
// shorter.
func TestRelax_SleepsLongerEachTime(t *testing.T) {
	const first = 20 * time.Microsecond
	for looks, least := range map[int]time.Duration{40: first, 41: 2 * first, 43: 8 * first, 45: 32 * first,
		46: time.Millisecond, 1040: time.Millisecond, math.MaxInt: time.Millisecond} {
		if took := relaxed(looks); took < least {
			t.Errorf("after %d looks it waits for %v, want %v", looks, took, least)
		}
	}
}

// A wait is short at first: with pauses, and then with yields. How short a sleep is the system decides.
func TestRelax_BeginsShort(t *testing.T) {
	const most = 20 * time.Microsecond
	for _, looks := range []int{0, 29, 30, 39} {
		shortest := time.Hour
		for begin := time.Now(); shortest >= most && time.Since(begin) < 3*time.Second; {
			shortest = min(shortest, relaxed(looks))
		}
		if shortest >= most {
			t.Errorf("after %d looks it waits for %v at least, want less than %v", looks, shortest, most)
		}
	}
}

// relaxed is how long relax takes.
func relaxed(looks int) time.Duration {
	begin := time.Now()
	relax(looks)
	return time.Since(begin)
}
