package hopscotch

import "fmt"

// HoleFor names a cell that the last add could have had, in place of letting the element of the key left
// leave: one that is empty or lost, in the window of a home of the added key, or above a member of another
// bucket that is in the home, or was there until it left. "" if there is none. Nobody may have changed
// anything since. What it looks at is less than what an add does, which may move others out of the way, too.
func HoleFor(h *Handle, added, left uint32) string {
	t := h.Table()
	h0, h1 := t.homes(Key(added))
	l0, l1 := t.homes(Key(left))
	leftAt := [...]uint32{l0, l1}
	for side, home := range [...]uint32{h0, h1} {
		half := &t.halves[side]
		base, from := home, uint32(0)
		switch w := Word0(half.cell(home).word0.Load()); {
		case w.Form() == FormMember:
			base, from = half.below(home, w.Distance()), w.Distance()
		case w.Key() == Key(added):
			for offset := uint32(1); offset < WindowMax; offset++ {
				if half.index(leftAt[side], offset) == home {
					base, from = leftAt[side], offset
				}
			}
		}
		for offset := from; offset < WindowMax; offset++ {
			w := Word0(half.at(base, offset).word0.Load())
			if w.Form() == FormEmpty || w.Key() == KeyLost {
				return fmt.Sprintf("half %d: %v at offset %d of the window of %d, from %d on", side, w,
					offset, base, from)
			}
		}
	}
	return ""
}
