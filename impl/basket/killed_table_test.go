//go:build explore

package basket_test

import (
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// twoOnATable are two indexes in one table of 8 cells. The first one is that of an owner who counts as dead.
func twoOnATable(t *testing.T) (dies, lives basket.Index) {
	t.Helper()
	r, err := region.Heap(region.Layout{hopscotch.Layout{CellsPerHalf: 4, Window: 4, Descriptors: 4}.Part()})
	if err != nil {
		t.Fatal(err)
	}
	table, err := hopscotch.NewWith(r, hopscotch.Options{Tie: func() uint32 { return 0 },
		Alive: func(o hopscotch.Owner) bool { return o.Number() != 1 }})
	if err != nil {
		t.Fatal(err)
	}
	var all []basket.Index
	for owner := range uint64(2) {
		h, err := table.NewHandle(owner + 1)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, basket.OnTable(h))
	}
	return all[0], all[1]
}

// TestWriter_KilledBehindATable: an add to a full table, which takes another hash out, is killed before each
// of its accesses. A record that is no longer in the table was told by the dead writer, or is told by the
// writer that settles what it has left. A record that is there is told by none.
func TestWriter_KilledBehindATable(t *testing.T) {
	const hashes, newcomer = 12, 100
	lost, settled := 0, 0
	for at, ended, mute := 0, false, false; !t.Failed(); at++ {
		dies, lives := twoOnATable(t)
		told := map[uint32]int{}
		left := func(ref uint32) { told[ref]++ }
		there := map[uint32]bool{}
		for hash := uint32(1); hash <= hashes; hash++ {
			if added, err := lives.Add(hash, 1000+hash, left); !added || err != nil {
				t.Fatal(hash, added, err)
			}
			there[hash] = true
		}
		for ref := range told {
			delete(there, ref-1000)
		}
		if err := lives.Forget(); err != nil {
			t.Fatal(err)
		}
		clear(told)
		if mute = ended; mute {
			at = 1 << 30
		}
		ended, _ = until(at, func() {
			if added, err := dies.Add(newcomer, 1000+newcomer, func(ref uint32) {
				if mute {
					panic(death{})
				}
				left(ref)
			}); !added || err != nil {
				t.Error(added, err)
			}
		})
		byDead := len(told)
		if err := lives.Settle(func(ref uint32) { told[ref]++; settled++ }); err != nil {
			t.Fatal(err)
		}
		for hash := range there {
			_, is, err := lives.Ticket(hash)
			if err != nil {
				t.Fatal(err)
			}
			if !is {
				lost++
			}
			if is != (told[1000+hash] == 0) {
				t.Errorf("killed ahead of access %d: hash %d is there: %v, and was told %d times", at, hash,
					is,
					told[1000+hash])
			}
		}
		if byDead > 1 || told[1000+newcomer] != 0 {
			t.Errorf("killed ahead of access %d: told %v", at, told)
		}
		if mute {
			break
		}
	}
	if lost == 0 || settled == 0 {
		t.Errorf("%d hashes have gone, %d were told by the one who settles: the test sees nothing", lost,
			settled)
	}
}
