package hopscotch

import (
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// The whole version of an empty home counts, not only the part that a member keeps, also where it is
// about to come round.
func TestAdd_ToAnEmptyHomeOfAnyVersion(t *testing.T) {
	eachHalf(t, func(t *testing.T, half uint32) {
		for _, g := range []Version{0, 1, memberVersionMask, memberVersionMask + 1, versionMask} {
			table, h := newTableWith(t, region.Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3}, Options{})
			p := planted{table, t}
			k := p.key(half, 5, 0)
			_, other := table.homes(k)
			if half == 1 {
				other, _ = table.homes(k)
			}
			p.put(half, 5, EmptyWord(g), EmptyWord1(g))
			p.put(1-half, other, BaseWord(k+1, 0), MakeWord1(7, 1)) // so this half is chosen
			if r, err := h.Add(uint32(k), 70); r != Added || err != nil {
				t.Fatalf("version %d: %v, %v", g, r, err)
			}
			c := table.halves[half].cell(5)
			if w := c.look(); w.word0 != BaseWord(k, 0) || w.word1 != MakeWord1(70, g.Next()) {
				t.Errorf("version %d: the home cell is %v, %v", g, w.word0, w.word1)
			}
		}
	})
}
