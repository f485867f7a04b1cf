package hopscotch

import "math/bits"

// Where the cells of a window are: from the home and an offset to a cell, and back.
//
// Rows are counted on a ring. On a short one the cell at an offset is so many rows on, in both halves,
// as in the specification. On a long one a window is made of cache lines, of two rows each:
//
//   - offset 1 is the other row of the home's line, 2 and 3 are the line that memory brings with it: most
//     members of a table that is half full are there;
//   - any two of the others are a different number of lines apart than any other two. So two windows
//     have next to nothing in common, and where one is full a member that has to move finds a hole in
//     its own;
//   - half 0 goes up and half 1 goes down, so the windows of one row have nothing but the first lines
//     in common, and are not full together.

// half is one of the two sets of cells.
type half struct {
	rows   []row
	side   uint32
	beyond Map    // the offsets that are outside the window
	ring   uint32 // of how many rows it is; the few after them are not used
	onward uint32 // from one row to the next on the way of the window
	places [WindowMax]displacement
}

// displacement is how a cell of a window differs from the home: so many rows on, then these bits.
type displacement struct {
	rows uint32 // on the ring, below its length
	flip uint32
}

// marks is how many lines from the home the lines of a window are on the shortest of the long rings. It is
// the Mian-Chowla sequence, in which each next number is the least with which no two differences are equal.
var marks = [WindowMax / lineRows]uint32{0, 1, 3, 7, 12, 20, 30, 44, 65, 80, 96, 122, 147, 181, 203, 251}

const (
	lineRows = 2            // rows of a cache line
	pairRows = 2 * lineRows // rows of the two lines that memory brings together
	longRing = 1 << 10      // rows of a long ring; a window reaches half-way round one at most
	nearMark = 4            // marks before it are as they are on each long ring;
	farthest = 8            // the others are as many times as far as the ring allows, up to this
)

// markOf is how many lines from the home that line of a window is. A window that reaches further is full
// later: where many keys have their homes by chance its neighbours are full, too.
func markOf(line, cells uint32) uint32 {
	if line < nearMark {
		return marks[line]
	}
	return marks[line] * min(farthest, cells/longRing)
}

// ringOf is the number of rows of the ring: all, or as many as make whole pairs of lines.
func ringOf(cells uint32) uint32 {
	if cells < longRing {
		return cells
	}
	return cells &^ (pairRows - 1)
}

// newHalf makes the half of that side, with windows of so many cells.
func newHalf(rows []row, side, window uint32) half {
	cells := uint32(len(rows))
	h := half{rows: rows, side: side, beyond: beyondWindow(window), ring: ringOf(cells), onward: 1}
	if cells >= longRing && side == 1 {
		h.onward = h.ring - 1
	}
	for offset := range uint32(WindowMax) {
		switch at := &h.places[offset]; {
		case cells < longRing:
			at.rows = offset % h.ring
		case offset < pairRows:
			at.flip = offset
		default:
			at.rows, at.flip = h.onRing(0, lineRows*markOf(offset/lineRows, cells)), offset%lineRows
		}
	}
	return h
}

// onRing is the row that many rows after the row i on the way of the window.
func (h *half) onRing(i, rows uint32) uint32 {
	return uint32((uint64(i) + uint64(rows)*uint64(h.onward)) % uint64(h.ring))
}

// cell is that of an index.
func (h *half) cell(i uint32) *cell { return &h.rows[i][h.side&1] }

// index is that of the cell at offset from home; home is an index of the ring, offset below 32.
func (h *half) index(home, offset uint32) uint32 {
	d := &h.places[offset&offsetMask]
	n := uint64(h.ring)
	// No branch: which windows come round, and which members do, is random.
	i, before := bits.Sub64(uint64(home)+uint64(d.rows), n, 0)
	return uint32(i+n&-before) ^ d.flip
}

// at is the cell of that index.
func (h *half) at(home, offset uint32) *cell { return h.cell(h.index(home, offset)) }

// below is the home from which cell is at the offset distance. It is an index of the ring, whatever
// the two are.
func (h *half) below(cell, distance uint32) uint32 {
	d := &h.places[distance&offsetMask]
	n := uint64(h.ring)
	return uint32((uint64(cell^d.flip) + n - uint64(d.rows)) % n)
}

// above is the cell that many places after home: one of a window of 32 as far as it goes, and then row
// by row, however many.
func (h *half) above(home, places uint32) uint32 {
	if places < WindowMax {
		return h.index(home, places)
	}
	return h.onRing(home, places)
}
