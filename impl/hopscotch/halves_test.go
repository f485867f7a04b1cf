package hopscotch

import (
	"errors"
	"testing"
)

// The programs of the scenarios give each key one home, the same in both halves. Here the homes of a
// key differ, as they do for nearly all keys: whoever confuses the halves looks at the wrong cell.

// apart is a table with an undecided add of a key to a base whose value is frozen, installed by somebody
// who has died.
type apart struct {
	planted
	half  uint32 // of the operation
	homes [2]uint32
	old   Key // in the base
	key   Key // that is being added
}

// newApart makes one with the operation in the half. The hole is of the generation.
func newApart(t *testing.T, half uint32, generation Version) apart {
	t.Helper()
	table, _ := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3,
		Homes: HomesApart})
	a := apart{planted: planted{table, t}, half: half}
	nth := 0
	for ; a.homes[0] == a.homes[1] || a.homes[1-half] == 1; nth++ {
		a.key = a.planted.key(half, 2, nth)
		a.homes[0], a.homes[1] = table.homes(a.key)
	}
	a.old = a.planted.key(half, 2, nth)
	a.put(half, 2, OperatingWord(a.old, a.refs.Make(1, 1)), MakeWord1(20, 5).Freeze())
	a.put(half, 3, EmptyWord(generation), EmptyWord1(generation))
	d := &a.descriptors[1]
	d.head.Store(uint64(MakeHead(1, KindAdd, half, 2)))
	d.pair.Store(uint64(MakePair(a.key, 22)))
	d.plan.Store(uint64(MakePlan(a.old, 0)))
	d.expect.Store(uint64(MakeWord1(20, 5)))
	d.target.Store(uint64(MakeTarget(1)))
	d.owner.Store(9)
	return a
}

// reads holds what a get returns against a value; 0 is absent.
func (a apart) reads(t *testing.T, k Key, want uint32) {
	t.Helper()
	if v, ok, err := a.Lookup(uint32(k)); v != want || ok != (want != 0) || err != nil {
		t.Errorf("get of %v: %d, %v, %v; want %d", k, v, ok, err, want)
	}
}

func eachHalf(t *testing.T, f func(t *testing.T, half uint32)) {
	t.Helper()
	t.Run("half 0", func(t *testing.T) { f(t, 0) })
	t.Run("half 1", func(t *testing.T) { f(t, 1) })
}

// TestHelp_OfABucketInEitherHalf: gets behind the operation, then a helper that finds a hole of a
// generation beyond what a member's word can keep.
func TestHelp_OfABucketInEitherHalf(t *testing.T) {
	eachHalf(t, func(t *testing.T, half uint32) {
		a := newApart(t, half, 1<<memberVersionBits+3)
		a.patience = 100
		a.reads(t, a.old, 20)
		a.reads(t, a.key, 0)
		h, err := a.NewHandle(5)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.help(a.refs.Make(1, 1)); err != nil {
			t.Fatal(err)
		}
		a.reads(t, a.old, 20)
		a.reads(t, a.key, 22)
		if w := a.word0(half, 3); w != MemberWord(a.old, 1, 1<<memberVersionBits+4) {
			t.Errorf("the hole is %v", w)
		}
		if old, ok, err := h.Update(uint32(a.key), 33); old != 22 || !ok || err != nil {
			t.Errorf("update: %d, %v, %v", old, ok, err)
		}
		if r, err := h.Add(uint32(a.key), 44); r != Exists || err != nil {
			t.Errorf("add: %v, %v", r, err)
		}
		if ok, err := h.Delete(uint32(a.key)); !ok || err != nil {
			t.Errorf("delete: %v, %v", ok, err)
		}
		a.reads(t, a.key, 0)
		if err := h.Crop(uint32(a.key)); err != nil || len(h.Left()) != 1 || h.Left()[0].Value != 33 {
			t.Errorf("crop: %v, left %v", err, h.Left())
		}
		clean(t, a.Table)
	})
}

// TestHelp_LooksInTheOtherHalf: an add whose key is there already, or cannot be looked for, is
// not committed.
func TestHelp_LooksInTheOtherHalf(t *testing.T) {
	eachHalf(t, func(t *testing.T, half uint32) {
		a := newApart(t, half, 0)
		a.put(1-half, a.homes[1-half], BaseWord(a.key, 0), MakeWord1(99, 1))
		h, err := a.NewHandle(5)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.help(a.refs.Make(1, 1)); err != nil {
			t.Fatal(err)
		}
		if got := h.op.target.Status(); got != StatusAborted {
			t.Errorf("the add of a key that is there: %v", got)
		}
		a.reads(t, a.old, 20)
		a.reads(t, a.key, 99)
		clean(t, a.Table)

		a = newApart(t, half, 0)
		a.put(1-half, a.homes[1-half], 1<<31, 0)
		if h, err = a.NewHandle(5); err != nil {
			t.Fatal(err)
		}
		if err := h.help(a.refs.Make(1, 1)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("the other half is damaged: %v", err)
		}
	})
}

// TestWrite_HelpsInEitherHalf: an update and a delete that meet the operation, and one whose descriptor
// nobody can finish.
func TestWrite_HelpsInEitherHalf(t *testing.T) {
	eachHalf(t, func(t *testing.T, half uint32) {
		a := newApart(t, half, 0)
		h, err := a.NewHandle(5)
		if err != nil {
			t.Fatal(err)
		}
		if old, ok, err := h.Update(uint32(a.old), 21); old != 20 || !ok || err != nil {
			t.Errorf("update: %d, %v, %v", old, ok, err)
		}
		a.reads(t, a.old, 21)
		a.reads(t, a.key, 22)

		a = newApart(t, half, 0)
		a.descriptors[1].expect.Store(1 << 30) // a spare bit
		if h, err = a.NewHandle(5); err != nil {
			t.Fatal(err)
		}
		if ok, err := h.Delete(uint32(a.old)); ok || !errors.Is(err, ErrCorrupt) {
			t.Errorf("delete behind a descriptor that is damaged: %v, %v", ok, err)
		}
		if r, err := h.Add(uint32(a.key), 1); r != 0 || !errors.Is(err, ErrCorrupt) {
			t.Errorf("add behind a descriptor that is damaged: %v, %v", r, err)
		}
		if err := h.Crop(uint32(a.key)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("crop of a descriptor that is damaged: %v", err)
		}
	})
}

// TestGather_TakesTheNewValueOfAFlippedBase: the base has its new key, and still the value of the old one,
// whose element stands in the hole: a walk finds each with its own.
func TestGather_TakesTheNewValueOfAFlippedBase(t *testing.T) {
	eachHalf(t, func(t *testing.T, half uint32) {
		a := newApart(t, half, 3)
		a.put(half, 2, OperatingWord(a.key, a.refs.Make(1, 1)), MakeWord1(20, 5).Freeze())
		a.put(half, 3, MemberWord(a.old, 1, 4), MakeWord1(20, 4))
		a.descriptors[1].target.Store(
			uint64(MakeTarget(1).Decide(StatusCommitted).Propose(1, 3)))
		var b contents
		if o := a.gather(&b, place{half, 2}); o != present {
			t.Fatalf("outcome %d", o)
		}
		got := map[Key]Value{}
		for i := range b.n {
			got[b.keys[i]] = b.values[i]
		}
		if len(got) != 2 || b.n != 2 || got[a.key] != 22 || got[a.old] != 20 {
			t.Errorf("%v", got)
		}
	})
}

// TestGather_GivesUpBusy: the operation behind the base is over, and the base still names it. Nothing was
// read of such a bucket, and nothing is told of it.
func TestGather_GivesUpBusy(t *testing.T) {
	a := newApart(t, 0, 3)
	a.patience = 3
	a.descriptors[1].head.Store(uint64(MakeHead(2, KindAdd, 0, 2)))
	if o := a.gather(&contents{}, place{0, 2}); o != busy {
		t.Errorf("outcome %d, want busy", o)
	}
}

// TestEvenHalf_PrefersWhatNeedsNoMove: of two homes with as many elements the one that is no member, of two
// members the one nearer to its base; else either, as the coin falls.
func TestEvenHalf_PrefersWhatNeedsNoMove(t *testing.T) {
	table, _ := newTable(t, Layout{CellsPerHalf: 64, Window: 32, Descriptors: 1})
	homes := map[string]Word0{"empty": EmptyWord(7), "base": BaseWord(5, 0),
		"base of all": BaseWord(5, ^Map(1)), "near": MemberWord(6, 2, 1),
		"far": MemberWord(7, 31, 1)}
	rank := map[string]int{"near": 1, "far": 2}
	for name0, home0 := range homes {
		for name1, home1 := range homes {
			seen := [2]bool{}
			for range 64 {
				seen[table.evenHalf(home0, home1)] = true
			}
			r0, r1 := rank[name0], rank[name1]
			if want := [2]bool{r0 <= r1, r1 <= r0}; seen != want {
				t.Errorf("%s and %s: halves %v, want %v", name0, name1, seen, want)
			}
		}
	}
}
