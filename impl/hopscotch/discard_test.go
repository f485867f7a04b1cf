package hopscotch

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// bucketKeys are keys of one bucket in both halves.
func bucketKeys(t *testing.T, table *Table, n int) (keys []uint32) {
	t.Helper()
	h0, h1 := table.homes(1)
	for k := uint32(1); len(keys) < n && k < 1<<20; k++ {
		if a, b := table.homes(Key(k)); a == h0 && b == h1 {
			keys = append(keys, k)
		}
	}
	if len(keys) < n {
		t.Fatalf("%d keys of one bucket, want %d", len(keys), n)
	}
	return keys
}

// lostCells are the cells with deleted elements.
func lostCells(table *Table) (n int) {
	for i := range table.all {
		if Word0(table.all[i].word0.Load()).lost() {
			n++
		}
	}
	return n
}

// mustDiscard takes the element of the ticket out, and holds what is told against it.
func mustDiscard(t *testing.T, h *Handle, k Ticket) {
	t.Helper()
	want := Leaving{k.Key(), k.Value(), ReasonDiscarded}
	if ok, err := h.CompareAndDelete(k); !ok || err != nil {
		t.Fatalf("conditional delete of %d: %v, %v", k.Key(), ok, err)
	}
	if left := h.Left(); len(left) != 1 || left[0] != want {
		t.Fatalf("conditional delete of %d: left %v, want %v", k.Key(), left, want)
	}
}

// A bucket of many elements is emptied in any order: a base that is alone, one that has members, members.
func TestDiscard_EveryPlaceOfABucket(t *testing.T) {
	for _, homes := range []Placement{HomesNear, HomesApart} {
		for seed := range uint64(30) {
			table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 16, Descriptors: 1, Homes: homes})
			random := rand.New(rand.NewPCG(seed, 1))
			keys := bucketKeys(t, table, 6)
			var told []Leaving
			h.HandOver(func(l Leaving) { told = append(told, l) })
			for _, k := range keys {
				mustAdd(t, h, k, 100+k)
			}
			random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			for i, k := range keys {
				mustDiscard(t, h, mustTicket(t, h, k, 100+k))
				if want := (Leaving{k, 100 + k, ReasonDiscarded}); len(told) != i+1 || told[i] != want {
					t.Fatalf("told %v, want %v last", told, want)
				}
				if _, ok := table.Get(k); ok {
					t.Fatalf("key %d is there after its conditional delete", k)
				}
				for _, other := range keys[i+1:] {
					if v, ok := table.Get(other); !ok || v != 100+other {
						t.Fatalf("key %d: %d, %v after the conditional delete of %d", other, v, ok, k)
					}
				}
			}
			if n := Measure(table); n.Elements != 0 || lostCells(table) != 0 {
				t.Errorf("at the end %+v, %d lost cells", n, lostCells(table))
			}
			if got := h.Tally(); got.Deleted != 6 || got.Evicted != 0 || got.Reclaimed != 0 {
				t.Errorf("tally %+v", got)
			}
			clean(t, table)
		}
	}
}

// A ticket that does not hold takes nothing out: of another version, of a lost key, of no element, of a base
// that an own operation has thawed meanwhile.
func TestDiscard_OfATicketThatDoesNotHold(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 16, Descriptors: 2})
	keys := bucketKeys(t, table, 6)
	base := keys[0]
	mustAdd(t, h, base, 10)
	old := mustTicket(t, h, base, 10)
	if _, ok, err := h.Update(base, 11); !ok || err != nil {
		t.Fatal(ok, err)
	}
	refused := func(what string, k Ticket) {
		t.Helper()
		if ok, err := h.CompareAndDelete(k); ok || err != nil || len(h.Left()) != 0 {
			t.Errorf("%s: %v, %v, left %v", what, ok, err, h.Left())
		}
	}
	refused("the value was updated", old)
	refused("the zero ticket", Ticket{})
	refused("beyond the table", Ticket{key: 7, cell: 1<<32 - 1, word: MakeWord1(7, 1)})
	k := mustTicket(t, h, base, 11)
	if ok, err := h.Delete(base); !ok || err != nil {
		t.Fatal(ok, err)
	}
	refused("the key is lost", k)
	mustAdd(t, h, base, 11)
	refused("the key came back with the same value", k)
	k = mustTicket(t, h, base, 11)
	for _, member := range keys[1:] { // one of them comes into the bucket of this half, and freezes its base
		if mustAdd(t, h, member, 20); !table.Still(k) {
			break
		}
	}
	refused("an add has frozen and thawed the base", k)
	if v, ok := table.Get(base); !ok || v != 11 {
		t.Errorf("the base: %d, %v", v, ok)
	}
	second := mustTicket(t, h, base, 11)
	mustDiscard(t, h, second)
	refused("the element has left", second)
	clean(t, table)
}

// A base whose farthest member is lost is taken out at once: the lost one stands in its place.
func TestDiscard_BaseWithALostMember(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 16, Descriptors: 1})
	keys := bucketKeys(t, table, 6)
	for _, k := range keys {
		mustAdd(t, h, k, 100+k)
	}
	for {
		// The base of a half is what a ticket names in a home cell.
		var base Ticket
		members := 0
		for _, k := range keys {
			if x, ok, err := h.Ticket(k); err != nil {
				t.Fatal(err)
			} else if w := Word0(table.all[x.cell].word0.Load()); ok && w.Form() == FormBase && w.Map() != 0 {
				base, members = x, int(uint32(w.Map()))
			}
		}
		if members == 0 {
			break
		}
		half, index := base.Place()
		last := Word0(table.all[base.cell].word0.Load()).Map().Last()
		far := Word0(table.halves[half].at(index, last).word0.Load()).Key()
		if far != KeyLost {
			if ok, err := h.Delete(uint32(far)); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
		before := lostCells(table)
		mustDiscard(t, h, base)
		if got := lostCells(table); got != before {
			t.Fatalf("%d lost cells, %d before", got, before)
		}
		clean(t, table)
	}
	if err := h.CropAll(nil); err != nil {
		t.Fatal(err)
	}
	if n := lostCells(table); n != 0 {
		t.Errorf("%d lost cells after a crop", n)
	}
	clean(t, table)
}

func TestDiscard_Errors(t *testing.T) {
	_, h := newTable(t, Layout{CellsPerHalf: 4, Window: 3, Descriptors: 1})
	mustAdd(t, h, 7, 70)
	k := mustTicket(t, h, 7, 70)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if ok, err := h.CompareAndDelete(k); ok || !errors.Is(err, ErrClosed) {
		t.Errorf("by a closed handle: %v, %v", ok, err)
	}
	if ok, err := (&Handle{}).CompareAndDelete(k); ok || !errors.Is(err, ErrZero) {
		t.Errorf("by a zero handle: %v, %v", ok, err)
	}
}

// Words that no process writes end in an error, and in no access beyond the table.
func TestDiscard_Damage(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 1})
	mustAdd(t, h, 7, 70)
	k := mustTicket(t, h, 7, 70)
	for _, w := range []Word0{
		Word0(7)<<keyShift | cbitMember, // a member at distance 0
		MemberWord(7, 9, 1),             // beyond the window
		BaseWord(7, Map(0).With(20)),    // a map beyond it
	} {
		table.all[k.cell].word0.Store(uint64(w))
		if ok, err := h.CompareAndDelete(k); ok || !errors.Is(err, ErrCorrupt) {
			t.Errorf("%v: %v, %v", w, ok, err)
		}
	}
}

// Many goroutines add, update, swap, delete and delete by ticket a few keys: each value is handed to exactly
// one of them, or is in the table at the end, or deleted.
func TestDiscard_EachValueLeavesOnce(t *testing.T) {
	const actors, rounds = 4, 3000
	table, _ := newTable(t, Layout{CellsPerHalf: 32, Window: 8, Descriptors: actors + 1})
	var wait sync.WaitGroup
	got, put := make([][]uint32, actors), make([][]uint32, actors)
	for a := range actors {
		h, err := table.NewHandle(uint64(100 + a))
		if err != nil {
			t.Fatal(err)
		}
		wait.Add(1)
		go func() {
			defer wait.Done()
			h.HandOver(func(l Leaving) { got[a] = append(got[a], l.Value) })
			random := rand.New(rand.NewPCG(uint64(a), 7))
			for i := range uint32(rounds) {
				key, value := 1+random.Uint32N(12), uint32(a+1)<<20|i
				if err := oneChange(h, random, key, value, &put[a]); err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	wait.Wait()
	var in, out []uint32
	for a := range actors {
		in, out = append(in, put[a]...), append(out, got[a]...)
	}
	for i := range table.all {
		if w := Word0(table.all[i].word0.Load()); w.Key() != KeyNone {
			out = append(out, uint32(Word1(table.all[i].word1.Load()).Value()))
		}
	}
	slices.Sort(in)
	slices.Sort(out)
	if !slices.Equal(in, out) {
		t.Errorf("%d values were put in, %d came out or stayed", len(in), len(out))
	}
	clean(t, table)
}

// oneChange makes a random change of the key, and books the value if the table has taken it.
func oneChange(h *Handle, random *rand.Rand, key, value uint32, put *[]uint32) error {
	took := false
	switch random.Uint32N(5) {
	case 0:
		r, err := h.Add(key, value)
		if err != nil {
			return err
		}
		took = r == Added
	case 1:
		_, ok, err := h.Update(key, value)
		if err != nil {
			return err
		}
		took = ok
	case 2:
		if _, err := h.Delete(key); err != nil {
			return err
		}
	default:
		k, ok, err := h.Ticket(key)
		if err != nil || !ok {
			return err
		}
		if random.Uint32N(3) == 0 {
			if took, err = h.CompareAndSwap(k, value); err != nil {
				return err
			}
		} else if _, err = h.CompareAndDelete(k); err != nil {
			return err
		}
	}
	if took {
		*put = append(*put, value)
	}
	return nil
}
