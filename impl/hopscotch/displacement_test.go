package hopscotch

import (
	"math"
	"testing"
)

// ringSizes are lengths of a half around which a displacement could go wrong.
func ringSizes() (sizes []uint32) {
	for n := uint32(WindowMin); n < longRing+2*pairRows; n++ {
		sizes = append(sizes, n)
	}
	for factor := uint32(2); factor <= farthest+1; factor++ {
		sizes = append(sizes, factor*longRing-1, factor*longRing)
	}
	return append(sizes, 1<<19, 1<<20-1)
}

// ends are homes at both ends of the ring and in its middle.
func ends(ring uint32) []uint32 {
	return []uint32{0, 1 % ring, 2 % ring, 3 % ring, ring / 2, ring - 1, (ring - 1) / 2, max(4, ring) - 4}
}

// A window that met itself would have two offsets for one cell, and its base two members in one.
func TestWindowHasNoCellTwice(t *testing.T) {
	rows := make([]row, 1<<20)
	for _, n := range ringSizes() {
		for side := range uint32(2) {
			window := min(n, WindowMax)
			h := newHalf(rows[:n], side, window)
			for _, home := range ends(h.ring) {
				seen := map[uint32]bool{}
				for offset := range window {
					i := h.index(home, offset)
					switch {
					case i >= h.ring || h.ring > n:
						t.Fatalf("%d rows, half %d: offset %d of %d is %d", n, side, offset, home, i)
					case seen[i]:
						t.Fatalf("%d rows, half %d: two offsets of %d are %d", n, side, home, i)
					case h.below(i, offset) != home:
						t.Fatalf("%d rows, half %d: %d below %d is %d, not %d", n, side, offset, i,
							h.below(i, offset), home)
					case h.above(home, offset) != i:
						t.Fatalf("%d rows, half %d: place %d above %d is %d, not %d", n, side, offset,
							home, h.above(home, offset), i)
					}
					seen[i] = true
				}
				if h.index(home, 0) != home {
					t.Fatalf("%d rows, half %d: offset 0 of %d is %d", n, side, home, h.index(home, 0))
				}
			}
		}
	}
}

// Garbage in memory names any cell and any distance: what comes of it is a home still. And a scan for room
// goes on beyond the window, on the ring.
func TestDisplacementStaysOnTheRing(t *testing.T) {
	rows := make([]row, 1<<20)
	for _, n := range ringSizes() {
		for side := range uint32(2) {
			h := newHalf(rows[:n], side, min(n, WindowMax))
			for distance := range uint32(WindowMax) {
				for _, cell := range []uint32{0, n / 2, n - 3%n, n - 2, n - 1} {
					if i := h.below(cell, distance); i >= h.ring {
						t.Fatalf("%d rows, half %d: %d below %d is %d", n, side, distance, cell, i)
					}
				}
			}
			for _, home := range ends(h.ring) {
				seen := map[uint32]bool{}
				for places := uint32(WindowMax); places < min((1+reachWindows)*WindowMax, h.ring); places++ {
					i := h.above(home, places)
					if i >= h.ring || seen[i] {
						t.Fatalf("%d rows, half %d: place %d above %d is %d", n, side, places, home, i)
					}
					seen[i] = true
				}
			}
		}
	}
}

// linesOf is the set of the lines of a window, of which each has two cells.
func linesOf(t *testing.T, h *half, home uint32) map[uint32]bool {
	t.Helper()
	cells := map[uint32]int{}
	for offset := range uint32(WindowMax) {
		cells[h.index(home, offset)/lineRows]++
	}
	lines := map[uint32]bool{}
	for line, n := range cells {
		if n != lineRows {
			t.Fatalf("half %d, home %d: %d cells of line %d", h.side, home, n, line)
		}
		lines[line] = true
	}
	return lines
}

// common is the number of lines that are in both.
func common(a, b map[uint32]bool) (n int) {
	for line := range a {
		if b[line] {
			n++
		}
	}
	return n
}

// Buckets are full at different times only if their windows are different cells. Homes of one line have one
// window; any other two windows of a half have two lines in common at most, or three if their homes are in
// the two lines that memory brings together; and the two windows of a key have those two.
func TestWindowsAreDifferentLines(t *testing.T) {
	for factor := uint32(1); factor <= farthest; factor *= 2 {
		table, _ := newTable(t, Layout{CellsPerHalf: factor * longRing, Window: WindowMax,
			Descriptors: 1})
		home := table.cells / 2
		for half := range table.halves {
			h := &table.halves[half]
			own := linesOf(t, h, home)
			if n := common(own, linesOf(t, h, home+1)); n != len(own) {
				t.Errorf("half %d: homes of one line have %d lines in common of %d", half, n, len(own))
			}
			for other := uint32(0); other < h.ring; other += lineRows {
				want := 2
				if other/pairRows == home/pairRows {
					want = 3
				}
				if n := common(own, linesOf(t, h, other)); other != home && n > want {
					t.Errorf("half %d: windows of %d and %d have %d lines in common", half, home, other, n)
				}
			}
		}
		if n := common(linesOf(t, &table.halves[0], home), linesOf(t, &table.halves[1], home)); n != 2 {
			t.Errorf("the windows of a row in both halves have %d lines in common", n)
		}
	}
}

// Most members are the first ones: they are in the line of the home, or in the one beside it.
func TestFirstMembersAreNearTheHome(t *testing.T) {
	table, _ := newTable(t, Layout{CellsPerHalf: longRing, Window: WindowMax, Descriptors: 1})
	for half := range table.halves {
		for home := range uint32(longRing) {
			h := &table.halves[half]
			if h.index(home, 1)/lineRows != home/lineRows {
				t.Fatalf("half %d: offset 1 of %d is %d", half, home, h.index(home, 1))
			}
			for offset := uint32(2); offset < pairRows; offset++ {
				if h.index(home, offset)/pairRows != home/pairRows {
					t.Fatalf("half %d: offset %d of %d is %d", half, offset, home, h.index(home, offset))
				}
			}
		}
	}
}

// The marks are defined by a rule: each is the least that makes no difference twice.
func TestMarksMakeNoDifferenceTwice(t *testing.T) {
	differences := map[uint32]bool{}
	next := uint32(0)
	for i := range marks {
		for ; ; next++ {
			fits, new := true, map[uint32]bool{}
			for _, m := range marks[:i] {
				fits = fits && !differences[next-m]
				new[next-m] = true
			}
			if fits && len(new) == i {
				for d := range new {
					differences[d] = true
				}
				break
			}
		}
		if marks[i] != next {
			t.Fatalf("mark %d is %d, want %d", i, marks[i], next)
		}
		next++
	}
}

// Where a member stands is the region's format, and where a key's homes are: row by row on a short ring.
func TestShortRingGoesRowByRow(t *testing.T) {
	rows := make([]row, longRing-1)
	for side := range uint32(2) {
		h := newHalf(rows, side, WindowMax)
		for places := range uint32(4 * WindowMax) {
			if i := h.above(longRing-40, places); i != (longRing-40+places)%(longRing-1) {
				t.Fatalf("half %d: place %d is %d", side, places, i)
			}
		}
	}
}

// Room for a member that has the home is in the member's own window.
func TestRoomIsMadeInTheWindowOfWhatHasTheHome(t *testing.T) {
	table, _ := newTable(t, Layout{CellsPerHalf: longRing, Window: WindowMax, Descriptors: 1})
	for half := range uint32(2) {
		const base, offset = 500, 9
		h := &table.halves[half]
		a := adding{}
		a.homes[half] = h.index(base, offset)
		for places := uint32(1); places < WindowMax-offset; places++ {
			a.views[half].word0 = MemberWord(7, offset, 1)
			if got, some := table.roomAbove(&a, half, places); !some || got != h.index(base, offset+places) {
				t.Errorf("half %d: %d above the member is %d, %v", half, places, got, some)
			}
			a.views[half].word0 = BaseWord(7, 0)
			want := h.index(a.homes[half], places)
			if got, some := table.roomAbove(&a, half, places); !some || got != want {
				t.Errorf("half %d: %d above the base is %d, %v", half, places, got, some)
			}
		}
	}
}

// TestDisplacement_OnTheLongestRing: sums of a row and a displacement are more than 32 bits count.
func TestDisplacement_OnTheLongestRing(t *testing.T) {
	const ring = math.MaxUint32 &^ (pairRows - 1)
	for side, onward := range []uint32{1, ring - 1} {
		h := half{ring: ring, onward: onward}
		for offset := range uint32(WindowMax) {
			at := &h.places[offset]
			if at.flip = offset; offset >= pairRows {
				at.rows, at.flip = h.onRing(0, lineRows*markOf(offset/lineRows, ring)), offset%lineRows
			}
		}
		for _, home := range ends(ring) {
			for offset := range uint32(WindowMax) {
				var far uint64 // rows on the way
				if offset >= pairRows {
					far = lineRows * farthest * uint64(marks[offset/lineRows])
					if offset/lineRows < nearMark {
						far /= farthest
					}
				}
				want := (uint64(home) + far*uint64(onward)) % ring
				want ^= uint64(h.places[offset].flip)
				if i := h.index(home, offset); uint64(i) != want || h.below(i, offset) != home {
					t.Fatalf("half %d: offset %d of %d is %d, want %d; back from there it is %d", side,
						offset, home, i, want, h.below(i, offset))
				}
			}
			want := (uint64(home) + 95*uint64(onward)) % ring
			if i := h.above(home, 95); uint64(i) != want {
				t.Fatalf("half %d: place 95 above %d is %d, want %d", side, home, i, want)
			}
		}
	}
}
