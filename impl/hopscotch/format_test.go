package hopscotch

import (
	"fmt"
	"hash/fnv"
	"testing"
)

// formats are fingerprints of where a table has its elements, by the version of the format that a region
// says it has. A region outlives the program that made it: one with other cells for a key, and the same
// version, would be taken for its own by this one, and read wrongly. Rows are added, never changed.
// Version 7 has another bell, version 8 another header, and both the same table. From 8 on it is the version
// of
// the engine, which the region has beside the version of its own.
var formats = map[uint64]uint64{6: 0x47c7f3bb80dcb789, 7: 0x47c7f3bb80dcb789, 8: 0x47c7f3bb80dcb789}

// TestFormat_PlacesBelongToAVersion is red after a change of the homes, of the windows or of the numbers of
// kinds and forms, until FormatVersion is raised.
func TestFormat_PlacesBelongToAVersion(t *testing.T) {
	h := fnv.New64a()
	for _, cells := range []uint32{4, 7, 64, longRing - 1, longRing, longRing + 5, 5 * longRing,
		9*longRing + 3, 1 << 16, 1 << 20} {
		for _, homes := range []Placement{HomesNear, HomesApart} {
			l := Layout{CellsPerHalf: cells, Homes: homes}
			for key := uint32(1); key < 200; key++ {
				h0, h1 := Homes(key*0x01000193, l)
				fmt.Fprintln(h, h0, h1)
			}
		}
		rows := make([]row, cells)
		for side := range uint32(2) {
			half := newHalf(rows, side, min(cells, WindowMax))
			for offset := range min(cells, WindowMax) {
				fmt.Fprintln(h, half.index(half.ring/3, offset))
			}
		}
	}
	for kind := KindNone; kind <= KindClear; kind++ {
		fmt.Fprintln(h, kind, uint64(MakeHead(9, kind, 1, 5)))
	}
	ref := RefLayoutOf(64).Make(5, 77)
	fmt.Fprintln(h, uint64(ref), uint64(ClaimedWord(ref)), uint64(OperatingWord(3, ref)),
		uint64(EmptyWord1(4)), uint64(MakePair(6, 7)), uint64(MakePlan(8, 9)), uint64(MakeSource(3, 4, 5)),
		uint64(MakeTarget(6)))
	if got := h.Sum64(); formats[FormatVersion] != got {
		t.Errorf("the fingerprint of this table is %#x, that of version %d is %#x: raise "+
			"FormatVersion, and add a row", got, FormatVersion, formats[FormatVersion])
	}
}
