package hopscotch_test

import (
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// TestChurn_KeepsWhatIsAlive: one key is deleted for each that is added, at a constant load and without a
// service. What is deleted is reclaimed by the adds, so nothing leaves. Before adds reclaimed bases of other
// buckets a quarter of these adds let an element leave.
func TestChurn_KeepsWhatIsAlive(t *testing.T) {
	const cells, pairs = 2000, 100_000
	for _, percent := range []int{30, 50, 70} {
		r, err := hopscotch.Heap(hopscotch.Layout{CellsPerHalf: cells, Window: 32, Descriptors: 4})
		if err != nil {
			t.Fatal(err)
		}
		table, err := hopscotch.New(r)
		if err != nil {
			t.Fatal(err)
		}
		h, err := table.NewHandle(1)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, uint64(percent)))
		var alive []uint32
		add := func() {
			for {
				key := 1 + random.Uint32()%0xFFFF_FFFE
				result, err := h.Add(key, 7)
				if err != nil {
					t.Fatal(err)
				}
				if result == hopscotch.Added {
					alive = append(alive, key)
					return
				}
			}
		}
		for len(alive) < 2*cells*percent/100 {
			add()
		}
		for range pairs {
			i := random.IntN(len(alive))
			if deleted, err := h.Delete(alive[i]); err != nil || !deleted {
				t.Fatalf("load %d %%: delete of a key that was added: %v, %v", percent, deleted, err)
			}
			alive[i] = alive[len(alive)-1]
			alive = alive[:len(alive)-1]
			add()
		}
		for _, key := range alive {
			if _, found, err := table.Lookup(key); err != nil || !found {
				t.Fatalf("load %d %%: key %d, which nobody deleted: %v, %v", percent, key, found, err)
			}
		}
		if tally := h.Tally(); tally.Evicted+tally.Replaced != 0 || tally.Reclaimed == 0 {
			t.Errorf("load %d %%: %+v, want nothing evicted", percent, tally)
		}
	}
}
