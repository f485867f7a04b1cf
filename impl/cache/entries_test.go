package cache

import (
	"math/rand/v2"
	"runtime"
	"testing"

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
