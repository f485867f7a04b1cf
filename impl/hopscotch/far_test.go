package hopscotch

import (
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// newFar makes a table of 8 cells a half, window 4, both halves alike. With foreign, the home cell of the
// key is a member of another bucket, else a base. No member within the window of home 2 can move
// before one further up has.
func newFar(t *testing.T, foreign bool) (p planted, h *Handle, key Key) {
	t.Helper()
	table, h := newTableWith(t, region.Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2,
		Homes: region.HomesApart}, Options{})
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
	table, h := newTableWith(t, region.Layout{CellsPerHalf: 16, Window: 3, Descriptors: 2,
		Homes: region.HomesApart}, Options{})
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
