//go:build !(386 || arm)

package hopscotch

import "testing"

// TestCellWord_OfTheLargestTables: the words before a cell are more than 32 bits count.
func TestCellWord_OfTheLargestTables(t *testing.T) {
	for half := range uint32(2) {
		for _, cell := range []uint32{1<<29 - 1, 1 << 29, 1<<30 + 3, 1<<32 - 1} {
			got := uint64(CellWord(half, cell))
			if want := 4*uint64(cell) + 2*uint64(half); got != want {
				t.Errorf("cell %d.%d has the word %d, want %d", half, cell, got, want)
			}
		}
	}
}
