package hopscotch

import (
	"sync"
	"testing"
)

// On a long ring an add keeps the ends of windows free as long as it can, and makes room in the windows of
// those that could move.

// newLong is a table whose halves are long rings, with a key, and its homes.
func newLong(t *testing.T) (p planted, h *Handle, key Key, homes [2]uint32) {
	t.Helper()
	table, h := newTable(t, Layout{CellsPerHalf: longRing, Window: WindowMax, Descriptors: 1})
	p = planted{table, t}
	key = p.key(0, 512, 9)
	homes[0], homes[1] = table.homes(key)
	return p, h, key, homes
}

// fill puts a base at those offsets of the window of home that are empty.
func (p planted) fill(half, home, from, to uint32) {
	h := &p.halves[half]
	for offset := from; offset < to; offset++ {
		if cell := h.index(home, offset); h.cell(cell).roomPeek().empty() {
			p.put(half, cell, BaseWord(p.key(half, cell, 0), 0), MakeWord1(20, 1))
		}
	}
}

// stand puts a member at the offset of a bucket, which gets a base if it has none.
func (p planted) stand(half, home, offset uint32) {
	p.fill(half, home, 0, 1)
	base := p.halves[half].cell(home)
	w := Word0(base.word0.Load())
	base.word0.Store(uint64(BaseWord(w.Key(), w.Map().With(offset))))
	p.put(half, p.halves[half].index(home, offset),
		MemberWord(p.key(half, home, 1+w.Map().Count()), offset, 1), MakeWord1(20, 1))
}

// chosenHalf is the half that an add of the key chooses.
func (p planted) chosenHalf(key Key, homes [2]uint32) uint32 {
	a := adding{pair: MakePair(key, 50), homes: homes, half: noHalf}
	for half := range a.views {
		a.views[half] = p.halves[half].cell(homes[half]).look()
	}
	p.choose(&a)
	return a.half
}

// The lighter half is left for the other one if its first hole is behind the front, and that of the other
// one is nearer.
func TestAdd_KeepsTheEndsOfWindowsFree(t *testing.T) {
	const front = WindowMax / 2
	for light := range uint32(2) {
		heavy := 1 - light
		p, _, key, homes := newLong(t)
		expect := func(what string, want uint32) {
			t.Helper()
			if got := p.chosenHalf(key, homes); got != want {
				t.Errorf("light half %d, %s: half %d is chosen, want %d", light, what, got, want)
			}
		}
		p.fill(light, homes[light], 0, front-1)
		p.stand(heavy, homes[heavy], 1)
		expect("the last hole of the front", light)
		p.fill(light, homes[light], 0, front)
		expect("a hole behind the front", heavy)
		p.fill(heavy, homes[heavy], 0, front)
		expect("a hole as far in the other half", light)
		p.fill(light, homes[light], 0, WindowMax-1)
		expect("a nearer one in the other half, behind the front", heavy)
		p.fill(heavy, homes[heavy], 0, WindowMax)
		expect("none in the other half", light)
		p.fill(light, homes[light], 0, WindowMax)
		expect("none in either half", light)
		p.put(heavy, p.halves[heavy].index(homes[heavy], 5), EmptyWord(1), EmptyWord1(1))
		expect("one in the other half alone", heavy)
		p.halves[light].cell(homes[light]).word0.Store(uint64(BaseWord(KeyLost, 0)))
		expect("a lost base", light)
	}
}

// Where a member has the home it is that member's window, above it, that has the hole or has not.
func TestAdd_KeepsTheEndsOfTheMembersWindowFree(t *testing.T) {
	const front, offset = WindowMax / 2, 9
	for half := range uint32(2) {
		p, _, key, homes := newLong(t)
		base := p.halves[half].below(homes[half], offset)
		p.stand(half, base, offset)
		p.stand(1-half, homes[1-half], 1)
		p.fill(half, base, offset+1, front)
		if got := p.chosenHalf(key, homes); got == half {
			t.Errorf("half %d is chosen, whose home is a member without a hole in the front", half)
		}
		p.put(half, p.halves[half].index(base, front-1), EmptyWord(1), EmptyWord1(1))
		if got := p.chosenHalf(key, homes); got != half {
			t.Errorf("half %d is chosen; in the other one a member has a hole in the front", got)
		}
	}
}

// The window in question is that of the base that has the home, however many members it has.
func TestFirstHole_OfABaseWithMembers(t *testing.T) {
	const hole = 9
	for half := range uint32(2) {
		p, _, _, homes := newLong(t)
		for offset := uint32(1); offset < WindowMax; offset++ {
			if offset != hole {
				p.stand(half, homes[half], offset)
			}
		}
		a := adding{homes: homes}
		a.views[half] = p.halves[half].cell(homes[half]).look()
		if got := p.firstHole(&a, half, WindowMax); got != hole {
			t.Errorf("half %d: the first hole is at offset %d, want %d", half, got, hole)
		}
	}
}

// A short ring has no front: there the halves are chosen as specified.
func TestShortRingHasNoFront(t *testing.T) {
	for cells, want := range map[uint32]uint32{longRing - 1: WindowMax, longRing: WindowMax / 2} {
		table, _ := newTable(t, Layout{CellsPerHalf: cells, Window: WindowMax, Descriptors: 1})
		if table.front != want {
			t.Errorf("%d cells a half: the front ends at %d, want %d", cells, table.front, want)
		}
	}
}

// The front of a long ring is half of a window, and the greater one of a window that has no half.
func TestFrontIsTheGreaterHalf(t *testing.T) {
	for window, want := range map[uint32]uint32{2: 1, 3: 2, 4: 2, 5: 3, 31: 16, 32: 16} {
		if got := frontOf(window, longRing); got != want {
			t.Errorf("the front of %d is %d, want %d", window, got, want)
		}
	}
}

// Beyond the window come the cells to which its members could move: the first of each, then the second.
func TestRoomBeyondIsWhereMembersCouldMove(t *testing.T) {
	p, _, _, homes := newLong(t)
	const skipped = 28
	h, home := &p.halves[0], homes[0]
	p.stand(0, h.below(h.index(home, 29), 4), 4)
	p.fill(0, home, 30, 31)
	p.stand(0, h.below(h.index(home, 31), 29), 29)
	want := map[uint32]uint32{}
	for k := range uint32(27) {
		want[3*k] = h.index(h.below(h.index(home, 29), 4), 5+k)
	}
	for k := range uint32(2) {
		want[3*k+2] = h.index(h.below(h.index(home, 31), 29), 30+k)
	}
	for place := range uint32(100) {
		cell, some := p.aboveMember(h, home, skipped, place)
		if at, ok := want[place]; some != ok || some && cell != at {
			t.Errorf("place %d: %d, %v; want %d, %v", place, cell, some, at, ok)
		}
	}
	for _, skipped := range []uint32{31, 32, 40} {
		if _, some := p.aboveMember(h, home, skipped, 0); some {
			t.Errorf("there is room beyond a member at %d of a window of %d", skipped, p.window)
		}
	}
}

// The home is a member that could move if another one could, and that one can once a third one has moved.
func TestAdd_MovesWhatIsInTheWayOfAMember(t *testing.T) {
	for half := range uint32(2) {
		p, handle, key, homes := newLong(t)
		h, other := &p.halves[half], &p.halves[1-half]
		p.stand(1-half, other.below(homes[1-half], 31), 31) // of no use
		base := h.below(homes[half], 30)
		p.stand(half, base, 30)
		second := h.below(h.index(base, 31), 20)
		p.stand(half, second, 20)
		third := h.below(h.index(second, 25), 7)
		p.stand(half, third, 7)
		p.fill(half, second, 21, WindowMax)
		if r, err := handle.Add(uint32(key), 50); r != Added || err != nil || len(handle.Left()) != 0 {
			t.Errorf("half %d: %v, %v, left %v", half, r, err, handle.Left())
		}
		if v, ok := p.Get(uint32(key)); !ok || v != 50 {
			t.Errorf("half %d: the new element is %d, %v", half, v, ok)
		}
		for _, moved := range []Word0{p.word0(half, base), p.word0(half, second), p.word0(half, third)} {
			if moved.Map().Count() != 1 {
				t.Errorf("half %d: a bucket has become %v", half, moved)
			}
		}
		clean(t, p.Table)
	}
}

// Actors that fill a long ring beyond full, all at once: each value is that of one live element, or was
// handed to exactly one of them.
func TestTable_ConcurrentAddsBeyondFull(t *testing.T) {
	table, first := newTable(t, Layout{CellsPerHalf: longRing, Window: WindowMax,
		Descriptors: workers})
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	all := newWorkers(t, table)
	var group sync.WaitGroup
	for _, w := range all {
		group.Go(func() { w.addAll(3 * longRing) })
	}
	group.Wait()
	clean(t, table)
	account(t, table, all)
}

// addAll adds the keys up to that number, from one of its own on.
func (w *worker) addAll(keys uint32) {
	for i := range keys {
		key, v := 1+(i+w.index*keys/workers)%keys, w.next()
		r, err := w.handle.Add(key, v)
		if err != nil {
			w.t.Errorf("worker %d: add of key %d: %v", w.index, key, err)
			return
		}
		if r == Added {
			w.put[v] = key
		}
		for _, l := range w.handle.Left() {
			w.take("add", l.Value)
		}
	}
}

// A hole anywhere in its window lets a member move, the last place of it included. One that has none takes
// the place of its base, if that is lost.
func TestMovable_LooksAtTheWholeWindow(t *testing.T) {
	p, _, _, homes := newLong(t)
	h := &p.halves[0]
	home := homes[0]
	p.stand(0, home, 1)
	cell := h.index(home, 1)
	other := h.index(home, 3) // of another bucket than the member's
	use := func(home uint32) (Kind, adding) {
		a := adding{homes: [2]uint32{home, home}}
		if !p.movable(&a, Word0(h.cell(cell).word0.Load()), cell) {
			return KindNone, a
		}
		return a.work.kind, a
	}
	for last := uint32(2); last < p.window; last++ {
		if got, _ := use(other); got != KindMove {
			t.Errorf("the place at %d is empty: %v, want a move", last, got)
		}
		p.fill(0, home, last, last+1)
	}
	base, key := &h.cell(home).word0, p.key(0, home, 0)
	members := Word0(base.Load()).Map()
	for word, want := range map[Word0]Kind{
		BaseWord(key, members):                KindNone,
		BaseWord(KeyLost, members):            KindLift,
		BaseWord(KeyLost, members.Without(1)): KindNone,
	} {
		base.Store(uint64(word))
		if got, a := use(other); got != want || a.spared {
			t.Errorf("a member that cannot move, of %v: %v, want %v; spare %v", word, got, want, a.spared)
		}
	}
	if got, _ := use(home); got != KindNone {
		t.Errorf("a member of the bucket that wants its cell: %v, want none", got)
	}
	for _, lost := range []Word0{BaseWord(KeyLost, 2), MemberWord(KeyLost, 4, 2)} {
		h.at(home, 7).word0.Store(uint64(lost))
		if _, a := use(other); !a.spared || a.spare != (place{0, h.index(home, 7)}) {
			t.Errorf("%v above the member is not kept in mind: %v %v", lost, a.spared, a.spare)
		}
	}
}

// What is lost is reclaimed: a member is dropped, a base that is alone becomes empty, and of one that is not
// the farthest member takes the place, or leaves, if it is lost as well.
func TestReclaim_WhatIsLost(t *testing.T) {
	p, _, _, homes := newLong(t)
	h, home := &p.halves[0], homes[0]
	two := Map(0).With(2).With(5)
	alone, below := BaseWord(KeyLost, 0), BaseWord(KeyLost, two)
	for name, c := range map[string]struct {
		seen   Word0
		offset uint32 // where it stands
		base   Word0  // by now
		far    Word0  // at offset 5 by now
		step   step
		kind   Kind
	}{
		"alone":                {alone, 0, alone, 0, stepInstall, KindClear},
		"alone, taken by now":  {alone, 0, BaseWord(9, 0), 0, stepAgain, KindClear},
		"alone no more":        {alone, 0, below, 0, stepAgain, KindClear},
		"with members":         {below, 0, below, MemberWord(9, 5, 2), stepInstall, KindLift},
		"with lost members":    {below, 0, below, MemberWord(KeyLost, 5, 2), stepInstall, KindDrop},
		"whose member is gone": {below, 0, below, EmptyWord(2), stepAgain, KindLift},
		"of another base":      {below, 0, below, MemberWord(9, 4, 2), stepAgain, KindLift},
		"in an operation":      {below, 0, below, EngagedWord(9, p.refs.Make(1, 1)), stepHelp, KindLift},
		"lifted by now":        {below, 0, BaseWord(9, two), MemberWord(9, 5, 2), stepAgain, KindLift},
		"a member": {MemberWord(KeyLost, 5, 2), 5, BaseWord(9, two), MemberWord(KeyLost, 5, 2),
			stepInstall, KindDrop},
	} {
		h.cell(home).word0.Store(uint64(c.base))
		h.at(home, 5).word0.Store(uint64(c.far))
		a := adding{}
		if got := p.reclaim(&a, c.seen, h.index(home, c.offset)); got != c.step || a.work.kind != c.kind {
			t.Errorf("what is lost, %s: step %v of %v, want %v of %v", name, got, a.work.kind, c.step, c.kind)
		}
	}
}

// A lost home needs no hole, neither of a base nor of a member.
func TestFirstHole_OfALostHome(t *testing.T) {
	p, _, key, homes := newLong(t)
	p.fill(0, homes[0], 1, p.window)
	for seen, want := range map[Word0]uint32{
		BaseWord(p.key(0, homes[0], 0), 0):      p.window,
		MemberWord(p.key(0, homes[0], 0), 1, 2): p.window,
		BaseWord(KeyLost, 0):                    0,
		MemberWord(KeyLost, 1, 2):               0,
		EmptyWord(1):                            0,
	} {
		a := adding{pair: MakePair(key, 50), homes: homes}
		a.views[0].word0 = seen
		if got := p.firstHole(&a, 0, p.window); got != want {
			t.Errorf("behind %v: the first hole is at %d, want %d", seen, got, want)
		}
	}
}
