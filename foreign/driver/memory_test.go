package driver

import (
	"context"
	"testing"
	"time"
)

// TestMemory_Available: the number comes from the line of the system, and is a usual one if there is none.
func TestMemory_Available(t *testing.T) {
	for text, want := range map[string]uint64{
		"": usualMemory,
		"MemTotal:  100 kB\nMemFree: 10 kB\nMemAvailable:   24000000 kB\nBuffers: 1 kB\n": 24_000_000 << 10,
		"MemAvailable: 0 kB\n":                    usualMemory,
		"MemAvailable: x kB\n":                    usualMemory,
		"MemAvailable: 99999999999999999999 kB\n": usualMemory,
	} {
		if got := availableIn([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if used() == 0 {
		t.Error("the process uses no memory")
	}
}

// TestMemory_Within: a search that uses too much ends, and the next one begins anew.
func TestMemory_Within(t *testing.T) {
	var none *memory
	if ctx, enough := none.within(t.Context()); ctx != t.Context() {
		t.Error("without a limit there is another context")
	} else {
		enough()
	}
	m := &memory{most: 1}
	for range 2 {
		ctx, enough := m.within(t.Context())
		if ctx.Err() != nil {
			t.Error("the search has ended before it used anything")
		}
		go m.watch()
		select {
		case <-ctx.Done():
		case <-time.After(time.Minute):
			t.Error("the search does not end")
		}
		if context.Cause(ctx) != errMemory {
			t.Error(context.Cause(ctx))
		}
		enough()
	}
	m.end() // nothing is searched
	whole, stop := context.WithCancel(t.Context())
	stop()
	ctx, enough := m.within(whole)
	defer enough()
	if m.end(); context.Cause(ctx) != context.Canceled {
		t.Error(context.Cause(ctx))
	}
}

// TestShareOf: the tests have equal parts of the time, and a little if it is over.
func TestShareOf(t *testing.T) {
	for _, c := range []struct {
		left  time.Duration
		tests int
		want  time.Duration
	}{
		{time.Hour, 4, 15 * time.Minute}, {time.Hour, 1, time.Hour}, {0, 3, leastTime},
		{-time.Hour, 1, leastTime},
	} {
		if got := shareOf(c.left, c.tests); got != c.want {
			t.Errorf("%v for %d tests: %v, want %v", c.left, c.tests, got, c.want)
		}
	}
}
