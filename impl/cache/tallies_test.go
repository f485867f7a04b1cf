package cache

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
)

// didCount is what a call adds to the counts of this process.
func didCount(t *testing.T, c *Cache, what string, call func() error) Counts {
	t.Helper()
	before := c.counted()
	if err := call(); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	return c.counted().Minus(before)
}

// spread is a cache of three tiers, with a key of each: the first entry that a walk of the index finds there.
func spread(t *testing.T) (c *Cache, keys [3][]byte) {
	c = open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Policy: Ageing{}, Tiers: len(keys)})
	names := map[uint32][]byte{}
	for i := range 3000 {
		if err := c.Set(key(i), make([]byte, 400)); err != nil {
			t.Fatal(err)
		}
		names[c.hasher.of(key(i))] = key(i)
	}
	if err := c.table.Walk(func(hash, ref uint32) bool {
		if tier := c.store.TierAt(ref); keys[tier] == nil {
			keys[tier] = names[hash]
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	for tier, k := range keys {
		if k == nil {
			t.Fatalf("no entry is in tier %d: the test needs one", tier)
		}
	}
	return c, keys
}

// A hit is one of the tier in which the entry is, by whatever call, and what is not found is one of none.
func TestCounts_HitsOfEachTier(t *testing.T) {
	c, keys := spread(t)
	for tier, k := range keys {
		for name, x := range map[string]struct {
			call         func() error
			hits, misses uint64
		}{
			"get":  {func() error { _, _, err := c.Get(k, nil); return err }, 1, 0},
			"view": {func() error { _, err := c.View(k, func([]byte) {}); return err }, 1, 0},
			"ask":  {func() error { _, _, err := c.Ask(1, k, nil); return err }, 1, 0},
			"batch": {func() error {
				_, _, err := c.GetBatch([][]byte{k, key(5000), k, k, key(5001)}, make([][]byte, 5), nil)
				return err
			}, 3, 2},
			"peek": {func() error { _, _, err := c.Peek(k, nil); return err }, 0, 0},
			"batches": {func() error { // so that each tier has a number of its own
				_, _, err := c.GetBatch(slices.Repeat([][]byte{k}, 1+tier), make([][]byte, 1+tier), nil)
				return err
			}, uint64(1 + tier), 0},
		} {
			want := Counts{Hits: x.hits, Misses: x.misses}
			want.TierHits[tier] = x.hits
			if d := didCount(t, c, name, x.call); d != want {
				t.Errorf("%s of a key in tier %d counts as %+v, want %+v", name, tier, d, want)
			}
		}
	}
	all := statsOf(t, c)
	for tier := range keys {
		if n := uint64(7 + tier); all.Tiers[tier].Hits != n || all.TierHits[tier] != n {
			t.Errorf("tier %d: %d hits, and %d of this process, want %d", tier, all.Tiers[tier].Hits,
				all.TierHits[tier], n)
		}
	}
}

// The hit of a suspect that has calmed down is one of the tier to which its record has gone meanwhile.
func TestCounts_HitOfAMarkedRecord(t *testing.T) {
	c, k := timed(t, askStart, Options{Quota: perKey, Policy: Ageing{}, Tiers: 3})
	set(t, c, "hot", "v")
	overLimit(t, c, 1, "hot")
	hash := c.hasher.of([]byte("hot"))
	tier := func() (tier int) {
		if err := c.table.Walk(func(h, ref uint32) bool {
			if h == hash {
				tier = c.store.TierAt(ref)
			}
			return h != hash
		}); err != nil {
			t.Fatal(err)
		}
		return tier
	}
	for n := 0; tier() == 0; n++ {
		if n == 10_000 {
			t.Fatal("the record stays in the top tier: the test needs it below")
		}
		set(t, c, fmt.Sprint(n), string(make([]byte, 1000)))
	}
	k.ms.Add(3_600_000)
	at, want := tier(), Counts{Hits: 1}
	want.TierHits[at] = 1
	if !marked(t, c, "hot") {
		t.Fatal("the record has no mark: the test needs one")
	}
	if d := didCount(t, c, "ask", func() error {
		askFor(t, c, 1, "hot", Hit)
		return nil
	}); d.Hits != 1 || d.TierHits != want.TierHits || d.Misses != 0 {
		t.Errorf("a hit in tier %d counts as %+v", at, d)
	}
}

// What looks at the cache, and what a janitor does, counts as no call of a user, whatever it finds.
func TestCounts_OfNoCall(t *testing.T) {
	c, k := timed(t, askStart, Options{})
	set(t, c, "there", "v")
	setTTL(t, c, "over", time.Second)
	k.ms.Add(2000)
	j := byHand(c)
	plain := func(f func()) func() error { return func() error { f(); return nil } }
	calls := map[string]func() error{
		"a report":   plain(j.report),
		"a look":     plain(j.look),
		"a lease":    plain(func() { j.lease() }),
		"a release":  plain(j.release),
		"a tend":     plain(func() { j.tend(100) }),
		"a settle":   plain(j.settle),
		"a turn":     plain(func() { j.due() }),
		"Admit":      func() error { _, err := c.Admit(1); return err },
		"Suspects":   func() error { _, err := c.Suspects(); return err },
		"lookUp":     func() error { _, err := c.lookUp([]byte("there")); return err },
		"Stats":      func() error { _, err := c.Stats(); return err },
		"Check":      func() error { _, err := c.Check(); return err },
		"Processes":  func() error { _, err := c.Processes(); return err },
		"Baskets":    func() error { _, err := c.Baskets(); return err },
		"Parameters": plain(func() { c.Parameters() }),
		"Tune":       func() error { return c.Tune("compact.gain", 7) },
		"Len":        plain(func() { c.Len() }),
		"Walk":       func() error { return c.Walk(func(_, _ []byte) bool { return true }) },
	}
	for _, key := range []string{"there", "over", "none"} {
		b := []byte(key)
		calls["Peek of "+key] = func() error { _, _, err := c.Peek(b, nil); return err }
		calls["Contains of "+key] = func() error { _, err := c.Contains(b); return err }
		calls["TTL of "+key] = func() error { _, _, err := c.TTL(b); return err }
	}
	for name, call := range calls {
		d := didCount(t, c, name, call)
		if name == "a turn" {
			d.Expired = 0 // it takes out what is over, which is no call
		}
		if d != (Counts{}) {
			t.Errorf("%s counts as %+v", name, d)
		}
	}
}

// Processes tells of each view what that one has done, and of no other.
func TestProcesses_EachByItself(t *testing.T) {
	path := cacheFile(t)
	var views [3]*Cache
	for n := range views {
		views[n] = open(t, path, small())
	}
	for n, c := range views {
		set(t, c, "k", "v")
		for range 10 + n {
			set(t, c, "k", "v")
		}
		for range 20 + 2*n {
			want(t, c, "k", "v")
		}
		for range 40 + 3*n {
			want(t, c, "none", "")
		}
	}
	if _, ok := byHand(views[1]).lease(); !ok {
		t.Fatal("nobody has the lease, and none is to be had")
	}
	for _, c := range views {
		statsOf(t, c) // stores the counts
	}
	for _, c := range views {
		all, err := c.Processes()
		if err != nil || len(all) != len(views) {
			t.Fatalf("%d processes, %v", len(all), err)
		}
		for _, p := range all {
			n := 0
			for i, x := range views {
				if x.region.Process() == p.Process {
					n = i
				}
			}
			own := views[n] == c
			if p.Own != own || p.Lease != (n == 1) || !p.Alive || p.Sets != uint64(11+n) ||
				p.Hits != uint64(20+2*n) || p.Misses != uint64(40+3*n) {
				t.Errorf("view %d is told as %+v", n, p)
			}
		}
	}
}

// What the tiers have is what the cache has, and each of them has what is in its baskets.
func TestStats_TiersAreTheirBaskets(t *testing.T) {
	c, _ := spread(t)
	for i := 1; i < 3000; i += 3 { // some of each basket is dead
		if _, err := c.Delete(key(i)); err != nil {
			t.Fatal(err)
		}
	}
	all, err := c.Baskets()
	if err != nil {
		t.Fatal(err)
	}
	want := make([]TierStats, c.Options().Tiers)
	for _, x := range all {
		if x.State != basket.StateFree {
			w := &want[x.Tier]
			w.Baskets++
			w.LiveBytes += x.LiveBytes
			w.DeadBytes += x.DeadBytes
		}
	}
	s := statsOf(t, c)
	for i, got := range s.Tiers {
		w := want[i]
		if got.Baskets != w.Baskets || got.LiveBytes != w.LiveBytes || got.DeadBytes != w.DeadBytes ||
			w.LiveBytes == 0 || w.DeadBytes == 0 || w.LiveBytes == w.DeadBytes {
			t.Errorf("tier %d: %+v, want %+v", i, got, w)
		}
	}
	if s.Policy != "ageing" || s.Overflowed != 0 || s.OverflowErrors != 0 || len(s.Tiers) != len(want) {
		t.Errorf("%+v", s)
	}
}

// A get of a damaged record is a miss, and each key of a batch is a hit or a miss, also where it fails.
// An Ask that fails has no answer to count.
func TestCounts_OfFailedCalls(t *testing.T) {
	o := small()
	o.Tiers = 2
	c := open(t, "", o)
	keys := [][]byte{[]byte("first"), []byte("second"), []byte("damaged"), []byte("last")}
	for _, k := range keys {
		set(t, c, string(k), "v")
	}
	damage(t, c, keys[2])
	fails := func(err error) error {
		if !errors.Is(err, ErrCorrupt) {
			return fmt.Errorf("%w: want that of a damaged record", err)
		}
		return nil
	}
	if _, _, err := c.Get(keys[2], nil); err == nil || !strings.HasPrefix(err.Error(), "get: ") {
		t.Errorf("the error of a get is %v", err)
	}
	two := Counts{Hits: 2, Misses: 2}
	two.TierHits[0] = 2
	for name, x := range map[string]struct {
		call func() error
		want Counts
	}{
		"get":   {func() error { _, _, err := c.Get(keys[2], nil); return err }, Counts{Misses: 1}},
		"view":  {func() error { _, err := c.View(keys[2], func([]byte) {}); return err }, Counts{Misses: 1}},
		"peek":  {func() error { _, _, err := c.Peek(keys[2], nil); return err }, Counts{}},
		"ask":   {func() error { _, _, err := c.Ask(1, keys[2], nil); return err }, Counts{}},
		"batch": {func() error { _, _, err := c.GetBatch(keys, make([][]byte, 4), nil); return err }, two},
	} {
		if d := didCount(t, c, name, func() error { return fails(x.call()) }); d != x.want {
			t.Errorf("%s of a damaged record counts as %+v, want %+v", name, d, x.want)
		}
	}
}
