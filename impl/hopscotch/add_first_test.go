package hopscotch

import (
	"errors"
	"testing"
)

// The whole version of an empty home counts, not only the part that a member keeps, also where it is
// about to come round. A member in the other bucket lets the add go the long way.
func TestAdd_ToAnEmptyHomeOfAnyVersion(t *testing.T) {
	for _, members := range []Map{0, Map(0).With(1)} {
		eachHalf(t, func(t *testing.T, half uint32) {
			for _, g := range []Version{0, 1, memberVersionMask, memberVersionMask + 1, versionMask} {
				addToEmpty(t, half, members, g)
			}
		})
	}
}

// addToEmpty adds a key whose home in that half is empty in that version, and in the other half a base.
func addToEmpty(t *testing.T, half uint32, members Map, g Version) {
	t.Helper()
	table, h := newTableWith(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3}, Options{})
	p := planted{table, t}
	k := p.key(half, 5, 0)
	_, other := table.homes(k)
	if half == 1 {
		other, _ = table.homes(k)
	}
	p.put(half, 5, EmptyWord(g), EmptyWord1(g))
	p.put(1-half, other, BaseWord(k+1, members), MakeWord1(7, 1)) // so this half is chosen
	for offset := range uint32(WindowMax) {
		if members.Has(offset) {
			at := table.halves[1-half].index(other, offset)
			p.put(1-half, at, MemberWord(k+2, offset, 1), MakeWord1(8, 1))
		}
	}
	if r, err := h.Add(uint32(k), 70); r != Added || err != nil {
		t.Fatalf("version %d, members %v: %v, %v", g, members, r, err)
	}
	c := table.halves[half].cell(5)
	if w := c.look(); w.word0 != BaseWord(k, 0) || w.word1 != MakeWord1(70, g.Next()) {
		t.Errorf("version %d, members %v: the home cell is %v, %v", g, members, w.word0, w.word1)
	}
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

// TestAdd_SeesWhatBecomesOfTheOtherHome: after both homes were seen empty somebody writes the one that is
// not chosen.
func TestAdd_SeesWhatBecomesOfTheOtherHome(t *testing.T) {
	const seen = Version(3)
	for name, c := range map[string]struct {
		word   func(k Key) Word0
		result Result
		err    error
	}{
		"another base":         {func(k Key) Word0 { return BaseWord(k+1, 0) }, Added, nil},
		"its key":              {func(k Key) Word0 { return BaseWord(k, 0) }, Exists, nil},
		"empty again":          {func(Key) Word0 { return EmptyWord(seen + 1) }, Added, nil},
		"no word, one more":    {func(Key) Word0 { return EmptyWord(seen) + 1 }, 0, ErrCorrupt},
		"no word, one less":    {func(Key) Word0 { return EmptyWord(seen) - 1 }, 0, ErrCorrupt},
		"claimed":              {func(Key) Word0 { return ClaimedWord(0x1234) }, 0, ErrBusy},
		"its key in operation": {func(k Key) Word0 { return OperatingWord(k, Ref(seen)) }, 0, ErrBusy},
	} {
		eachHalf(t, func(t *testing.T, half uint32) {
			layout := Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3}
			table, h := newTableWith(t, layout, Options{Patience: 4})
			p := planted{table, t}
			k := p.key(half, 5, 0)
			homes := [2]uint32{}
			homes[0], homes[1] = table.homes(k)
			other := homes[1-half]
			p.put(half, 5, EmptyWord(7), EmptyWord1(7))
			p.put(1-half, other, EmptyWord(seen), EmptyWord1(seen))
			table.tie = func() uint32 {
				p.put(1-half, other, c.word(k), MakeWord1(9, 8))
				return half
			}
			if r, err := h.Add(uint32(k), 70); r != c.result || !errors.Is(err, c.err) {
				t.Errorf("%s: %v, %v; want %v, %v", name, r, err, c.result, c.err)
			}
			want := map[Result]view{Added: {BaseWord(k, 0), MakeWord1(70, 8)},
				Exists: {EmptyWord(8), EmptyWord1(8)}}
			if w := table.halves[half].cell(5).look(); c.result != 0 && w != want[c.result] {
				t.Errorf("%s: the home cell is %v, %v", name, w.word0, w.word1)
			}
		})
	}
}

// TestAdd_BeginsAgainWhenItsOperationIsAborted: by somebody else, right after it was installed.
func TestAdd_BeginsAgainWhenItsOperationIsAborted(t *testing.T) {
	eachHalf(t, func(t *testing.T, half uint32) {
		layout := Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3}
		table, h := newTableWith(t, layout, Options{Tie: func() uint32 { return half }})
		p := planted{table, t}
		k := p.key(half, 5, 0)
		p.put(half, 5, EmptyWord(7), EmptyWord1(7))
		w := work{kind: KindNew, half: half, home: 5, base: view{word0: EmptyWord(7)}}
		if !h.install(&w, MakePair(k, 70)) {
			t.Fatal("not installed")
		}
		aborted := h.op.target.Decide(StatusAborted)
		if !h.op.helpAbort(aborted) {
			t.Fatal("not aborted")
		}
		h.op = operation{}
		first, apart := table.spots(uint32(k))
		at := first ^ apart&-spot(half)
		r, err := h.addNewOn(MakePair(k, 70), at, apart, EmptyWord(7), aborted, view{})
		if r != Added || err != nil {
			t.Errorf("%v, %v", r, err)
		}
		if w := table.halves[half].cell(5).look(); w.word0 != BaseWord(k, 0) || w.word1 != MakeWord1(70, 9) {
			t.Errorf("the home cell is %v, %v", w.word0, w.word1)
		}
		clean(t, table)
	})
}

// Without an option that breaks ties a coin does: of 64 elements whose homes were both empty some stand in
// either half. All in one is a chance of 2 to the power of -63.
func TestAdd_TossesForTheHalf(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 1 << 12, Window: 4, Descriptors: 2})
	var in [2]int
	for k := Key(1); in[0]+in[1] < 64; k++ {
		h0, h1 := table.homes(k)
		c0, c1 := table.halves[0].cell(h0), table.halves[1].cell(h1)
		if !c0.look().word0.empty() || !c1.look().word0.empty() {
			continue
		}
		if r, err := h.Add(uint32(k), 7); r != Added || err != nil {
			t.Fatalf("key %v: %v, %v", k, r, err)
		}
		switch {
		case c0.look().matches(k):
			in[0]++
		case c1.look().matches(k):
			in[1]++
		default:
			t.Fatalf("key %v stands in neither home", k)
		}
	}
	if in[0] == 0 || in[1] == 0 {
		t.Errorf("%v elements in the halves", in)
	}
}

// TestAdd_FillsALongRing: adds that find both homes taken ask for the lines of their windows ahead, and what
// they do does not depend on that. Both ways to choose homes; every element is there at the end.
func TestAdd_FillsALongRing(t *testing.T) {
	for _, homes := range []Placement{HomesNear, HomesApart} {
		l := Layout{CellsPerHalf: longRing, Window: WindowMax, Descriptors: 2, Homes: homes}
		table, h := newTable(t, l)
		const n = 2 * longRing * 85 / 100
		for k := uint32(1); k <= n; k++ {
			if r, err := h.Add(k, k+7); r != Added || err != nil || len(h.Left()) != 0 {
				t.Fatalf("homes %v: add of key %d: %v, %v, left %v", homes, k, r, err, h.Left())
			}
		}
		for k := uint32(1); k <= n; k++ {
			if v, ok := table.Get(k); v != k+7 || !ok {
				t.Errorf("homes %v: key %d: %d, %v", homes, k, v, ok)
			}
		}
		clean(t, table)
	}
}

// TestAdd_ComparesTheWholeOtherHome: between its look at it and the decision the key has come there, also
// into a home that has the form that it had.
func TestAdd_ComparesTheWholeOtherHome(t *testing.T) {
	for name, words := range map[string]func(k Key) (seen, now Word0){
		"the key as base":   func(k Key) (seen, now Word0) { return BaseWord(k+1, 0), BaseWord(k, 0) },
		"the key as member": func(k Key) (seen, now Word0) { return BaseWord(k+1, 0), BaseWord(k+1, 2) },
		"a base was empty":  func(k Key) (seen, now Word0) { return EmptyWord(3), BaseWord(k, 0) },
		"a member was there": func(k Key) (seen, now Word0) {
			return MemberWord(k+1, 1, 1), BaseWord(k, 0)
		},
	} {
		eachHalf(t, func(t *testing.T, half uint32) {
			table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3})
			p := planted{table, t}
			k := p.key(half, 5, 0)
			first, apart := table.spots(uint32(k))
			at := first ^ apart&-spot(half)
			other := at ^ apart
			seen, now := words(k)
			p.put(half, 5, EmptyWord(7), EmptyWord1(7))
			p.put(1-half, other.index(), now, MakeWord1(9, 8))
			if members := now.members(); members != 0 {
				p.put(1-half, table.halves[1-half].index(other.index(), members.First()),
					MemberWord(k, members.First(), 1), MakeWord1(9, 1))
			}
			if r, err := h.addNew(MakePair(k, 70), at, apart, EmptyWord(7), seen); r != Exists || err != nil {
				t.Errorf("%s: %v, %v; want exists", name, r, err)
			}
			if w := table.halves[half].cell(5).look(); w != (view{EmptyWord(8), EmptyWord1(8)}) {
				t.Errorf("%s: the home cell is %v, %v", name, w.word0, w.word1)
			}
		})
	}
}
