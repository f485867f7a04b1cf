package cache

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
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

// A janitor does each of its chores for the first time as long after its begin as it does it again: it has a
// turn when that is due, settles what the dead have left a second after the begin, and gives the first idle
// handles up after five.
func TestJanitor_FirstTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "", Options{Bytes: 4 << 20, NoJanitor: true, Readers: 3})
		var settles atomic.Int32
		var err error
		if c.table, err = hopscotch.NewWith(c.region, hopscotch.Options{Older: c.store.Older,
			Alive: func(hopscotch.Owner) bool { settles.Add(1); return true }}); err != nil {
			t.Fatal(err)
		}
		var readers []*slot[*reader]
		for range 3 {
			s, err := c.readers.take()
			if err != nil {
				t.Fatal(err)
			}
			readers = append(readers, s)
		}
		for _, s := range readers {
			s.give(0)
		}
		begin := time.Now()
		stop := c.startJanitor()
		for _, x := range []struct {
			after   time.Duration // the begin
			turned  bool
			settled bool
			readers uint32
		}{{tickEvery / 2, false, false, 3}, {tickEvery * 3 / 2, true, false, 3},
			{settleEvery * 9 / 10, true, false, 3}, {settleEvery * 3 / 2, true, true, 3},
			{idleEvery * 9 / 10, true, true, 3}, {idleEvery * 3 / 2, true, true, 2},
			{idleEvery * 5 / 2, true, true, 1}} {
			time.Sleep(time.Until(begin.Add(x.after)))
			n, asked, left := c.turns.Load(), settles.Load(), c.readers.made.Load()
			if (n > 0) != x.turned || (asked > 0) != x.settled || left != x.readers {
				t.Errorf("%v behind the begin: %d turns, settled %d times, %d readers", x.after, n, asked,
					left)
			}
		}
		close(stop)
	})
}

// A janitor that comes once more behind the close of its cache does nothing: each chore sees that there is no
// handle any more, and no lease.
func TestJanitor_OfAClosedCache(t *testing.T) {
	c, err := Open(cacheFile(t), small())
	if err != nil {
		t.Fatal(err)
	}
	set(t, c, "k", "v")
	j := byHand(c)
	j.every = 7 * time.Second
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	before := c.counted()
	j.look()
	j.report()
	if records, ok := j.lease(); records != 0 || ok {
		t.Errorf("a lease of %d records, %v", records, ok)
	}
	j.release()
	j.tend(100)
	j.settle()
	j.turn(time.Now())
	if j.every != 7*time.Second || c.counted() != before || j.turns.Load() != 1 {
		t.Errorf("a turn each %v, counted %+v, %d turns", j.every, c.counted(), j.turns.Load())
	}
}

// The first reading of both clocks that took little time counts, and there is no further one.
func TestClock_NearReadingWillDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for far := range 3 {
			reads, begun := 0, time.Time{}
			k := clock{host: func() (time.Duration, bool) {
				reads++
				if begun = time.Now(); reads <= far {
					time.Sleep(readNear)
				} else {
					time.Sleep(readNear - 1)
				}
				return time.Duration(reads) * time.Hour, true
			}}
			since, ok := k.read()
			if want := far + 1; !ok || reads != want || since != time.Duration(want)*time.Hour ||
				!k.begun.Equal(begun) {
				t.Errorf("behind %d readings that took long: %d in all, %v at %v", far, reads, since, k.begun)
			}
		}
	})
}
