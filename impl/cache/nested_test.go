package cache

import (
	"fmt"
	"testing"
	"time"
)

// While there is room, a function that sets a key anew when it has expired is told a bounded number of times
// within one call, and not ever deeper in its stack, however many have expired at once; and later calls tell
// the rest.
func TestSweep_ToldWithinOneAnother(t *testing.T) {
	const over = 5000
	var c *Cache
	told, deep, deepest, most := 0, 0, 0, 0
	again := map[string]int{}
	c, k := timed(t, 1000, Options{OnEvent: func(e Event) {
		if e.Reason != Expired {
			return
		}
		told++
		again[string(e.Key)]++
		deep++
		deepest = max(deepest, deep)
		set(t, c, "again "+string(e.Key), "v")
		deep--
	}})
	for i := range over {
		setTTL(t, c, fmt.Sprint(i), time.Hour)
	}
	k.ms.Add(2 * time.Hour.Milliseconds())
	calls := 0
	for ; told < over && calls < over; calls++ {
		before := told
		set(t, c, "another", "v")
		most = max(most, told-before)
	}
	if deepest > callTold || most > 2*callEntries*callTold {
		t.Errorf("one call tells %d entries that have expired, %d of them within one another", most, deepest)
	}
	if told != over || len(again) != over {
		t.Errorf("%d of %d keys were told in %d calls, %d times", len(again), over, calls, told)
	}
	if n := c.sweeper.told.Load(); n != 0 {
		t.Errorf("%d parts are being told behind all calls", n)
	}
}

// One function that hangs while it is told, and another one that panics, do not keep other calls from finding
// what has expired.
func TestSweep_BesideWhoIsTold(t *testing.T) {
	var c *Cache
	var k *testClock
	hung := false
	c, k = timed(t, 1000, Options{OnEvent: func(e Event) {
		switch string(e.Key) {
		case "panics":
			panic("of the test")
		case "hangs":
			hung = true
			expiredPushOutNothing(t, c, k)
		}
	}})
	setTTL(t, c, "panics", time.Second)
	k.ms.Add(2000)
	panicked := func() (yes bool) {
		defer func() { yes = recover() != nil }()
		for range 2 * callPause {
			set(t, c, "k", "v")
		}
		return false
	}
	for n := 0; !panicked(); n++ {
		if n == 100 {
			t.Fatal("nobody was told of what has expired")
		}
	}
	if n := c.sweeper.told.Load(); n != 0 {
		t.Errorf("%d parts are being told behind a panic", n)
	}
	setTTL(t, c, "hangs", time.Second)
	k.ms.Add(2000)
	for n := 0; !hung; n++ {
		if n == 100*callPause {
			t.Fatal("nobody was told of what has expired")
		}
		set(t, c, "k", "v")
	}
}
