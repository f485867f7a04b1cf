package hopscotch

import (
	"errors"
	"testing"
)

// TestGetBatch_ReadsDamageAsAbsent: as Get does, and what comes after it in the batch is found.
func TestGetBatch_ReadsDamageAsAbsent(t *testing.T) {
	table, h := newTableWith(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 1},
		Options{Patience: 100})
	p := planted{table, t}
	keys := []uint32{0, uint32(p.key(0, 5, 0)), 0}
	for k := uint32(1); keys[0] == 0 || keys[2] == 0; k++ {
		if h0, h1 := table.homes(Key(k)); h0 < 10 || h1 < 10 {
			continue
		}
		if r, err := h.Add(k, k+1); r != Added || err != nil {
			t.Fatal(r, err)
		}
		keys[0], keys[2] = keys[2], k
	}
	for half := range uint32(2) {
		_, h1 := table.homes(Key(keys[1]))
		p.put(half, []uint32{5, h1}[half], Word0(7)<<keyShift|cbitMark, 0)
	}
	if _, _, err := table.Lookup(keys[1]); !errors.Is(err, ErrCorrupt) {
		t.Fatalf("the canary: %v", err)
	}
	values, found := []uint32{9, 9, 9}, []bool{false, true, false}
	n, err := table.GetBatch(keys, values, found)
	if n != 2 || err != nil || !found[0] || found[1] || !found[2] ||
		values[0] != keys[0]+1 || values[1] != 0 || values[2] != keys[2]+1 {
		t.Errorf("%d, %v: %v, %v of %v", n, err, found, values, keys)
	}
}

// TestAddBatch_DamageAfterTheLastElement: the share of the services' work that the last add of a batch
// brings about is none of the batch: all is added, and the next call tells of the damage.
func TestAddBatch_DamageAfterTheLastElement(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 4, Descriptors: 1})
	table.halves[1].cell(60).word0.Store(uint64(Word0(7)<<keyShift | cbitMark))
	h.Assist(2, 128)
	n, err := h.AddBatch([]uint32{5, 7}, []uint32{50, 70}, make([]Result, 2))
	if n != 2 || err != nil {
		t.Errorf("%d, %v; want both to be added", n, err)
	}
	if _, err := h.Add(8, 80); !errors.Is(err, ErrCorrupt) {
		t.Errorf("the next call: %v", err)
	}
}
