package cache

import (
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
)

// TestGlance_ServesGets: with handles that all are taken a get finds what is there, and says what is not; it
// counts, with the tier, and marks as a get does. One that needs a handle waits for it.
func TestGlance_ServesGets(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("NOT RUN: where addresses have 32 bits each get takes a handle")
	}
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Readers: 1})
	set(t, c, "a", "value")
	s, err := c.readers.take()
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if value, ok, err := c.Get([]byte("a"), []byte("x")); string(value) != "xvalue" || !ok || err != nil {
			t.Errorf("%q, %v, %v", value, ok, err)
		}
	}
	if value, ok, err := c.Get([]byte("none"), []byte("x")); string(value) != "x" || ok || err != nil {
		t.Errorf("of a key that is not there: %q, %v, %v", value, ok, err)
	}
	if _, err := c.View([]byte("a"), func(b []byte) {
		if string(b) != "value" {
			t.Errorf("view: %q", b)
		}
	}); err != nil {
		t.Error(err)
	}
	s.give(0)
	st, err := c.Stats()
	if err != nil || st.Hits != 4 || st.Misses != 1 || st.TierHits[0] != 4 {
		t.Errorf("%+v, %v", st.Counts, err)
	}
}

// TestGlance_CountsEachCall: of many goroutines none is forgotten.
func TestGlance_CountsEachCall(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true})
	set(t, c, "a", "value")
	const goroutines, calls = 50, 200
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range calls {
				if _, ok, err := c.Get([]byte("a"), nil); !ok || err != nil {
					t.Error(ok, err)
				}
				if _, ok, err := c.Get([]byte("none"), nil); ok || err != nil {
					t.Error(ok, err)
				}
			}
		})
	}
	wg.Wait()
	if st, err := c.Stats(); err != nil || st.Hits != goroutines*calls || st.Misses != goroutines*calls {
		t.Errorf("%d hits and %d misses of %d, %v", st.Hits, st.Misses, goroutines*calls, err)
	}
}

// glanceAt glances at a key.
func glanceAt(c *Cache, key string, dst []byte) ([]byte, basket.Meta, basket.Sight) {
	return c.glance(c.hasher.of([]byte(key)), []byte(key), dst)
}

// TestGlance_Expired: of an entry whose time is over a glance knows nothing, and a get counts a miss.
func TestGlance_Expired(t *testing.T) {
	now := time.UnixMilli(1_000_000)
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Clock: func() time.Time { return now }})
	if err := c.SetTTL([]byte("a"), []byte("value"), time.Second); err != nil {
		t.Fatal(err)
	}
	if _, m, what := glanceAt(c, "a", nil); what != basket.Present || m.Expires != 1_001_000 {
		t.Errorf("before: %d, %+v", what, m)
	}
	now = now.Add(10 * time.Second)
	if value, _, what := glanceAt(c, "a", []byte("x")); what != basket.Unsure || string(value) != "x" {
		t.Errorf("behind: %d, %q", what, value)
	}
	if st, err := c.Stats(); err != nil || st.Hits != 0 {
		t.Errorf("%+v, %v", st.Counts, err)
	}
	if _, ok, err := c.Get([]byte("a"), nil); ok || err != nil {
		t.Error(ok, err)
	}
	if st, err := c.Stats(); err != nil || st.Hits != 0 || st.Misses != 1 {
		t.Errorf("%+v, %v", st.Counts, err)
	}
}

// TestGlance_UnderWayAtClose: a glance that goes on behind Close faults nowhere, and does not say that a key
// is absent which is there. A get that begins behind Close is told.
func TestGlance_UnderWayAtClose(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("NOT RUN: where addresses have 32 bits no get glances")
	}
	for name, path := range map[string]string{"file": cacheFile(t), "heap": ""} {
		c := open(t, path, Options{Bytes: 8 << 20, NoJanitor: true})
		set(t, c, "a", "value")
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"a", "none"} {
			value, _, what := glanceAt(c, key, []byte("x"))
			if what == basket.Present && key == "a" {
				value = value[:1]
			} else if what != basket.Unsure {
				t.Errorf("%s: of %q a glance says %d", name, key, what)
			}
			if string(value) != "x" {
				t.Errorf("%s: %d, %q", name, what, value)
			}
		}
		if _, _, err := c.Get([]byte("a"), nil); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: get: %v", name, err)
		}
	}
}
