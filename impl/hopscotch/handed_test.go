package hopscotch

import (
	"errors"
	"slices"
	"testing"
)

// handedOf are the values that Handed names.
func handedOf(table *Table) (values []uint32) {
	table.Handed(func(v uint32) bool { values = append(values, v); return true })
	return values
}

// What leaves by each kind of operation is named until its owner forgets it, or begins another operation.
func TestHanded_UntilForgotten(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 16, Descriptors: 3})
	other := newHandle(t, table, 8)
	is := func(what string, want ...uint32) {
		t.Helper()
		if got := handedOf(table); !slices.Equal(got, want) {
			t.Errorf("%s: %v is handed, want %v", what, got, want)
		}
	}
	keys := bucketKeys(t, table, 6)
	for _, k := range keys {
		mustAdd(t, h, k, 100+k)
	}
	is("adds that find a place")
	slices.Reverse(keys) // Those that were added last are bases.
	seen := map[Kind]bool{}
	for _, k := range keys[:3] {
		mustDiscard(t, h, mustTicket(t, h, k, 100+k))
		seen[h.op.head.Kind()] = true
		is("a conditional delete", 100+k)
	}
	next := table.refs.Next(h.generation)
	if err := h.Forget(); err != nil {
		t.Fatal(err)
	}
	is("forgotten")
	if head := Head(h.d.head.Load()); head != MakeHead(next, KindNone, 0, 0) || h.generation != next {
		t.Errorf("forgotten: the head is %v, that of the handle %d; want no operation of generation %d",
			head, h.generation, next)
	}
	generation := h.generation
	if err := h.Forget(); err != nil || h.generation != generation {
		t.Errorf("forgotten twice: %v, generation %d, was %d", err, h.generation, generation)
	}
	for _, k := range keys[3:] {
		if ok, err := h.Delete(k); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	is("deletes")
	if err := other.CropAll(func(l Leaving) {
		seen[other.op.head.Kind()] = true
		is("a crop", l.Value)
	}); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []Kind{KindDrop, KindLift, KindClear} {
		if !seen[kind] {
			t.Errorf("nothing left by a %v: the test is too tame", kind)
		}
	}
	mustAdd(t, other, 7, 70)
	is("another operation of the owner")
	if _, _, err := h.Update(7, 71); err != nil {
		t.Fatal(err)
	}
	is("an update")
	clean(t, table)
}

// An eviction is named, by either kind, at the moment at which it is handed over.
func TestHanded_Evictions(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1})
	reasons := map[Reason]int{}
	h.HandOver(func(l Leaving) {
		if reasons[l.Reason]++; !slices.Contains(handedOf(table), l.Value) {
			t.Errorf("%v is handed over, and Handed names %v", l, handedOf(table))
		}
	})
	for k := uint32(1); k < 400; k++ {
		mustAdd(t, h, k, k)
	}
	if reasons[ReasonEvicted] == 0 || reasons[ReasonReplaced] == 0 {
		t.Errorf("%v: the test is too tame", reasons)
	}
}

func TestHanded_StopsAndRefuses(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 16, Descriptors: 2})
	other := newHandle(t, table, 8)
	for i, x := range []*Handle{h, other} {
		k := uint32(1 + i)
		mustAdd(t, x, k, 10*k)
		mustDiscard(t, x, mustTicket(t, x, k, 10*k))
	}
	n := 0
	table.Handed(func(uint32) bool { n++; return false })
	if n != 1 {
		t.Errorf("told %d times, want once", n)
	}
	// Words of the descriptor that make no sense are passed over, and so is a target that is older.
	good := h.d.target.Load()
	for _, bad := range []uint64{uint64(MakeTarget(h.generation + 1).Decide(StatusCommitted)),
		uint64(MakeTarget(h.generation)), uint64(MakeTarget(h.generation).Decide(StatusAborted))} {
		h.d.target.Store(bad)
		if got := handedOf(table); !slices.Equal(got, []uint32{20}) {
			t.Errorf("target %v: %v is handed", Target(bad), got)
		}
	}
	h.d.target.Store(good)
	h.d.plan.Store(1)
	if got := handedOf(table); !slices.Equal(got, []uint32{20}) {
		t.Errorf("a plan of no base: %v is handed", got)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if err := h.Forget(); !errors.Is(err, ErrClosed) {
		t.Errorf("forget by a closed handle: %v", err)
	}
	if err := (&Handle{}).Forget(); !errors.Is(err, ErrZero) {
		t.Errorf("forget by a zero handle: %v", err)
	}
}

// A call that lacks both a table and a function says so of the table.
func TestHanded_OfNoTable(t *testing.T) {
	defer func() {
		want := "hopscotch: handed: " + ErrZero.Error()
		if got := recover(); got != want {
			t.Errorf("it panics with %v, want %q", got, want)
		}
	}()
	(&Table{}).Handed(nil)
}

// What a dead owner had coming is named until the function of ReclaimEach has returned, and is told again if
// that did not.
func TestReclaimEach_NamesWhileItTells(t *testing.T) {
	table, _ := newTable(t, Layout{CellsPerHalf: 64, Window: 16, Descriptors: 3})
	deadNine(table)
	dead, h := newHandle(t, table, 9), newHandle(t, table, 10)
	mustAdd(t, dead, 7, 70)
	mustDiscard(t, dead, mustTicket(t, dead, 7, 70))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of the function is gone")
			}
		}()
		_ = h.ReclaimEach(func(Reclaimed) { panic("stop") })
	}()
	told := 0
	if err := h.ReclaimEach(func(x Reclaimed) {
		told++
		want := Leaving{7, 70, ReasonDiscarded}
		if x.Left != want || !x.Leaves || x.Certain || x.Owner.Number() != 9 {
			t.Errorf("told %v, want %v", x, want)
		}
		if got := handedOf(table); !slices.Equal(got, []uint32{70}) {
			t.Errorf("%v is handed meanwhile", got)
		}
	}); err != nil || told != 1 {
		t.Errorf("told %d times, %v", told, err)
	}
	if got := handedOf(table); len(got) != 0 {
		t.Errorf("%v is handed afterwards", got)
	}
	if all, err := h.Reclaim(); len(all) != 0 || err != nil {
		t.Errorf("a second reclaim: %v, %v", all, err)
	}
}

// What was forgotten is not handed over for its owner.
func TestForget_NothingIsReclaimed(t *testing.T) {
	table, _ := newTable(t, Layout{CellsPerHalf: 64, Window: 16, Descriptors: 3})
	deadNine(table)
	dead, h := newHandle(t, table, 9), newHandle(t, table, 10)
	mustAdd(t, dead, 7, 70)
	mustDiscard(t, dead, mustTicket(t, dead, 7, 70))
	if err := dead.Forget(); err != nil {
		t.Fatal(err)
	}
	all, err := h.Reclaim()
	if err != nil || len(all) != 1 || all[0].Leaves || all[0].Kind != KindNone {
		t.Errorf("%v, %v", all, err)
	}
}
