package hopscotch

import (
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// ringSizes are lengths of a half around which a stride could go wrong.
func ringSizes() (sizes []uint32) {
	for n := uint32(WindowMax); n < 4*farStride*WindowMax; n++ {
		sizes = append(sizes, n)
	}
	return append(sizes, 1<<19, 1<<20-1)
}

// A window that met itself would have two offsets for one cell, and its base two members in one.
func TestWindowHasNoCellTwice(t *testing.T) {
	rows := make([]row, 1<<20)
	for _, n := range ringSizes() {
		for side := range uint32(2) {
			h := half{rows: rows[:n], side: side, stride: strideOf(side, n, true)}
			for _, home := range []uint32{0, 1, n / 2, n - 2, n - 1} {
				seen := map[uint32]bool{}
				for offset := range uint32(WindowMax) {
					i := h.index(home, offset)
					switch {
					case i >= n:
						t.Fatalf("%d cells, half %d: offset %d of %d is %d", n, side, offset, home, i)
					case seen[i]:
						t.Fatalf("%d cells, half %d: two offsets of %d are %d", n, side, home, i)
					case h.below(i, offset) != home:
						t.Fatalf("%d cells, half %d: %d below %d is %d, not %d", n, side, offset, i,
							h.below(i, offset), home)
					}
					seen[i] = true
				}
			}
		}
	}
}

// The two windows of a row are full at different times only if they are different cells.
func TestWindowsOfARowGoDifferentWays(t *testing.T) {
	for _, homes := range []region.Homes{region.HomesNear, region.HomesApart} {
		table, _ := newTable(t, region.Layout{CellsPerHalf: 1 << 14, Window: WindowMax, Descriptors: 1,
			Homes: homes})
		shared := 0
		for a := range uint32(WindowMax) {
			for b := range uint32(WindowMax) {
				if table.halves[0].index(7, a) == table.halves[1].index(7, b) {
					shared++
				}
			}
		}
		want := map[region.Homes]int{region.HomesNear: 1, region.HomesApart: WindowMax}[homes]
		if shared != want {
			t.Errorf("homes %v: the windows of a row share %d rows, want %d", homes, shared, want)
		}
	}
}

// Where a member stands is the region's format: one row on in half 0, and in both halves where homes are
// apart; else as far as the ring allows, up to farStride.
func TestStrideIsTheFormat(t *testing.T) {
	for _, n := range ringSizes() {
		if strideOf(0, n, true) != 1 || strideOf(0, n, false) != 1 || strideOf(1, n, false) != 1 {
			t.Fatalf("%d cells: a stride that should be 1 is not", n)
		}
		far := strideOf(1, n, true)
		if more := (far + 1) * (WindowMax - 1); far > farStride || far < farStride && more < n {
			t.Fatalf("%d cells: stride %d, though one more would do", n, far)
		}
	}
}
