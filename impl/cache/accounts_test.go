package cache

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// balanced checks the whole region, and holds the estimates of Stats against the exact counts. A janitor may
// evict entries meanwhile: then it checks again.
func balanced(t *testing.T, c *Cache, slack uint64) {
	t.Helper()
	n := c.Len()
	f, err := c.Check()
	for tries := 0; tries < 100 && err == nil && c.Len() != n; tries++ {
		n = c.Len()
		f, err = c.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Err(); err != nil {
		t.Error(err)
	}
	s, err := c.Stats()
	if err != nil {
		t.Fatal(err)
	}
	l := c.store.Layout()
	if all := uint64(l.Baskets) * uint64(l.BasketBytes); s.LiveBytes+s.DeadBytes+s.FreeBytes != all {
		t.Errorf("live %d + dead %d + free %d is not %d", s.LiveBytes, s.DeadBytes, s.FreeBytes, all)
	}
	if d := int64(s.LiveBytes - f.Records.LiveBytes); d > int64(slack) || -d > int64(slack) {
		t.Errorf("live bytes %d, a recount has %d", s.LiveBytes, f.Records.LiveBytes)
	}
	if n != f.Records.Records {
		t.Errorf("%d entries, a recount has %d", n, f.Records.Records)
	}
}

// A1: accounts stay right when records die late, in baskets that are used again and again.
func TestReportA1_LateDeathsOfRecords(t *testing.T) {
	for _, bits := range []int{0, 5} {
		c := open(t, "", Options{Bytes: 512 << 10, BasketBytes: 8 << 10, hashBits: bits})
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(11, uint64(i)))
				for range shorter(20000) {
					k := key(r.IntN(300))
					if err := c.Set(k, make([]byte, r.IntN(700))); err != nil {
						t.Error(err)
						return
					}
					if r.IntN(3) == 0 {
						if _, err := c.Delete(k); err != nil {
							t.Error(err)
							return
						}
					}
				}
			})
		}
		wg.Wait()
		balanced(t, c, 512<<10/10) // who is too late for a count leaves it, until the basket is used again
	}
}

// D1: one key is overwritten for ever, in a cache that has twice the room of what lives. Nothing else leaves.
func TestReportD1_OverwritesPushNothingOut(t *testing.T) {
	for _, janitor := range []bool{true, false} {
		var mu sync.Mutex
		left := map[Reason]int{}
		c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: !janitor, OnEvent: func(e Event) {
			mu.Lock()
			defer mu.Unlock()
			left[e.Reason]++
		}})
		const cold = 50
		for i := range cold {
			if err := c.Set(fmt.Append(nil, "cold ", i), make([]byte, 8000)); err != nil {
				t.Fatal(err)
			}
		}
		for i := range shorter(100000) {
			if err := c.Set([]byte("hot"), stamp(nil, uint64(i), 50)); err != nil {
				t.Fatal(err)
			}
		}
		for i := range cold {
			if ok, err := c.Contains(fmt.Append(nil, "cold ", i)); !ok || err != nil {
				t.Errorf("cold key %d: %v, %v", i, ok, err)
			}
		}
		v, _, _ := c.Get([]byte("hot"), nil)
		if n, _ := stamped(v); n != uint64(shorter(100000)-1) {
			t.Errorf("the hot key has %d", n)
		}
		if left[Evicted] != 0 || left[IndexFull] != 0 {
			t.Errorf("%v have left", left)
		}
		balanced(t, c, 0)
	}
}

// D5: everything was used and the cache is full: a set ends, takes a bounded number of entries out, and the
// events that it tells, whose receiver sets as well, feed nothing.
func TestReportD5_EventsDoNotFeedEvictions(t *testing.T) {
	var c *Cache
	told, inside := 0, false
	c = open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, OnEvent: func(e Event) {
		told++
		if !inside && e.Reason == Evicted {
			inside = true
			if err := c.Set([]byte("last evicted"), e.Key); err != nil {
				t.Error(err)
			}
			inside = false
		}
	}})
	for i := range 4000 {
		if err := c.Set(key(i), make([]byte, 300)); err != nil {
			t.Fatal(err)
		}
	}
	entries := c.Len()
	for i := range 4000 {
		if _, _, err := c.Get(key(i), nil); err != nil {
			t.Fatal(err)
		}
	}
	told = 0
	set(t, c, "one", "more")
	if told > 100 {
		t.Errorf("one set took %d entries out", told)
	}
	if n := c.Len(); n < entries-100 {
		t.Errorf("%d entries of %d are left", n, entries)
	}
}

// D6: where everything was used the newcomer stays, and so does one that nobody reads for as long as the
// cache has older entries to take out.
func TestReportD6_NewcomersStay(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true})
	const size = 300
	n := 0
	fill := func(count int) {
		for range count {
			if err := c.Set(key(n), make([]byte, size)); err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
	fill(5000)
	touchAll := func() {
		for i := range n {
			if _, _, err := c.Get(key(i), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for round := range 5 {
		touchAll()
		set(t, c, "new", "value")
		want(t, c, "new", "value")
		fill(c.Len() / 100)
		if v, ok, err := c.Peek([]byte("new"), nil); !ok || err != nil || string(v) != "value" {
			t.Errorf("round %d: the newcomer left before the old: %v, %v", round, ok, err)
		}
	}
	touchAll()
	first := n
	fill(300) // nobody reads these
	fill(c.Len() / 3)
	for i := range 300 {
		if ok, err := c.Contains(key(first + i)); !ok || err != nil {
			t.Errorf("newcomer %d, which nobody has read, is gone, and most of the old are there: %v", i, err)
		}
	}
}
