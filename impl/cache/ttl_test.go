package cache

import (
	"testing"
	"time"
)

// TestTTL: what is left of the time of an entry is told by the cache's clock, to the millisecond. An entry
// whose time is over is not there.
func TestTTL(t *testing.T) {
	now := time.UnixMilli(1_000_000)
	c, err := Open("", Options{Bytes: 1 << 20, Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for key, ttl := range map[string]time.Duration{"minute": time.Minute, "ever": 0} {
		if err := c.SetTTL([]byte(key), []byte("v"), ttl); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct {
		later time.Duration
		key   string
		left  time.Duration
		ok    bool
	}{
		{0, "minute", time.Minute, true}, {0, "ever", 0, true}, {0, "never", 0, false},
		{59 * time.Second, "minute", time.Second, true}, {time.Second, "minute", 0, false},
		{time.Hour, "ever", 0, true},
	} {
		now = now.Add(x.later)
		left, ok, err := c.TTL([]byte(x.key))
		if left != x.left || ok != x.ok || err != nil {
			t.Errorf("%s: %v, %v, %v; want %v, %v", x.key, left, ok, err, x.left, x.ok)
		}
	}
}

// A negative time is refused ahead of all else that an open cache does: no writer is made for it, and whether
// the key is there makes no difference. Of a cache that is not open that is said instead.
func TestTTL_NegativeIsRefusedFirst(t *testing.T) {
	c := open(t, "", small())
	var none *Cache
	for c, want := range map[*Cache]error{c: ErrTTL, none: neverOpened{}} {
		for name, call := range map[string]func() (bool, error){
			"set ttl": func() (bool, error) { return false, c.SetTTL([]byte("k"), []byte("v"), -1) },
			"set if absent ttl": func() (bool, error) {
				return c.SetIfAbsentTTL([]byte("k"), []byte("v"), -time.Hour)
			},
			"expire": func() (bool, error) { return c.Expire([]byte("k"), -1) },
		} {
			if did, err := call(); did || err == nil || err.Error() != name+": "+want.Error() {
				t.Errorf("%s: %v, %v", name, did, err)
			}
		}
	}
	if n := c.writers.made.Load(); n != 0 {
		t.Errorf("%d writers are made", n)
	}
}
