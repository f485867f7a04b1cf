package hopscotch

import (
	"maps"
	"testing"
)

// newFar makes a table of 8 cells a half, window 4, both halves alike. With foreign, the home cell of the
// key is a member of another bucket, else a base. No member within the window of home 2 can move
// before one further up has.
func newFar(t *testing.T, foreign bool) (p planted, h *Handle, key Key) {
	t.Helper()
	table, h := newTableWith(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2,
		Homes: HomesApart}, Options{})
	p = planted{table, t}
	nth := -1
	for home1 := uint32(0); home1 != 2; {
		nth++
		key = p.key(0, 2, nth)
		_, home1 = table.homes(key)
	}
	for half := range uint32(2) {
		bucket := func(base uint32, members ...uint32) {
			m := Map(0)
			for i, o := range members {
				m = m.With(o)
				p.put(half, (base+o)%8, MemberWord(p.key(half, base, nth+2+i), o, 1), MakeWord1(20, 1))
			}
			p.put(half, base, BaseWord(p.key(half, base, nth+1), m), MakeWord1(20, 1))
		}
		if foreign { // 1 owns the home cell; its window ends at 4
			bucket(1, 1)
		} else {
			bucket(1)
			bucket(2)
		}
		bucket(3, 1) // cell 4, which can go to 5 or 6
		bucket(5, 1) // cell 6, which can go to 7 or 0
	}
	clean(t, table)
	return p, h, key
}

// What is beyond the window moves too, so that something within can, and nothing has to leave.
func TestAdd_MovesWhatIsBeyondItsWindow(t *testing.T) {
	for name, foreign := range map[string]bool{"own base": false, "another bucket's member": true} {
		t.Run(name, func(t *testing.T) {
			for _, within := range []bool{false, true} {
				p, h, key := newFar(t, foreign)
				want := 0
				if within { // as it was when only the window counted
					p.Table.reach = p.window
					want = 1
				}
				r, err := h.Add(uint32(key), 50)
				if r != Added || err != nil || len(h.Left()) != want {
					t.Errorf("window only %v: %v, %v, left %v; want %d", within, r, err, h.Left(), want)
				}
				if v, ok := p.Get(uint32(key)); !ok || v != 50 {
					t.Errorf("window only %v: the new element is %d, %v", within, v, ok)
				}
				clean(t, p.Table)
			}
		})
	}
}

// A hole that has come to the window since the search ends the scan, and the add forgets all of it.
func TestAdd_ForgetsTheScanWhenAHoleHasCome(t *testing.T) {
	p, h, key := newFar(t, false)
	p.put(0, 3, EmptyWord(2), EmptyWord1(2))
	a := adding{pair: MakePair(key, 50), homes: [2]uint32{2, 2}, room: 1, scan: true,
		tried: [2]bool{false, true}}
	if s := h.table.findRoom(&a); s != stepAgain || a.room != 0 || a.scan || a.tried != [2]bool{} {
		t.Errorf("step %d, %+v", s, a)
	}
}

// After an operation that found no hole the scan goes on with the next cell, at the end of a half's reach
// with the first one of the other half.
func TestHandle_ConcludesWithTheNextCell(t *testing.T) {
	table, h := newTableWith(t, Layout{CellsPerHalf: 16, Window: 3, Descriptors: 2,
		Homes: HomesApart}, Options{})
	p := planted{table, t}
	p.put(0, 0, BaseWord(p.key(0, 0, 0), Map(0).With(2)), MakeWord1(10, 1))
	p.put(0, 2, MemberWord(p.key(0, 0, 1), 2, 1), MakeWord1(20, 1))
	for room, want := range map[uint32]uint32{1: 2, table.reach - 1: table.reach + 1} {
		w := work{kind: KindMove, offset: 2,
			base:   view{p.word0(0, 0), table.halves[0].cell(0).usurpVersion()},
			member: view{p.word0(0, 2), table.halves[0].cell(2).roomValue()}}
		if !h.install(&w, 0) {
			t.Fatal("not installed")
		}
		a := adding{room: room}
		if r, err := h.conclude(&a); r != 0 || err != nil || a.room != want || !a.scan {
			t.Errorf("from %d: %v, %v, %+v; want %d", room, r, err, a, want)
		}
		clean(t, table)
	}
}

// A tie is decided by what the two homes are where that makes a difference, unless the option decides it.
func TestTieChoosesTheHomeThatIsEasierToUse(t *testing.T) {
	base := BaseWord(7, 0)
	member := func(distance uint32) Word0 { return MemberWord(8, distance, 1) }
	layout := Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1}
	for _, c := range []struct {
		home0, home1 Word0
		want         map[uint32]bool
	}{
		{base, member(1), map[uint32]bool{0: true}},
		{member(1), base, map[uint32]bool{1: true}},
		{member(1), member(3), map[uint32]bool{0: true}},
		{member(3), member(1), map[uint32]bool{1: true}},
		{member(2), member(2), map[uint32]bool{0: true, 1: true}},
		{base, base, map[uint32]bool{0: true, 1: true}},
	} {
		table, _ := newTable(t, layout)
		chosen := func(table *Table) uint32 {
			a := adding{half: noHalf}
			a.views[0].word0, a.views[1].word0 = c.home0, c.home1
			table.choose(&a)
			return a.half
		}
		seen := map[uint32]bool{}
		for range 200 {
			seen[chosen(table)] = true
		}
		if !maps.Equal(seen, c.want) {
			t.Errorf("%v and %v: halves %v, want %v", c.home0, c.home1, seen, c.want)
		}
		for bit := range uint32(2) {
			table, _ := newTableWith(t, layout, Options{Tie: func() uint32 { return bit }})
			if got := chosen(table); got != bit {
				t.Errorf("%v and %v: the option says %d, chosen is %d", c.home0, c.home1, bit, got)
			}
		}
	}
}

// A full table hands over late: when a tenth of the cells are empty, next to nothing has left.
func TestAdd_FillsNineTenths(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 1 << 14, Window: WindowMax, Descriptors: 1})
	left := 0
	for key := uint32(1); key <= 9*2*table.cells/10; key++ {
		if r, err := h.Add(key*0x01000193|1<<31, key); err != nil || r == Full {
			t.Fatal(r, err)
		}
		left += len(h.Left())
	}
	if left > 2 {
		t.Errorf("%d elements of %d left up to a load of 0.9", left, 2*table.cells)
	}
	clean(t, table)
}
