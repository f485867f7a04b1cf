package model

import "fmt"

// Where the cells of a window are (Place of Cells.tla): the only place where a home and an offset become a
// cell, and back.

// Windows says of each half and home which cell is at each offset of the window, noCell of one that no step
// comes to. A cell that is nobody's home may have no window.
type Windows [][][]uint8

// noCell is a place that there is not: whoever came to it would find no word.
const noCell = 255

// maxPlaces is how many offsets a row of the table has at most: so many cells may be passed, and then the
// places of the scan for room.
const maxPlaces = 4 * MaxCells

// places is the table of a machine, both ways.
type places struct {
	cellAt     [Halves][MaxCells][maxPlaces]uint8 // half, home, offset -> cell; noCell where the table ends
	homeFrom   [Halves][MaxCells][MaxCells]uint8  // half, cell, offset -> home
	offsetFrom [Halves][MaxCells][MaxCells]uint8  // half, home, cell -> offset; the window's width beyond it
}

// inARow is the table of consecutive cells round the ring, and on beyond the window.
func inARow(n, w uint8) Windows {
	all := make(Windows, Halves)
	for h := range all {
		for home := range n {
			row := make([]uint8, n+w-1)
			for o := range row {
				row[o] = (home + uint8(o)) % n
			}
			all[h] = append(all[h], row)
		}
	}
	return all
}

// survey makes the table. Of each key's home there must be a window, which begins with the
// home; the cells of a window must be different ones, and of a cell and an offset there must be one
// home. The error wraps ErrConfig.
func (m *Machine) survey() error {
	windows := m.cfg.Windows
	if windows == nil {
		windows = inARow(m.n, m.w)
	}
	if len(windows) != Halves {
		return fmt.Errorf("%w: windows of %d halves, want %d", ErrConfig, len(windows), Halves)
	}
	for h := range windows {
		for c := range m.homeFrom[h] {
			for o := range m.cellAt[h][c] {
				m.cellAt[h][c][o] = noCell
			}
			for o := range m.homeFrom[h][c] {
				m.homeFrom[h][c][o], m.offsetFrom[h][c][o] = noCell, m.w
			}
		}
		if err := m.surveyHalf(h, windows[h]); err != nil {
			return err
		}
		for _, k := range m.keys {
			if home := m.cfg.Home[h][k]; home >= m.n || m.cellAt[h][home][0] != home {
				return fmt.Errorf("%w: key %d has home %d in half %d, which has no window in %d cells",
					ErrConfig, k, home, h, m.n)
			}
		}
	}
	return nil
}

func (m *Machine) surveyHalf(h int, windows [][]uint8) error {
	for home, cells := range windows {
		if len(cells) == 0 {
			continue
		}
		if home >= int(m.n) || len(cells) < int(m.w) || len(cells) > maxPlaces {
			return fmt.Errorf("%w: half %d, home %d: window %v; use %d..%d cells of homes below %d",
				ErrConfig, h, home, cells, m.w, maxPlaces, m.n)
		}
		for o, c := range cells {
			if c == noCell {
				continue
			}
			if c >= m.n {
				return fmt.Errorf("%w: half %d, home %d: cell %d of %d", ErrConfig, h, home, c, m.n)
			}
			m.cellAt[h][home][o] = c
			if o >= int(m.w) {
				continue // beyond the window
			}
			if m.offsetFrom[h][home][c] != m.w || m.homeFrom[h][c][o] != noCell {
				return fmt.Errorf("%w: half %d, home %d: cell %d is in the window twice, or at offset %d of "+
					"two homes", ErrConfig, h, home, c, o)
			}
			m.homeFrom[h][c][o], m.offsetFrom[h][home][c] = uint8(home), uint8(o)
		}
	}
	return nil
}

// at is the cell at an offset from a home.
func (m *Machine) at(h, home, offset uint8) addr { return addr{h, m.cellAt[h][home][offset]} }

// below is the home from which the cell a is at that offset.
func (m *Machine) below(a addr, offset uint8) addr { return addr{a.h, m.homeFrom[a.h][a.c][offset]} }

// offsetOf is at which offset of the home b the cell a is, the window's width if it is not in its window.
func (m *Machine) offsetOf(a, b addr) uint8 { return m.offsetFrom[a.h][b.c][a.c] }
