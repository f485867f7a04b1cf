package hopscotch

import (
	"slices"
	"testing"
)

// keyOf is the nth key with these homes in a table of 4 cells a half.
func keyOf(h0, h1 uint32, nth int) Key {
	for k := uint32(1); ; k++ {
		if a, b := homesApart(k, 4); a == h0 && b == h1 {
			if nth--; nth < 0 {
				return Key(k)
			}
		}
	}
}

// newFull makes a table of 4 cells a half, window 3, in which both windows of home 0 are full: a base
// with the members 1 and 2. In half 0 the values are 10, 9 and 11, in half 1 30, 31 and 29. Cell 3 is
// empty in both, and not in that window.
func newFull(t *testing.T, o Options) (planted, *Handle) {
	table, h := newTableWith(t, Layout{CellsPerHalf: 4, Window: 3, Descriptors: 2,
		Homes: HomesApart}, o)
	p := planted{table, t}
	p.put(0, 0, BaseWord(keyOf(0, 0, 1), Map(0).With(1).With(2)), MakeWord1(10, 1))
	p.put(0, 1, MemberWord(keyOf(0, 0, 2), 1, 1), MakeWord1(9, 1))
	p.put(0, 2, MemberWord(keyOf(0, 0, 3), 2, 1), MakeWord1(11, 1))
	p.put(1, 0, BaseWord(keyOf(0, 0, 4), Map(0).With(1).With(2)), MakeWord1(30, 1))
	p.put(1, 1, MemberWord(keyOf(0, 0, 5), 1, 1), MakeWord1(31, 1))
	p.put(1, 2, MemberWord(keyOf(0, 0, 6), 2, 1), MakeWord1(29, 1))
	clean(t, table)
	return p, h
}

// TestAdd_EvictsTheOldest: of the members of the own bucket, in the half that was chosen, the one
// leaves that is the oldest by the function given at opening; the base does not.
func TestAdd_EvictsTheOldest(t *testing.T) {
	for name, c := range map[string]struct {
		older func(a, b uint32) bool
		want  []Leaving // in half 0 or in half 1
	}{
		"default": {nil, []Leaving{{uint32(keyOf(0, 0, 2)), 9, ReasonEvicted},
			{uint32(keyOf(0, 0, 6)), 29, ReasonEvicted}}},
		"larger is older": {func(a, b uint32) bool { return a > b },
			[]Leaving{{uint32(keyOf(0, 0, 3)), 11, ReasonEvicted},
				{uint32(keyOf(0, 0, 5)), 31, ReasonEvicted}}},
	} {
		t.Run(name, func(t *testing.T) {
			seen := map[Leaving]bool{}
			for range 200 {
				p, h := newFull(t, Options{Older: c.older})
				r, err := h.Add(uint32(keyOf(0, 0, 0)), 50)
				if r != Added || err != nil || len(h.Left()) != 1 || !slices.Contains(c.want, h.Left()[0]) {
					t.Fatalf("%v, %v, left %v; want one of %v", r, err, h.Left(), c.want)
				}
				seen[h.Left()[0]] = true
				if _, ok := p.Get(h.Left()[0].Key); ok {
					t.Error("what has left is found")
				}
				if v, ok := p.Get(uint32(keyOf(0, 0, 0))); !ok || v != 50 {
					t.Errorf("the new element is %d, %v", v, ok)
				}
				clean(t, p.Table)
			}
			if len(seen) != 2 {
				t.Errorf("both halves have a full window: %v", seen)
			}
		})
	}
}

func TestAdd_KeepsAll(t *testing.T) {
	p, h := newFull(t, keepAll)
	if r, err := h.Add(uint32(keyOf(0, 0, 0)), 50); r != Full || err != nil || len(h.Left()) != 0 {
		t.Errorf("%v, %v, left %v", r, err, h.Left())
	}
	clean(t, p.Table)
	if n := Measure(p.Table); n.Elements != 6 {
		t.Errorf("%+v", n)
	}
}

// TestAdd_EvictsABaseThatIsAlone: the elements that fill its window are bases of other buckets.
func TestAdd_EvictsABaseThatIsAlone(t *testing.T) {
	p, h := newFull(t, Options{})
	for half := range uint32(2) {
		for cell := range uint32(3) {
			p.put(half, cell, BaseWord(keyOf(cell, cell, 4+int(half)), 0), MakeWord1(Value(1+cell+3*half), 1))
		}
	}
	clean(t, p.Table)
	r, err := h.Add(uint32(keyOf(0, 0, 0)), 50)
	if r != Added || err != nil || len(h.Left()) != 1 {
		t.Fatalf("%v, %v, left %v", r, err, h.Left())
	}
	l := h.Left()[0]
	if (l != Leaving{uint32(keyOf(0, 0, 4)), 1, ReasonReplaced}) &&
		(l != Leaving{uint32(keyOf(0, 0, 5)), 4, ReasonReplaced}) {
		t.Errorf("left %v, want a base of the own bucket", l)
	}
	clean(t, p.Table)
}

// TestAdd_MovesBeforeItEvicts: a member of another bucket has a hole in its own window.
func TestAdd_MovesBeforeItEvicts(t *testing.T) {
	p, h := newFull(t, Options{})
	for half := range uint32(2) {
		p.put(half, 0, BaseWord(keyOf(0, 0, 1+int(half)), 0), MakeWord1(10, 1))
		p.put(half, 1, BaseWord(keyOf(1, 1, int(half)), Map(0).With(1)), MakeWord1(20, 1))
		p.put(half, 2, MemberWord(keyOf(1, 1, 2+int(half)), 1, 1), MakeWord1(21, 1))
	}
	clean(t, p.Table)
	if r, err := h.Add(uint32(keyOf(0, 0, 0)), 50); r != Added || err != nil || len(h.Left()) != 0 {
		t.Fatalf("%v, %v, left %v", r, err, h.Left())
	}
	clean(t, p.Table)
	if n := Measure(p.Table); n.Elements != 7 || n.Members != 3 {
		t.Errorf("%+v, want 7 elements and 3 members", n)
	}
}

// TestAdd_EndsAlone: the home cell of the new key in both halves is a member that cannot move, and
// the window of the key has an empty cell that is of no use. The member in the home cell leaves.
func TestAdd_EndsAlone(t *testing.T) {
	p, h := newFull(t, Options{})
	p.patience = 1000
	r, err := h.Add(uint32(keyOf(1, 1, 0)), 50)
	if r != Added || err != nil || len(h.Left()) != 1 {
		t.Fatalf("%v, %v, left %v", r, err, h.Left())
	}
	if l := h.Left()[0]; l.Value != 9 && l.Value != 31 {
		t.Errorf("left %v, want the member in the home cell", l)
	}
	clean(t, p.Table)
}

// TestAdd_ReplacesTheLost: a deleted base needs no place, and its value is the adder's.
func TestAdd_ReplacesTheLost(t *testing.T) {
	p, h := newFull(t, Options{})
	for nth := range 2 {
		if ok, err := h.Delete(uint32(keyOf(0, 0, 1+3*nth))); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	r, err := h.Add(uint32(keyOf(0, 0, 0)), 50)
	if r != Added || err != nil || len(h.Left()) != 1 {
		t.Fatalf("%v, %v, left %v", r, err, h.Left())
	}
	if l := h.Left()[0]; (l != Leaving{0, 10, ReasonDeleted}) && (l != Leaving{0, 30, ReasonDeleted}) {
		t.Errorf("left %v, want the value of a deleted base", l)
	}
	clean(t, p.Table)
}

// TestAdd_ReplacesTheLostBeforeItTakesAHole: also where its window has an empty cell, into which a lost base
// with a member could be pushed.
func TestAdd_ReplacesTheLostBeforeItTakesAHole(t *testing.T) {
	p, h := newFull(t, Options{})
	for half := range uint32(2) {
		value := Value(10 + 20*half)
		p.put(half, 0, BaseWord(KeyLost, Map(0).With(1)), MakeWord1(value, 1))
		p.put(half, 2, EmptyWord(1), EmptyWord1(1))
	}
	clean(t, p.Table)
	r, err := h.Add(uint32(keyOf(0, 0, 0)), 50)
	if r != Added || err != nil || len(h.Left()) != 1 {
		t.Fatalf("%v, %v, left %v", r, err, h.Left())
	}
	if l := h.Left()[0]; (l != Leaving{0, 10, ReasonDeleted}) && (l != Leaving{0, 30, ReasonDeleted}) {
		t.Errorf("left %v, want the value of a deleted base", l)
	}
	for half := range uint32(2) {
		if w := p.word0(half, 2); w != EmptyWord(1) {
			t.Errorf("the hole in half %d is %v", half, w)
		}
	}
	clean(t, p.Table)
}

// TestAdd_KeepsAllAndHelps: a home that a member of another bucket has is of no use to an add that keeps all,
// unless an operation has that member: the add finishes it, and the home is empty then.
func TestAdd_KeepsAllAndHelps(t *testing.T) {
	p := newPlanted(t)
	p.keepAll = true
	var k Key
	for nth := 0; k == 0; nth++ {
		if key := p.key(0, 3, nth); p.belongs(key, place{1, 0}) {
			k = key
		}
	}
	h, err := p.NewHandle(5)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := h.Add(uint32(k), 50); r != Full || err != nil {
		t.Fatalf("both homes are members: %v, %v; want full", r, err)
	}
	p.aboutMember(KindDrop)
	p.put(0, 3, EngagedWord(p.key(0, 2, 1), p.ref()), MakeWord1(21, 1))
	if r, err := h.Add(uint32(k), 50); r != Added || err != nil {
		t.Errorf("the member in one of them is about to leave: %v, %v; want added", r, err)
	}
	clean(t, p.Table)
}

// TestAdd_ReclaimsBeforeItEvicts: of a full window the member leaves that was deleted, not the oldest one
// that lives, also where it is the youngest.
func TestAdd_ReclaimsBeforeItEvicts(t *testing.T) {
	p, h := newFull(t, Options{})
	for _, nth := range []int{3, 5} {
		if ok, err := h.Delete(uint32(keyOf(0, 0, nth))); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	r, err := h.Add(uint32(keyOf(0, 0, 0)), 50)
	if r != Added || err != nil || len(h.Left()) != 1 {
		t.Fatalf("%v, %v, left %v", r, err, h.Left())
	}
	if l := h.Left()[0]; (l != Leaving{0, 11, ReasonDeleted}) && (l != Leaving{0, 31, ReasonDeleted}) {
		t.Errorf("left %v, want the value of a deleted member", l)
	}
	clean(t, p.Table)
}
