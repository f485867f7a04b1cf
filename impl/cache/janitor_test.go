package cache

import (
	"testing"
	"testing/synctest"
	"time"
)

// A janitor has one turn each time that janitor.every says, from the next look at the live parameters on.
func TestJanitor_OneTurnAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "", Options{Bytes: 1 << 20})
		before := uint64(0)
		for _, every := range []time.Duration{tickEvery, 700 * time.Millisecond, 5 * time.Millisecond} {
			tuned(t, c, "janitor.every", uint64(every.Milliseconds()))
			time.Sleep(lookEvery + every/2) // it has looked, and sleeps
			before = c.turns.Load()
			time.Sleep(10 * every)
			if n := c.turns.Load() - before; n != 10 {
				t.Errorf("%d turns in %v, one each %v", n, 10*every, every)
			}
		}
	})
}

// The clock of a process begins at the reading of both clocks that took the least time, when none of them
// took as little as it should.
func TestClock_NearestReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const nearest = 40
		reads, begun := 0, time.Time{}
		k := clock{host: func() (time.Duration, bool) {
			if reads++; reads == nearest {
				begun = time.Now()
				time.Sleep(2 * readNear)
			} else {
				time.Sleep(time.Millisecond)
			}
			return time.Duration(reads) * time.Hour, true
		}}
		since, ok := k.read()
		if !ok || since != nearest*time.Hour || !k.begun.Equal(begun) || reads != readTries {
			t.Errorf("reading %v of %d: %v at %v, want number %d at %v", ok, reads, since, k.begun, nearest,
				begun)
		}
	})
}
