package hopscotch

import (
	"errors"
	"slices"
	"testing"
)

// The steps of making room, one by one: where an add looks next, what it makes of what it finds, and what
// it forgets. Who interferes between two of its steps is played by the functions of the options,
// which an add calls in between.

// TestAdding_PassesEachCellOnce: what is in reach in both halves without the home cells, then nothing.
func TestAdding_PassesEachCellOnce(t *testing.T) {
	for _, reach := range []uint32{2, 3, 5, 96} {
		a := adding{room: 1, scan: true, tried: [2]bool{false, true}}
		var rooms, want []uint32
		for n := uint32(0); a.scan && n < 3*reach; n++ {
			rooms = append(rooms, a.room)
			a.nextRoom(reach)
		}
		for room := uint32(1); room < 2*reach; room++ {
			if room != reach {
				want = append(want, room)
			}
		}
		if !slices.Equal(rooms, want) || a.room != 2*reach || a.scan || a.tried != [2]bool{} {
			t.Errorf("reach %d: rooms %v, then %+v; want %v", reach, rooms, a, want)
		}
	}
}

// TestAdding_GoesOnByTheStatus: of the operation that was to make room.
func TestAdding_GoesOnByTheStatus(t *testing.T) {
	const reach = 5
	tried := [2]bool{false, true}
	for name, c := range map[string]struct {
		room   uint32
		status Status
		want   adding // scan, room, tried
	}{
		"room is made":       {3, StatusCommitted, adding{}},
		"something has left": {2 * reach, StatusCommitted, adding{}},
		"no hole":            {3, StatusFull, adding{room: 4, scan: true, tried: tried}},
		"no hole at the end of the half": {reach - 1, StatusFull,
			adding{room: reach + 1, scan: true, tried: tried}},
		"no hole for the last one": {2*reach - 1, StatusFull, adding{room: 2 * reach}},
		"no hole in the other half": {reach + 2, StatusFull,
			adding{room: reach + 3, scan: true, tried: tried}},
		"no hole for the home cell": {0, StatusFull, adding{scan: true, tried: tried}},
		"no hole at the end": {2 * reach, StatusFull,
			adding{room: 2 * reach, tried: [2]bool{true, true}}},
		"overtaken":              {3, StatusAborted, adding{room: 3, scan: true, tried: tried}},
		"overtaken at the first": {1, StatusAborted, adding{room: 1, scan: true, tried: tried}},
		"overtaken at the last": {2*reach - 1, StatusAborted,
			adding{room: 2*reach - 1, scan: true, tried: tried}},
		"overtaken in the home cell": {0, StatusAborted, adding{tried: tried}},
		"overtaken at the end":       {2 * reach, StatusAborted, adding{room: 2 * reach, tried: tried}},
	} {
		a := adding{room: c.room, tried: tried}
		a.roomEnded(KindMove, c.status, reach)
		if a != c.want {
			t.Errorf("%s: %+v, want %+v", name, a, c.want)
		}
	}
}

// TestTable_LoadByForm: what counts as full, and what as a place.
func TestTable_LoadByForm(t *testing.T) {
	for _, keep := range []bool{false, true} {
		table, _ := newTableWith(t, Layout{CellsPerHalf: 9, Window: 5, Descriptors: 2},
			Options{KeepAll: keep})
		foreign, engaged := uint32(1), uint32(2)
		if keep {
			foreign, engaged = 5, 5
		}
		r := table.refs.Make(1, 1)
		for w, want := range map[Word0]uint32{EmptyWord(3): 0, ClaimedWord(r): 1, BaseWord(7, 0): 1,
			BaseWord(7, 6): 3, BaseWord(KeyLost, 2): 2, OperatingWord(7, r): 2,
			MemberWord(7, 1, 0): foreign, EngagedWord(7, r): engaged} {
			if got := table.load(w); got != want {
				t.Errorf("keep all %v, %v: load %d, want %d", keep, w, got, want)
			}
		}
	}
}

// views is an adding of the key whose home cells are 0 in a table of newFull, with these words there.
func viewing(w0, w1 Word0) adding {
	return adding{pair: MakePair(keyOf(0, 0, 0), 50), half: 0,
		views: [2]view{{w0, MakeWord1(10, 1)}, {w1, MakeWord1(30, 1)}}}
}

// TestTable_StartsToMakeRoom: at the first cell above the home of the chosen half, whatever is in the home
// cells; it remembers which of them is another bucket's.
func TestTable_StartsToMakeRoom(t *testing.T) {
	p, _ := newFull(t, Options{})
	base, member := BaseWord(keyOf(0, 0, 1), 6), MemberWord(9, 1, 1)
	engaged := EngagedWord(9, p.refs.Make(1, 1))
	for name, c := range map[string]struct {
		words [2]Word0
		half  uint32
		tried [2]bool
	}{
		"both":                            {[2]Word0{base, base}, 0, [2]bool{}},
		"both, half 1":                    {[2]Word0{base, base}, 1, [2]bool{}},
		"half 0 only":                     {[2]Word0{base, member}, 0, [2]bool{false, true}},
		"half 0 only, engaged":            {[2]Word0{base, engaged}, 0, [2]bool{false, true}},
		"half 1 only, and it is chosen":   {[2]Word0{member, base}, 1, [2]bool{true, false}},
		"half 1 only":                     {[2]Word0{member, base}, 0, [2]bool{true, false}},
		"half 1 only, engaged":            {[2]Word0{engaged, base}, 0, [2]bool{true, false}},
		"half 0 only, half 1 was chosen":  {[2]Word0{base, engaged}, 1, [2]bool{false, true}},
		"neither":                         {[2]Word0{member, engaged}, 1, [2]bool{true, true}},
		"half 0 claimed, half 1 operates": {[2]Word0{ClaimedWord(1), OperatingWord(7, 1)}, 0, [2]bool{}},
	} {
		a := viewing(c.words[0], c.words[1])
		a.half = c.half
		if s := p.startRoom(&a); s != stepScan || a.room != 1 || a.tried != c.tried || a.half != c.half {
			t.Errorf("%s: step %d, %+v; want room 1, tried %v", name, s, a, c.tried)
		}
	}
}

// TestTable_EvictsByForm: what leaves when nothing can move, by what has the home cell.
func TestTable_EvictsByForm(t *testing.T) {
	p, _ := newFull(t, Options{})
	r := p.refs.Make(1, 1)
	for name, c := range map[string]struct {
		word Word0
		step step
		kind Kind
	}{
		"empty":             {EmptyWord(3), stepInstall, KindNew},
		"base with members": {p.word0(0, 0), stepInstall, KindDrop},
		"base alone":        {BaseWord(7, 0), stepInstall, KindReplace},
		"lost base":         {BaseWord(KeyLost, 0), stepInstall, KindReplace},
		"lost with members": {BaseWord(KeyLost, 6), stepInstall, KindReplace},
		"claimed":           {ClaimedWord(r), stepHelp, KindNone},
		"operating":         {OperatingWord(7, r), stepHelp, KindNone},
		"engaged":           {EngagedWord(7, r), stepHelp, KindNone},
		"member":            {MemberWord(7, 1, 1), stepAgain, KindDrop}, // whose base is no base by now
		"lost member":       {MemberWord(KeyLost, 1, 1), stepAgain, KindDrop},
	} {
		a := viewing(c.word, c.word)
		a.room = 2 * p.reach
		s := p.evict(&a)
		if s != c.step || a.work.kind != c.kind || (s == stepHelp) != (a.ref == r) {
			t.Errorf("%s: step %d, kind %v, reference %v", name, s, a.work.kind, a.ref)
		}
	}
}

// TestTable_EvictsTheOldestThoughItIsLost: a member that was deleted since the search passed it takes no live
// one's part, wherever it stands.
func TestTable_EvictsTheOldestThoughItIsLost(t *testing.T) {
	for offset := uint32(1); offset <= 2; offset++ {
		p, _ := newFull(t, Options{})
		p.put(0, offset, MemberWord(KeyLost, offset, 1), MakeWord1(5, 1))
		a := viewing(p.word0(0, 0), p.word0(1, 0))
		if s := p.evictOldest(&a); s != stepInstall || a.work.kind != KindDrop || a.work.offset != offset ||
			a.work.member != (view{MemberWord(KeyLost, offset, 1), MakeWord1(5, 1)}) {
			t.Errorf("step %d, %+v; want the member at %d to leave", s, a.work, offset)
		}
	}
}

// TestAdd_SearchesAgainAfterEachDelay: who scans for room and has to help first, or finds that a base
// is not at rest, begins again with a search; the key may have come meanwhile. Here it has.
func TestAdd_SearchesAgainAfterEachDelay(t *testing.T) {
	for name, delay := range map[string]func(p planted){
		"help": func(p planted) {
			d := &p.descriptors[1]
			d.head.Store(uint64(MakeHead(1, KindReplace, 0, 1)))
			d.pair.Store(uint64(MakePair(keyOf(1, 1, 9), 77)))
			d.plan.Store(uint64(MakePlan(keyOf(1, 1, 0), 2)))
			d.expect.Store(uint64(MakeWord1(20, 1)))
			d.target.Store(uint64(MakeTarget(1)))
			p.put(0, 1, OperatingWord(keyOf(1, 1, 0), p.refs.Make(1, 1)), MakeWord1(20, 1))
		},
		"not at rest": func(p planted) { p.put(0, 1, p.word0(0, 1), MakeWord1(20, 1).Freeze()) },
		"not its member": func(p planted) {
			p.put(0, 1, BaseWord(keyOf(1, 1, 0), 0), MakeWord1(20, 1))
		},
		"the last one": func(p planted) { p.put(0, 2, BaseWord(keyOf(2, 2, 0), 0), MakeWord1(21, 1)) },
		"empty by now": func(p planted) { p.put(0, 2, EmptyWord(4), EmptyWord1(4)) },
	} {
		t.Run(name, func(t *testing.T) {
			p, h := newFull(t, Options{Patience: 1000})
			key := keyOf(0, 0, 1)
			p.put(0, 0, BaseWord(key, 0), MakeWord1(10, 1))
			p.put(0, 1, BaseWord(keyOf(1, 1, 0), 2), MakeWord1(20, 1))
			p.put(0, 2, MemberWord(keyOf(1, 1, 2), 1, 1), MakeWord1(21, 1))
			delay(p)
			a := adding{pair: MakePair(key, 50), half: 0, room: 2, scan: true, tried: [2]bool{false, true},
				views: [2]view{{p.word0(0, 0), MakeWord1(10, 1)}, {p.word0(1, 0), MakeWord1(30, 1)}}}
			before := p.word0(0, 2)
			if r, err := h.add(&a); r != Exists || err != nil {
				t.Errorf("add: %v, %v", r, err)
			}
			if w := p.word0(0, 2); w != before || len(h.Left()) != 0 {
				t.Errorf("the cell that was looked at is %v, left %v", w, h.Left())
			}
		})
	}
}

// TestAdd_EvictsTheOldestOfNeighbours: ages that differ by one, in either order.
func TestAdd_EvictsTheOldestOfNeighbours(t *testing.T) {
	for _, values := range [][2]Value{{10, 11}, {11, 10}} {
		p, h := newFull(t, Options{Older: func(a, b uint32) bool {
			for _, v := range []uint32{a, b} {
				if v != uint32(values[0]) && v != uint32(values[1]) {
					t.Errorf("the age of %d is asked for, which no member of the bucket has", v)
				}
			}
			return a < b
		}})
		for half := range uint32(2) {
			for i, v := range values {
				at := uint32(1 + i)
				p.put(half, at, p.word0(half, at), MakeWord1(v, 1))
			}
		}
		r, err := h.Add(uint32(keyOf(0, 0, 0)), 50)
		if r != Added || err != nil || len(h.Left()) != 1 || h.Left()[0].Value != 10 {
			t.Errorf("%v: %v, %v, left %v", values, r, err, h.Left())
		}
	}
}

// TestAdd_LooksAgainWhenAMemberHasLeft: while an add compares the ages of the members, another actor
// takes one of them out, or puts another element into its cell. There is room now, or the ages are
// to be compared anew.
func TestAdd_LooksAgainWhenAMemberHasLeft(t *testing.T) {
	// Both halves are tried anew, half 0 before half 1: so it is in half 1 that nothing can be done at last.
	fromHalf1 := Leaving{uint32(keyOf(0, 0, 6)), 9, ReasonEvicted}
	own := func(p planted, m Map) { p.put(0, 0, BaseWord(keyOf(0, 0, 1), m), MakeWord1(10, 2)) }
	for name, c := range map[string]struct {
		meanwhile func(p planted)
		left      []Leaving
	}{
		"it has left": {func(p planted) {
			own(p, 1<<1|1<<2)
			p.put(0, 3, EmptyWord(9), EmptyWord1(9))
		}, nil},
		"its cell has a generation with the bits of its distance": {func(p planted) {
			own(p, 1<<1|1<<2)
			p.put(0, 3, EmptyWord(3<<24), EmptyWord1(3<<24))
		}, nil},
		"another bucket has the cell": {func(p planted) {
			own(p, 1<<1|1<<2)
			p.put(0, 3, MemberWord(keyOf(2, 2, 8), 1, 9), MakeWord1(3, 9))
			p.put(0, 2, BaseWord(keyOf(2, 2, 7), 1<<1), MakeWord1(4, 9))
			p.put(0, 0, BaseWord(keyOf(0, 0, 1), 1<<1), MakeWord1(10, 3))
		}, []Leaving{fromHalf1}},
		"it is a base": {func(p planted) {
			own(p, 1<<1|1<<2)
			p.put(0, 3, BaseWord(keyOf(3, 3, 7), 0), MakeWord1(1, 9))
		}, []Leaving{fromHalf1}},
	} {
		t.Run(name, func(t *testing.T) {
			var p planted
			asked := 0
			table, h := newTableWith(t, Layout{CellsPerHalf: 4, Window: 4, Descriptors: 2,
				Homes: HomesApart}, Options{Patience: 1000, Tie: func() uint32 { return 1 },
				Older: func(a, b uint32) bool {
					if asked++; asked == 1 {
						c.meanwhile(p)
					}
					return a < b
				}})
			p = planted{table, t}
			for half := range uint32(2) { // half 1 is tried first, so the one that evicts is half 0
				nth := int(4 * half)
				p.put(half, 0, BaseWord(keyOf(0, 0, 1+nth), 1<<1|1<<2|1<<3), MakeWord1(10, 1))
				p.put(half, 1, MemberWord(keyOf(0, 0, 2+nth), 1, 1), MakeWord1(9, 1))
				p.put(half, 2, MemberWord(keyOf(0, 0, 3+nth), 2, 1), MakeWord1(11, 1))
				p.put(half, 3, MemberWord(keyOf(0, 0, 4+nth), 3, 1), MakeWord1(12, 1))
			}
			clean(t, table)
			r, err := h.Add(uint32(keyOf(0, 0, 0)), 50)
			if r != Added || err != nil || !slices.Equal(h.Left(), c.left) || asked == 0 {
				t.Errorf("%v, %v, left %v, want %v; asked %d times", r, err, h.Left(), c.left, asked)
			}
			clean(t, table)
		})
	}
}

// TestAdd_EndsWithTheErrorOfWhomItHelps: a descriptor that nobody can finish ends the add.
func TestAdd_EndsWithTheErrorOfWhomItHelps(t *testing.T) {
	p, h := newFull(t, Options{Patience: 1000})
	for half := range uint32(2) {
		p.put(half, 0, OperatingWord(keyOf(0, 0, 1), p.refs.Make(1, 1)), MakeWord1(10, 1))
	}
	d := &p.descriptors[1]
	d.head.Store(uint64(MakeHead(1, KindAdd, 0, 0)))
	d.pair.Store(uint64(MakePair(keyOf(0, 0, 0), 77)))
	d.plan.Store(uint64(MakePlan(keyOf(0, 0, 1), 0)))
	d.expect.Store(1 << 30) // a spare bit
	d.target.Store(uint64(MakeTarget(1)))
	if r, err := h.Add(uint32(keyOf(0, 0, 0)), 50); r != 0 || !errors.Is(err, ErrCorrupt) {
		t.Errorf("add: %v, %v", r, err)
	}
	for half := range uint32(2) {
		if w := p.word0(half, 0); w != OperatingWord(keyOf(0, 0, 1), p.refs.Make(1, 1)) {
			t.Errorf("the base in half %d is %v now", half, w)
		}
	}
}

// TestChoose_ForgetsWhereRoomWasMade: who has searched again and finds a half of use begins to make room, if
// it comes to that once more, at the beginning.
func TestChoose_ForgetsWhereRoomWasMade(t *testing.T) {
	p := newPlanted(t)
	k := p.key(0, 2, 7)
	h0, h1 := p.homes(k)
	for half := range uint32(2) {
		a := adding{pair: MakePair(k, 9), homes: [2]uint32{h0, h1}, half: half, room: 3}
		for i, home := range a.homes {
			a.views[i] = p.halves[i].cell(home).look()
		}
		if s := p.choose(&a); s != stepInstall || a.half != half || a.room != 0 {
			t.Errorf("half %d: step %d of half %d, room %d", half, s, a.half, a.room)
		}
	}
}
