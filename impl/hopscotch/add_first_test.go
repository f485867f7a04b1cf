package hopscotch

import (
	"errors"
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

// TestAdd_TellsTheFailureOfItsFirstOperation: between its look at the two homes and the end of its
// operation somebody fills the other home. The search there and the publication are one round more than
// the patience allows, so the add has committed and does not know it: an error, and no second try.
func TestAdd_TellsTheFailureOfItsFirstOperation(t *testing.T) {
	p := newPlanted(t)
	h, err := p.NewHandle(5)
	if err != nil {
		t.Fatal(err)
	}
	full0, full1 := p.word0(1, 7), Word1(p.halves[1].cell(7).word1.Load())
	p.put(1, 7, EmptyWord(3), EmptyWord1(3))
	n := 2
	key := p.key(1, 7, n)
	for h0, _ := p.homes(key); !p.word0(0, h0).empty(); h0, _ = p.homes(key) {
		n++
		key = p.key(1, 7, n)
	}
	generation := func() Generation { return Head(p.descriptors[h.index].head.Load()).Generation() }
	ties, want := 0, p.refs.Next(generation())
	p.tie = func() uint32 {
		ties++
		p.put(1, 7, full0, full1)
		return 0
	}
	p.patience = 1
	if r, err := h.Add(uint32(key), 99); r != 0 || !errors.Is(err, ErrBusy) || generation() != want {
		t.Errorf("add: %v, %v; want no result and ErrBusy, and one operation", r, err)
	}
	if _, err := h.Add(uint32(key), 99); !errors.Is(err, ErrBusy) {
		t.Errorf("the next add: %v, want ErrBusy for the rest of the handle's life", err)
	}
	if v, ok := p.Get(uint32(key)); v != 99 || !ok || ties != 1 || h.Tally() != (Tally{}) {
		t.Errorf("get: %d, %v; %d ties; tally %+v", v, ok, ties, h.Tally())
	}
}
