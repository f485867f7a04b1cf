package hopscotch

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"
)

// An update to the value that is there already moves the version and nothing else. A get that falls
// between its two looks must begin again, not take the cell for a damaged one.
func TestGet_BesideUpdatesToTheSameValue(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 2})
	if r, err := h.Add(7, 70); r != Added || err != nil {
		t.Fatal(r, err)
	}
	ended := make(chan error, 1)
	go func() {
		for range 5_000_000 {
			if _, _, err := h.Update(7, 70); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	for n := 0; ; n++ {
		if v, ok := table.Get(7); !ok || v != 70 {
			t.Fatalf("get %d: %d, %v", n, v, ok)
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
	}
}

// A frozen value belongs to an operation, and an idle base has none: the table is damaged, and reads as
// one without the key.
func TestGet_TakesNoFrozenValueOfAnIdleBase(t *testing.T) {
	table, _ := newTableWith(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 2},
		Options{Patience: 100})
	p := planted{table, t}
	k := p.key(0, 5, 0)
	for name, v := range map[string]Word1{"frozen": MakeWord1(20, 1).Freeze(),
		"spare bit": MakeWord1(20, 1) | word1Spare&-word1Spare} {
		p.put(0, 5, BaseWord(k, 0), v)
		if v, ok := table.Get(uint32(k)); ok {
			t.Errorf("%s: get found %v", name, v)
		}
	}
	p.put(0, 5, BaseWord(k, 0), MakeWord1(20, 1))
	if v, ok := table.Get(uint32(k)); !ok || v != 20 {
		t.Errorf("sound: %d, %v", v, ok)
	}
}

// Nor has an idle member one: no update replaces it.
func TestUpdate_ReplacesNoFrozenValueOfAnIdleMember(t *testing.T) {
	table, h := newTableWith(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 2},
		Options{Patience: 100})
	p := planted{table, t}
	k := p.key(0, 5, 1)
	p.put(0, 5, BaseWord(p.key(0, 5, 0), Map(0).With(1)), MakeWord1(10, 1))
	for _, value := range []Word1{MakeWord1(20, 1).Freeze(), MakeWord1(20, 1)} {
		p.put(0, 6, MemberWord(k, 1, 1), value)
		old, ok, err := h.Update(uint32(k), 21)
		after := Word1(table.halves[0].cell(6).word1.Load())
		if value.Frozen() && (ok || err == nil || after != value) {
			t.Errorf("frozen: %d, %t, %v, and %v is left", old, ok, err, after)
		}
		if !value.Frozen() && (!ok || old != 20 || err != nil || after != value.Next(21)) {
			t.Errorf("sound: %d, %t, %v, and %v is left", old, ok, err, after)
		}
	}
}

// Where homes are apart a table that keeps all looks for them apart, too.
func TestGet_HomesApartWhereAllIsKept(t *testing.T) {
	table, h := newTableWith(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 2,
		Homes: HomesApart}, Options{KeepAll: true})
	for i := uint32(1); i <= 40; i++ {
		for _, k := range []uint32{i, 1<<31 - 1 + i, 1<<32 - 1 - i} { // small ones, and of the upper half
			if r, err := h.Add(k, k); r == Full && i > 20 {
				continue
			} else if r != Added || err != nil {
				t.Fatal(k, r, err)
			}
			if v, ok := table.Get(k); !ok || v != k {
				t.Errorf("get of %d: %d, %v", k, v, ok)
			}
			if v, ok, err := table.Lookup(k); !ok || v != k || err != nil {
				t.Errorf("lookup of %d: %d, %v, %v", k, v, ok, err)
			}
			if old, ok, err := h.Update(k, k); !ok || old != k || err != nil {
				t.Errorf("update of %d: %d, %v, %v", k, old, ok, err)
			}
		}
	}
	clean(t, table)
}

// The largest value is the youngest by default, as every other one has its place.
func TestAdd_TheLargestValueIsTheYoungest(t *testing.T) {
	p, h := newFull(t, Options{Tie: func() uint32 { return 0 }})
	p.put(0, 1, p.word0(0, 1), MakeWord1(0xFFFFFFFF, 1))
	p.put(1, 1, p.word0(1, 1), MakeWord1(0xFFFFFFFF, 1))
	if r, err := h.Add(uint32(keyOf(0, 0, 0)), 50); r != Added || err != nil {
		t.Fatal(r, err)
	}
	left := slices.IndexFunc(h.Left(), func(l Leaving) bool { return l.Value == 0xFFFFFFFF })
	if len(h.Left()) != 1 || left >= 0 {
		t.Errorf("left %v", h.Left())
	}
}

// The spots of near homes are those of the homes, and a spot says which cell it is.
func TestSpots(t *testing.T) {
	table, _ := newTable(t, Layout{CellsPerHalf: 1 << 12, Window: 32, Descriptors: 2})
	for k := uint32(1); k < 5000; k++ {
		h0, h1 := homesNear(k*0x9E3779B1, table.span)
		first, apart := nearSpots(k*0x9E3779B1, table.span)
		if f, a := spots(h0, h1); f != first || a != apart {
			t.Fatalf("key %d: %#x %#x, want %#x %#x", k, first, apart, f, a)
		}
		second := first ^ apart
		if first.half() != 0 || first.index() != h0 || second.half() != 1 || second.index() != h1 {
			t.Fatalf("key %d: %#x %#x for homes %d %d", k, first, second, h0, h1)
		}
		if table.on(first) != table.halves[0].cell(h0) || table.on(second) != table.halves[1].cell(h1) {
			t.Fatalf("key %d: another cell", k)
		}
	}
}

// A member is found wherever it stands in its window, beside the other home's members, by each way in.
func TestGet_FindsEachMember(t *testing.T) {
	for _, cells := range []uint32{64, 1 << 12} {
		table, h := newTable(t, Layout{CellsPerHalf: cells, Window: 32, Descriptors: 2})
		in := map[uint32]bool{}
		for k := uint32(1); float64(len(in)) < 1.7*float64(cells); k++ {
			if r, err := h.Add(k, k+1); r != Added || err != nil {
				t.Fatal(k, r, err)
			}
			in[k] = true
			for _, l := range h.Left() {
				delete(in, l.Key)
			}
		}
		members := 0
		for k := range in {
			v, ok := table.Get(k)
			if found, there, err := table.Lookup(k); !ok || v != k+1 || found != v || !there || err != nil {
				t.Fatalf("%d cells, key %d: %d %v, lookup %d %v %v", cells, k, v, ok, found, there, err)
			}
			h0, h1 := table.homes(Key(k))
			w0, w1 := table.halves[0].cell(h0).look(), table.halves[1].cell(h1).look()
			if !w0.matches(Key(k)) && !w1.matches(Key(k)) {
				members++
			}
		}
		if members < len(in)/20 {
			t.Errorf("%d cells: %d of %d elements are members, want more", cells, members, len(in))
		}
	}
}

// A get or an update begins with half 1 where the home has the key, and turns to half 1 where the nearest
// member there has it and that of half 0 has not: it meets nothing of what is damaged further on in half 0.
func TestGet_BeginsWhereTheKeySeemsToBe(t *testing.T) {
	const home, offset, window = 512, 3, 16
	beyond := Map(0).With(offset).With(window)
	for name, c := range map[string]struct {
		plant func(p planted, k Key)
		found bool
	}{
		"at the base of half 1": {func(p planted, k Key) {
			p.put(0, home, BaseWord(p.key(0, home, 1), beyond), MakeWord1(30, 1))
			p.put(1, home, BaseWord(k, 0), MakeWord1(20, 1))
		}, true},
		"nearest in half 1, half 0 has a word of no form": {func(p planted, k Key) {
			p.put(0, home, Word0(k)<<keyShift|cbitMark, MakeWord1(30, 1))
			p.member(1, home, offset, k, Map(0).With(offset))
		}, true},
		"nearest in half 1, half 0 has others": {func(p planted, k Key) {
			p.member(0, home, offset, p.key(0, home, 2), beyond)
			p.member(1, home, offset, k, Map(0).With(offset))
		}, true},
		"nearest in half 0, where the map is damaged further on": {func(p planted, k Key) {
			p.member(0, home, offset, k, beyond)
		}, true},
		"the canary, not nearest in half 1": {func(p planted, k Key) {
			p.member(0, home, offset, p.key(0, home, 2), beyond)
			p.member(1, home, offset+1, k, Map(0).With(offset).With(offset+1))
		}, false},
	} {
		table, h := newTableWith(t, Layout{CellsPerHalf: longRing, Window: window, Descriptors: 1},
			Options{Patience: 100})
		p := planted{table, t}
		k := p.key(0, home, 4)
		for nth := 5; ; nth++ { // a key with this home in both halves
			if _, h1 := table.homes(k); h1 == home {
				break
			}
			k = p.key(0, home, nth)
		}
		c.plant(p, k)
		v, ok := table.Get(uint32(k))
		if ok != c.found || ok && v != 20 {
			t.Errorf("%s: get %d, %t", name, v, ok)
		}
		old, ok, err := h.Update(uint32(k), 21)
		if ok != c.found || ok && (old != 20 || err != nil) || !ok && !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: update %d, %t, %v", name, old, ok, err)
		}
	}
}

// member makes k a member at the offset of a base with these members.
func (p planted) member(half, home, offset uint32, k Key, members Map) {
	p.put(half, home, BaseWord(p.key(half, home, 0), members), MakeWord1(30, 1))
	p.put(half, p.halves[half].index(home, offset), MemberWord(k, offset, 1), MakeWord1(20, 1))
}

// No element has a reserved key, whatever the cells hold: a base whose element was deleted has one, and a
// word that is damaged may have the other.
func TestReserved_IsNobodysKey(t *testing.T) {
	for _, homes := range []Placement{HomesNear, HomesApart} {
		for _, k := range []Key{KeyNone, KeyLost} {
			table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 32, Descriptors: 1, Homes: homes})
			p := planted{table, t}
			h0, h1 := table.homes(k)
			for half, home := range []uint32{h0, h1} {
				p.put(uint32(half), home, Word0(k)<<keyShift|cbitIdle, MakeWord1(20, 5))
			}
			if v, ok := table.Get(uint32(k)); ok {
				t.Errorf("%v homes: get of %v: %d", homes, k, v)
			}
			if _, ok, err := h.Update(uint32(k), 7); ok || !errors.Is(err, ErrKey) {
				t.Errorf("%v homes: update of %v: %t, %v", homes, k, ok, err)
			}
		}
	}
}

// A member that an operation works on is found, in either half: a get that takes it waits for nobody.
func TestGet_FindsAnEngagedMember(t *testing.T) {
	const home, offset = 512, 3
	for half := range uint32(2) {
		table, _ := newTable(t, Layout{CellsPerHalf: longRing, Window: WindowMax, Descriptors: 1})
		p := planted{table, t}
		p.stand(half, home, offset)
		at := table.halves[half].index(home, offset)
		member, value := p.key(half, home, 1), Word1(p.halves[half].cell(at).word1.Load())
		p.put(half, at, EngagedWord(member, p.refs.Make(0, 1)), value.Freeze())
		v, ok := table.Get(uint32(member))
		found, there, err := table.Lookup(uint32(member))
		if !ok || v != uint32(value.Value()) || found != v || !there || err != nil {
			t.Errorf("half %d: %d %t, want %d; lookup %d %t %v", half, v, ok, value.Value(), found, there,
				err)
		}
	}
}

// TestSpots_OfTheLargestTables: the bytes before a cell are more than 32 bits count.
func TestSpots_OfTheLargestTables(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("NOT RUN: addresses of 64 bits are missing; run the tests on a machine that has them")
	}
	const rows = math.MaxUint32 &^ (pairRows - 1)
	for half := range uint32(2) {
		for _, index := range []uint32{1<<27 - 1, 1 << 27, 1<<27 + 1, 1 << 31, rows - 1} {
			s := spotOf(half, index)
			if s.half() != half || s.index() != index ||
				uint64(s) != uint64(index)*RowBytes+uint64(half)*CellBytes {
				t.Errorf("cell %d.%d has the spot %#x, that of %d.%d", half, index, s, s.half(), s.index())
			}
		}
	}
	for k := uint32(1); k < 5000; k++ {
		first, apart := nearSpots(k*0x9E3779B1, rows)
		if f, a := spots(homesNear(k*0x9E3779B1, rows)); f != first || a != apart {
			t.Fatalf("key %d: %#x %#x, want %#x %#x", k, first, apart, f, a)
		}
	}
}

// TestLookup_AfterADeath: the key of an add whose owner has died in the midst of it is absent, however often
// somebody looks, until somebody finishes the add; and after each of the calls that finish it the answer is
// the final one.
func TestLookup_AfterADeath(t *testing.T) {
	for name, finish := range map[string]func(h *Handle, key uint32) error{
		"Reclaim":    func(h *Handle, _ uint32) error { _, err := h.Reclaim(); return err },
		"Restore":    func(h *Handle, key uint32) error { return h.Restore(key) },
		"RestoreAll": func(h *Handle, _ uint32) error { return h.RestoreAll() },
	} {
		p := newPlanted(t)
		p.operate(2)
		h, key := newHandle(t, p.Table, 5), uint32(p.key(0, 2, 2))
		deadNine(p.Table)
		for range 3 {
			if v, ok, err := p.Lookup(key); ok || err != nil {
				t.Fatalf("before %s: %d, %t, %v", name, v, ok, err)
			}
		}
		if err := finish(h, key); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if v, ok, err := p.Lookup(key); v != 22 || !ok || err != nil {
			t.Errorf("after %s: %d, %t, %v", name, v, ok, err)
		}
		if err := h.RestoreAll(); err != nil {
			t.Fatal(err)
		}
		if v, ok := p.Get(key); v != 22 || !ok {
			t.Errorf("%s was not the end of it: %d, %t", name, v, ok)
		}
	}
}
