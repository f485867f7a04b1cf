package hopscotch

import (
	"slices"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// kinds lets the operation at 0.2 be one of that kind, on a home of that half and cell.
func (p planted) kinds(k Kind, half, home uint32) {
	p.descriptors[1].head.Store(uint64(MakeHead(1, k, half, home)))
}

// claims makes 0.5 a cell that an operation of that kind, at home there, has claimed.
func (p planted) claims(k Kind) {
	p.kinds(k, 0, 5)
	p.descriptors[1].pair.Store(uint64(MakePair(p.key(0, 5, 0), 50)))
	p.descriptors[1].expect.Store(uint64(EmptyWord1(3)))
	p.descriptors[1].target.Store(uint64(MakeTarget(1)))
	p.put(0, 5, ClaimedWord(p.refs.Make(1, 1)), EmptyWord1(3))
}

// lift lets the member 0.3 take its base, which is lost; flipped when its key has come there.
func (p planted) lift(flipped bool) {
	p.move()
	k, r := p.key(0, 2, 1), p.refs.Make(1, 1)
	p.kinds(KindLift, 0, 2)
	p.descriptors[1].plan.Store(uint64(MakePlan(KeyLost, Map(0).With(1))))
	p.descriptors[1].target.Store(uint64(MakeTarget(1).Decide(StatusCommitted)))
	base := KeyLost
	if flipped {
		base = k
	}
	p.put(0, 2, OperatingWord(base, r), MakeWord1(20, 5).Freeze())
}

// moves is move in half 1: of the member 1.0, around the end, undecided.
func (p planted) moves() {
	d, r := &p.descriptors[1], p.refs.Make(1, 1)
	d.head.Store(uint64(MakeHead(1, KindMove, 1, 7)))
	d.pair.Store(uint64(MakePair(p.key(1, 7, 1), 71)))
	d.plan.Store(uint64(MakePlan(p.key(1, 7, 0), Map(0).With(1))))
	d.expect.Store(uint64(MakeWord1(70, 3)))
	d.source.Store(uint64(MakeSource(1, 1, 1)))
	d.target.Store(uint64(MakeTarget(1)))
	p.put(1, 7, OperatingWord(p.key(1, 7, 0), r), MakeWord1(70, 3).Freeze())
	p.put(1, 0, EngagedWord(p.key(1, 7, 1), r), MakeWord1(71, 1).Freeze())
}

// adds lets an add at 0.2 have its member in the hole 0.4, with that key, of a base that had the other one
// before.
func (p planted) adds(k, before Key) {
	p.operate(1)
	p.descriptors[1].plan.Store(uint64(MakePlan(before, Map(0).With(1))))
	p.descriptors[1].target.Store(uint64(MakeTarget(1).Decide(StatusCommitted).Propose(2, 0)))
	p.put(0, 4, MemberWord(k, 2, 1), MakeWord1(22, 1))
}

// elsewhere is a key of that home in half 0 whose home in half 1 is another one than not.
func (p planted) elsewhere(home, not uint32) Key {
	for nth := 0; ; nth++ {
		k := p.key(0, home, nth)
		if _, h1 := p.homes(k); h1 != not {
			return k
		}
	}
}

// subtle are damages that differ from sound memory in one field of one word, and sound memory that looks
// like damage.
var subtle = []damage{
	{"frozen member", false, func(p planted) {
		p.put(0, 3, p.word0(0, 3), MakeWord1(21, 1).Freeze())
	}, []string{"I4FrozenIsHeld 0.3"}},
	{"frozen empty cell", false, func(p planted) {
		p.put(1, 4, EmptyWord(3), EmptyWord1(3).Freeze())
	}, []string{"I2EmptyWord 1.4", "I4FrozenIsHeld 1.4"}},
	{"claimed home", true, func(p planted) { p.claims(KindNew) }, nil},
	{"claimed home left over", false, func(p planted) { p.claims(KindNew) }, []string{"I10NothingLeft 0.5"}},
	{"frozen claimed home", true, func(p planted) {
		p.claims(KindNew)
		p.put(0, 5, p.word0(0, 5), EmptyWord1(3).Freeze())
	}, []string{"I4FrozenIsHeld 0.5"}},
	{"claimed home of an add that has a base", true, func(p planted) { p.claims(KindAdd) },
		[]string{"I3RefsLive 0.5"}},
	{"spare bit of a base", false, func(p planted) {
		p.put(0, 2, p.word0(0, 2), MakeWord1(20, 5)|1<<30)
	}, []string{"Decode 0.2"}},
	{"spare bit of a base in operation", true, func(p planted) {
		p.operate(2)
		p.put(0, 2, p.word0(0, 2), MakeWord1(20, 5).Freeze()|1<<29)
	}, []string{"Decode 0.2"}},
	{"reference to an earlier generation", true, func(p planted) {
		p.operate(2)
		p.put(0, 2, OperatingWord(p.key(0, 2, 0), p.refs.Make(1, 0)), MakeWord1(20, 5))
	}, []string{"I3RefsLive 0.2"}},
	{"reference to a generation much later", true, func(p planted) {
		p.operate(2)
		p.put(0, 2, OperatingWord(p.key(0, 2, 0), p.refs.Make(1, 1+1<<16)), MakeWord1(20, 5))
	}, []string{"I3RefsLive 0.2"}},
	{"operation of the other half", true, func(p planted) {
		p.operate(2)
		p.kinds(KindAdd, 1, 2)
	}, []string{"I3RefsLive 0.2"}},
	{"operation of the other half, with a member beyond the window", true, func(p planted) {
		p.operate(2)
		p.kinds(KindAdd, 1, 2)
		p.descriptors[1].plan.Store(uint64(MakePlan(p.key(0, 2, 0), Map(0).With(1).With(4))))
	}, []string{"I3RefsLive 0.2"}},
	{"move in flight in half 1", true, func(p planted) { p.moves() }, nil},
	{"engaged member of an operation of the other half", true, func(p planted) {
		p.move()
		p.kinds(KindMove, 1, 5)
	}, []string{"I3RefsLive 0.2", "I3RefsLive 0.3"}},
	{"engaged member of an operation beyond the cells", true, func(p planted) {
		p.move()
		p.kinds(KindMove, 0, 8+2)
	}, []string{"Decode descriptor 1", "I3RefsLive 0.2", "I3RefsLive 0.3"}},
	{"spare bit of the source of an engaged member", true, func(p planted) {
		p.move()
		p.descriptors[1].source.Store(uint64(MakeSource(1, 1, 1)) | 1<<63)
	}, []string{"Decode descriptor 1", "I3RefsLive 0.3"}},
	{"plan with a member beyond the window", true, func(p planted) {
		p.operate(2)
		p.descriptors[1].plan.Store(uint64(MakePlan(p.key(0, 2, 0), Map(0).With(1).With(4))))
	}, []string{"Decode descriptor 1"}},
	{"base without a value", false, func(p planted) {
		p.put(0, 2, p.word0(0, 2), MakeWord1(0, 5))
	}, []string{"I9MemoryIsMap 0.2"}},
	{"key whose home in the other half has the same index", false, func(p planted) {
		k, h0 := Key(0), uint32(5)
		for nth := 0; h0 == 5; nth++ {
			k = p.key(1, 5, nth)
			h0, _ = p.homes(k)
		}
		p.put(0, 5, BaseWord(k, 0), MakeWord1(1, 1))
	}, []string{"I7InItsBucket 0.5"}},
	{"key whose home is the other row of the line", false, func(p planted) {
		p.put(0, 5, BaseWord(p.elsewhere(4, 5), 0), MakeWord1(1, 1))
	}, []string{"I7InItsBucket 0.5"}},
	{"base that names the member of another one", false, func(p planted) {
		p.put(0, 1, BaseWord(p.key(0, 1, 0), Map(0).With(3)), MakeWord1(1, 1))
		p.put(0, 4, MemberWord(p.key(0, 1, 1), 3, 1), MakeWord1(1, 1))
		p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1).With(2)), MakeWord1(20, 5))
	}, []string{"I6MapsExact 0.4"}},
	{"base that names a claimed cell", true, func(p planted) {
		p.claims(KindNew)
		p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1).With(3)), MakeWord1(20, 5))
	}, []string{"I6MapsExact 0.5"}},
	{"base that names a member beyond the window", false, func(p planted) {
		p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1).With(4)), MakeWord1(20, 5))
		p.put(0, 6, MemberWord(p.key(0, 2, 2), 4, 1), MakeWord1(1, 1))
	}, []string{"Decode 0.2", "Decode 0.6", "I5MembersOwned 0.6"}},
	{"engaged member whose base another operation has", true, func(p planted) {
		p.move()
		from, to := &p.descriptors[1], &p.descriptors[2]
		to.head.Store(from.head.Load())
		to.pair.Store(from.pair.Load())
		to.plan.Store(from.plan.Load())
		to.expect.Store(from.expect.Load())
		to.target.Store(from.target.Load())
		to.source.Store(from.source.Load())
		p.put(0, 2, OperatingWord(p.key(0, 2, 0), p.refs.Make(2, 1)), MakeWord1(20, 5).Freeze())
	}, []string{"I5MembersOwned 0.3"}},
	{"lift in flight", true, func(p planted) { p.lift(false) }, nil},
	{"lift, flipped: the key is in both cells and counts once", true, func(p planted) { p.lift(true) }, nil},
	{"member with the key of a lift that has flipped", true, func(p planted) {
		p.lift(true)
		p.descriptors[1].plan.Store(uint64(MakePlan(KeyLost, Map(0).With(1).With(3))))
		p.put(0, 5, MemberWord(p.key(0, 2, 1), 3, 1), MakeWord1(22, 1))
	}, []string{"I8KeysUnique 0.5"}},
	{"member with the key of a lift that has not flipped", true, func(p planted) {
		p.lift(false)
		p.descriptors[1].plan.Store(uint64(MakePlan(KeyLost, Map(0).With(1).With(3))))
		p.put(0, 5, MemberWord(p.key(0, 2, 1), 3, 1), MakeWord1(22, 1))
	}, []string{"I8KeysUnique 0.5"}},
	{"claimed home, and the plan of an operation before", true, func(p planted) {
		p.claims(KindNew)
		p.descriptors[1].plan.Store(uint64(MakePlan(p.key(0, 2, 0), Map(0).With(1))))
	}, nil},
	{"key in base and engaged member, before the thaw", true, func(p planted) {
		p.move()
		p.copied()
		p.put(0, 3, EngagedWord(p.key(0, 2, 0), p.refs.Make(1, 1)), MakeWord1(21, 1).Freeze())
	}, []string{"I8KeysUnique 0.3"}},
	{"hole of an add whose base has its key by now", true, func(p planted) {
		p.adds(p.key(0, 2, 1), KeyLost)
	}, []string{"I8KeysUnique 0.4"}},
	{"hole of an add whose base has its key not yet", true, func(p planted) {
		p.adds(p.key(0, 2, 1), p.key(0, 2, 0))
	}, nil},
	{"copy of a move that is undecided", true, func(p planted) {
		p.move()
		p.thawed()
		p.put(0, 4, MemberWord(p.key(0, 2, 0), 2, 1), MakeWord1(21, 1))
		p.descriptors[1].target.Store(uint64(MakeTarget(1).Propose(2, 0)))
	}, nil},
	{"member beside the one that has moved", true, func(p planted) {
		p.move()
		p.copied()
		p.thawed()
		p.descriptors[1].plan.Store(uint64(MakePlan(p.key(0, 2, 0), Map(0).With(1).With(3))))
		p.put(0, 5, MemberWord(p.key(0, 2, 0), 3, 1), MakeWord1(22, 1))
	}, []string{"I8KeysUnique 0.5"}},
	{"source at the end of the window", false, func(p planted) {
		p.descriptors[0].source.Store(uint64(MakeSource(4, 1, 1)))
	}, []string{"Decode descriptor 0"}},
	{"owner without a number", false, func(p planted) {
		p.descriptors[0].owner.Store(uint64(MakeOwner(0, region.MakeProcess(3, 1))))
	}, []string{"Decode descriptor 0"}},
	{"high bit of a spare word, of the last descriptor", false, func(p planted) {
		p.descriptors[2].spare.Store(1 << 63)
	}, []string{"Decode descriptor 2"}},
}

// TestCheck_DuplicatesInOrder: of keys that are there twice the smallest is told first, whatever the cells.
func TestCheck_DuplicatesInOrder(t *testing.T) {
	p := newPlanted(t)
	var keys []Key
	for home := uint32(4); home < 7; home++ {
		nth := 0
		for k := p.key(0, home, nth); len(keys) == int(home-4); k = p.key(0, home, nth) {
			if _, h1 := p.homes(k); h1 == home {
				keys = append(keys, k)
				p.put(0, home, BaseWord(k, 0), MakeWord1(1, 1))
				p.put(1, home, BaseWord(k, 0), MakeWord1(1, 1))
			}
			nth++
		}
	}
	slices.Sort(keys)
	var got []Key
	for _, f := range Check(p.Table, CheckOptions{}) {
		if f.Invariant == I8KeysUnique {
			got = append(got, Word0(f.Raw).Key())
		}
	}
	if !slices.Equal(got, keys) {
		t.Errorf("told are %v, want %v", got, keys)
	}
}

// TestCheck_SeesTheCellsThatAreNoHomes: the rows of a long ring that make no whole pair of lines are cells
// of the region like others, and stay empty.
func TestCheck_SeesTheCellsThatAreNoHomes(t *testing.T) {
	table, _ := newTable(t, Layout{CellsPerHalf: longRing + pairRows - 1, Window: WindowMax,
		Descriptors: 1})
	if found := Check(table, CheckOptions{}); len(found) != 0 {
		t.Fatal(found.Err())
	}
	for row := uint32(longRing); row < longRing+pairRows-1; row++ {
		for half := range uint32(2) {
			c := table.halves[half].cell(row)
			c.word1.Store(9)
			found := Check(table, CheckOptions{})
			if len(found) != 1 || found[0].Half != int(half) || found[0].Cell != int64(row) {
				t.Errorf("a value in the empty cell %d.%d: %v", half, row, found)
			}
			c.word1.Store(0)
		}
	}
}

// TestMeasure_CountsTheCellsThatAreNoHomes: these rows are among the empty cells, and what is planted there
// is counted and shown.
func TestMeasure_CountsTheCellsThatAreNoHomes(t *testing.T) {
	const rows = longRing + pairRows - 1
	table, _ := newTable(t, Layout{CellsPerHalf: rows, Window: WindowMax, Descriptors: 1})
	if n := Measure(table); n.Empty != 2*rows {
		t.Errorf("%d cells are empty, want %d", n.Empty, 2*rows)
	}
	for half := range uint32(2) {
		table.halves[half].cell(rows - 1).word0.Store(uint64(BaseWord(7, 0)))
		if n := Measure(table); n.Empty != 2*rows-1-int(half) || n.Bases != 1+int(half) {
			t.Errorf("a base in cell %d.%d: %+v", half, rows-1, n)
		}
		cells := Snapshot(table, DumpOptions{}).Cells
		last := cells[len(cells)-1]
		if len(cells) != 1+int(half) || last.Half != half || last.Cell != rows-1 {
			t.Errorf("a base in cell %d.%d: %+v is shown", half, rows-1, cells)
		}
	}
}

// TestMeasure_CountsByForm: each form, lost or not; what has no form is nobody's, whatever its key.
func TestMeasure_CountsByForm(t *testing.T) {
	for _, c := range []struct {
		name string
		word Word0
		z    bool
		want Count
	}{
		{"empty", EmptyWord(3), false, Count{Empty: 1}},
		{"empty and frozen", EmptyWord(3), true, Count{Empty: 1, Frozen: 1}},
		{"claimed", ClaimedWord(3), false, Count{Held: 1}},
		{"base", BaseWord(7, 0), false, Count{Elements: 1, Bases: 1, Longest: 1}},
		{"base with members", BaseWord(7, Map(0).With(1).With(31)), false,
			Count{Elements: 1, Bases: 1, Longest: 3}},
		{"lost base", BaseWord(KeyLost, 0), false, Count{Bases: 1, Lost: 1, Longest: 1}},
		{"base in operation", OperatingWord(7, 3), true, Count{Elements: 1, Bases: 1, Held: 1, Frozen: 1}},
		{"lost base in operation", OperatingWord(KeyLost, 3), false, Count{Bases: 1, Lost: 1, Held: 1}},
		{"member", MemberWord(7, 31, 3), false, Count{Elements: 1, Members: 1}},
		{"lost member", MemberWord(KeyLost, 31, 3), false, Count{Members: 1, Lost: 1}},
		{"engaged member", EngagedWord(7, 3), true, Count{Elements: 1, Members: 1, Held: 1, Frozen: 1}},
		{"lost engaged member", EngagedWord(KeyLost, 3), false, Count{Members: 1, Lost: 1, Held: 1}},
		{"no form", Word0(KeyLost)<<keyShift | 1<<30, false, Count{Invalid: 1}},
	} {
		v := MakeWord1(9, 1)
		if c.z {
			v = v.Freeze()
		}
		var got Count
		if got.add(c.word, v); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	longest := Count{}
	for _, members := range []Map{Map(0).With(1).With(2), 0, Map(0).With(3)} {
		longest.add(BaseWord(7, members), MakeWord1(9, 1))
	}
	if longest.Longest != 3 || longest.Elements != 3 {
		t.Errorf("%+v, want the longest of 3 cells", longest)
	}
}

// TestSnapshot_TellsWhatIsWhose: load is of all cells, also where not all can be homes; a descriptor is shown
// if somebody has it, or if any cell refers to it; the base of a member is that of its own half's windows.
func TestSnapshot_TellsWhatIsWhose(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 5, Window: 4, Descriptors: 3})
	if _, err := h.Add(1, 1); err != nil {
		t.Fatal(err)
	}
	if n := Measure(table); n.Load != 0.1 {
		t.Errorf("one element in ten cells is a load of %v", n.Load)
	}
	p := newPlanted(t)
	p.claims(KindNew)
	p.descriptors[1].owner.Store(0)
	p.descriptors[2].owner.Store(uint64(MakeOwner(5, 0)))
	shown := Snapshot(p.Table, DumpOptions{}).Descriptors
	if len(shown) != 3 || !shown[1].Installed || shown[1].Owner != 0 || shown[1].Plan != "" ||
		shown[2].Installed || shown[2].Owner != 5 {
		t.Errorf("%+v", shown)
	}
	long, _ := newTable(t, Layout{CellsPerHalf: longRing, Window: WindowMax, Descriptors: 1})
	for half := range uint32(2) {
		const home, offset = 100, 9
		at := long.halves[half].index(home, offset)
		long.halves[half].cell(at).word0.Store(uint64(MemberWord(7, offset, 1)))
		c := Snapshot(long, DumpOptions{}).Cells
		if last := c[len(c)-1]; last.Half != half || last.Cell != at || *last.Base != home {
			t.Errorf("half %d: %+v, want the base %d", half, last, home)
		}
	}
	for _, c := range []struct {
		cells, cell uint32
		want        string
	}{{8, 3, "+1,4"}, {8, 4, "+1,4 wraps"}, {8, 6, "+1,4 wraps"}, {8, 7, "+1,4 wraps"},
		{longRing - 1, longRing - 2, "+1,4 wraps"}, {longRing, longRing - 1, "+1,4"}} {
		cell := CellPicture{Form: FormBase.String(), Cell: c.cell, Members: []uint32{1, 4}}
		if got := cell.bucket(Picture{CellsPerHalf: c.cells}); got != c.want {
			t.Errorf("of the base %d of %d: %s, want %s", c.cell, c.cells, got, c.want)
		}
	}
	far := uint32(longRing - 1)
	member := CellPicture{Form: FormMember.String(), Cell: 3, Distance: 2, Base: &far}
	for cells, want := range map[uint32]string{
		longRing - 1: "-2, base 0.1023 wraps",
		longRing:     "-2, base 0.1023",
	} {
		if got := member.bucket(Picture{CellsPerHalf: cells}); got != want {
			t.Errorf("of a member in a ring of %d: %s, want %s", cells, got, want)
		}
	}
}
