package cache

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Stats counts what the index itself counts, whatever is in its cells, and each entry in one tier.
func TestStats_CountsAsTheIndexDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(36, 1))
	for _, tiers := range []int{1, 3} {
		c := open(t, "", Options{Bytes: 1 << 20, Entries: 512, NoJanitor: true, Tiers: tiers})
		cells, err := c.region.Section(hopscotch.Engine, hopscotch.SectionCells)
		if err != nil || len(cells) < 1000 {
			t.Fatal(len(cells), err)
		}
		seen := map[hopscotch.Form]bool{}
		for round := range 100 {
			for i := range cells {
				cells[i].Store(random.Uint64())
				if i%2 == 0 {
					keys := []hopscotch.Key{hopscotch.KeyNone, hopscotch.KeyLost,
						hopscotch.Key(random.Uint32())}
					word := uint64(keys[random.IntN(3)])<<32 | uint64(random.Uint32())
					cells[i].Store(word)
					seen[hopscotch.Word0(word).Form()] = true
				}
			}
			s, sum := statsOf(t, c), 0
			for _, tier := range s.Tiers {
				sum += tier.Entries
			}
			if want := hopscotch.Measure(c.table); s.Entries != want.Elements || sum != want.Elements ||
				want.Lost == 0 || want.Invalid == 0 {
				t.Fatalf("%d tiers, round %d: %d entries, %d in tiers, of %+v", tiers, round, s.Entries,
					sum, want)
			}
		}
		if len(seen) != 7 {
			t.Errorf("the words had %d forms", len(seen))
		}
		clear(cells)
	}
}

// The memory that Stats takes does not depend on how large the cache is.
func TestStats_TakesNoMemoryForEntries(t *testing.T) {
	taken := func(bytes uint64) uint64 {
		c := open(t, "", Options{Bytes: bytes, NoJanitor: true, Tiers: 2})
		for i := range bytes / 256 {
			set(t, c, string([]byte{byte(i), byte(i >> 8), byte(i >> 16)}), "v")
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 10 {
			statsOf(t, c)
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / 10
	}
	if small, large := taken(1<<20), taken(16<<20); large > small+64<<10 {
		t.Errorf("of 16 MiB it takes %d bytes, of one %d", large, small)
	}
}

// The age of a basket is the time since it was begun; it is 0 of one that never was, and of one of a time
// that the clock has not reached, be it that the clock stands at its begin. Each number of a tier is its own.
func TestStats_AgesByTheClock(t *testing.T) {
	c, k := timed(t, askStart, Options{})
	for _, x := range []struct {
		now      int64
		at, want uint64 // milliseconds
	}{{0, 0, 0}, {0, 1, 0}, {0, 1000, 0}, {-5, 1, 0}, {1, 1, 0}, {1, 2, 0}, {2, 1, 1}, {1000, 0, 0},
		{1000, 1, 999}, {1000, 999, 1}, {1000, 1000, 0}, {1000, 1001, 0}} {
		k.ms.Store(x.now)
		all := c.tierStats([]basket.TierStats{{Youngest: x.at}, {Oldest: x.at}},
			[basket.TiersMax]uint64{10, 20, 30})
		age := time.Duration(x.want) * time.Millisecond
		if len(all) != 2 || all[0] != (TierStats{Youngest: age, Hits: 10}) ||
			all[1] != (TierStats{Oldest: age, Hits: 20}) {
			t.Errorf("at %d of a basket begun at %d: %+v, want %v", x.now, x.at, all, age)
		}
	}
	k.ms.Store(1000)
	got := c.tierStats([]basket.TierStats{{Baskets: 1, LiveBytes: 2, DeadBytes: 3, Youngest: 996,
		Oldest: 995}}, [basket.TiersMax]uint64{6})
	want := TierStats{Baskets: 1, LiveBytes: 2, DeadBytes: 3, Hits: 6, Youngest: 4 * time.Millisecond,
		Oldest: 5 * time.Millisecond}
	if got[0] != want {
		t.Errorf("%+v, want %+v", got[0], want)
	}
}

// With one tier hits are not counted by tiers.
func TestStats_HitsOfOneTier(t *testing.T) {
	o := small()
	o.Tiers = 1
	c := open(t, "", o)
	set(t, c, "k", "v")
	want(t, c, "k", "v")
	s := statsOf(t, c)
	none := [basket.TiersMax]uint64{}
	if s.Hits != 1 || s.TierHits != none || s.All.TierHits != none || len(s.Tiers) != 1 ||
		s.Tiers[0].Hits != 0 {
		t.Errorf("%d hits, by tiers %v, of all %v: %+v", s.Hits, s.TierHits, s.All.TierHits, s.Tiers)
	}
}

// What does not count as a use leaves the marks of recency alone, and what counts as one sets a mark.
func TestMarks_OfEachCall(t *testing.T) {
	k := []byte("k")
	for name, x := range map[string]struct {
		call func(c *Cache) error
		uses bool
	}{
		"Peek":     {func(c *Cache) error { _, _, err := c.Peek(k, nil); return err }, false},
		"Contains": {func(c *Cache) error { _, err := c.Contains(k); return err }, false},
		"TTL":      {func(c *Cache) error { _, _, err := c.TTL(k); return err }, false},
		"Walk":     {func(c *Cache) error { return c.Walk(func(_, _ []byte) bool { return true }) }, false},
		"Len":      {func(c *Cache) error { c.Len(); return nil }, false},
		"Stats":    {func(c *Cache) error { _, err := c.Stats(); return err }, false},
		"Check":    {func(c *Cache) error { _, err := c.Check(); return err }, false},
		"miss":     {func(c *Cache) error { _, _, err := c.Get([]byte("other"), nil); return err }, false},
		"Keep": {func(c *Cache) error {
			_, _, err := c.Compute(k, func(old []byte, _ bool) ([]byte, Op) { return old, Keep })
			return err
		}, false},
		"Get":  {func(c *Cache) error { _, _, err := c.Get(k, nil); return err }, true},
		"View": {func(c *Cache) error { _, err := c.View(k, func([]byte) {}); return err }, true},
		"batch": {func(c *Cache) error {
			_, _, err := c.GetBatch([][]byte{k}, make([][]byte, 1), nil)
			return err
		}, true},
		"Ask": {func(c *Cache) error { _, _, err := c.Ask(1, k, nil); return err }, true},
	} {
		c := open(t, "", small())
		set(t, c, "k", "v")
		words, err := c.region.Section(basket.Engine, basket.SectionTouch)
		if err != nil {
			t.Fatal(err)
		}
		marks := func() (all []uint64) {
			for i := range words {
				all = append(all, words[i].Load())
			}
			return all
		}
		before := marks()
		if err := x.call(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if changed := !slices.Equal(before, marks()); changed != x.uses {
			t.Errorf("%s: a mark has changed: %v, want %v", name, changed, x.uses)
		}
	}
}
