package hopscotch

import (
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// TestDelete_EachSixtyFourthRings: of one handle's deletes that took something away, no other call.
func TestDelete_EachSixtyFourthRings(t *testing.T) {
	r, err := Heap(Layout{CellsPerHalf: 512, Window: 32, Descriptors: 2})
	if err != nil {
		t.Fatal(err)
	}
	table, err := New(r)
	if err != nil || table.Region() != r {
		t.Fatalf("%p, %v; want the region %p", table.Region(), err, r)
	}
	words, err := r.Section(region.Own, region.OwnBell)
	if err != nil {
		t.Fatal(err)
	}
	for owner := uint64(1); owner <= 2; owner++ {
		h, err := table.NewHandle(owner)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 130; n++ {
			words[0].Store(1) // somebody sleeps
			for _, call := range []func() error{
				func() error { _, err := h.Add(7, 70); return err },
				func() error { _, err := h.Delete(8); return err },
				func() error { _, _, err := h.Update(7, 71); return err },
			} {
				if err := call(); err != nil || words[0].Load() != 1 {
					t.Fatalf("call %d of owner %d, which takes nothing away: %v, bell %#x", n, owner, err,
						words[0].Load())
				}
			}
			if ok, err := h.Delete(7); !ok || err != nil {
				t.Fatal(ok, err)
			}
			if rung := words[0].Load() != 1; rung != (n == 64 || n == 128) {
				t.Errorf("owner %d, delete %d: rung %v", owner, n, rung)
			}
		}
	}
}
