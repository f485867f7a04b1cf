package hopscotch

import (
	"testing"
)

// TestTally_CountsWhatClearDoes: the elements that it deletes, and the cells of all that were deleted, as
// well as what its handle did before.
func TestTally_CountsWhatClearDoes(t *testing.T) {
	_, h := newTable(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 2})
	const n, before = 40, 10
	for k := uint32(1); k <= n; k++ {
		if r, err := h.Add(k, k); r != Added || err != nil {
			t.Fatal(r, err)
		}
	}
	for k := uint32(1); k <= before; k++ {
		if ok, err := h.Delete(k); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	left := 0
	deleted, err := h.Clear(func(Leaving) { left++ })
	if err != nil || deleted != n-before || left != n {
		t.Errorf("%d deleted and %d left: %v", deleted, left, err)
	}
	if want := (Tally{Added: n, Deleted: n, Reclaimed: n}); h.Tally() != want {
		t.Errorf("%+v, want %+v", h.Tally(), want)
	}
}

// TestTally_CountsPreparedCalls as any others, and their deletes for the services, too; a rewind forgets
// nothing of what was done.
func TestTally_CountsPreparedCalls(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 2})
	p, err := table.PrepareAdd(7, 70)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := h.AddPrepared(p); r != Added || err != nil {
		t.Fatal(r, err)
	}
	if _, ok, err := h.UpdatePrepared(p.Prepared, 71); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for _, there := range []bool{true, false} {
		if ok, err := h.DeletePrepared(p.Prepared); ok != there || err != nil {
			t.Fatal(ok, err)
		}
	}
	want := Tally{Added: 1, Updated: 1, Deleted: 1}
	if h.Tally() != want || h.unrung != 1 {
		t.Errorf("%+v, want %+v; services have %d deletes to be told of", h.Tally(), want, h.unrung)
	}
	if h.Rewind(); h.Tally() != want {
		t.Errorf("after a rewind %+v, want %+v", h.Tally(), want)
	}
}

// TestTally_CountsUpdatesThatAreDone: one that begins again, because what it found in the home or at the
// nearest or another member cannot be replaced now, is not counted before it has replaced it.
func TestTally_CountsUpdatesThatAreDone(t *testing.T) {
	table, h := newTableWith(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 2},
		Options{Patience: 100})
	p := planted{table, t}
	p.bucket(0, 5, []Key{p.key(0, 5, 0), p.key(0, 5, 1), p.key(0, 5, 2)}, []uint32{1, 2})
	for offset := range uint32(3) {
		c := table.halves[0].at(5, offset)
		k, was := uint32(Word0(c.word0.Load()).Key()), Word1(c.word1.Load())
		c.word1.Store(uint64(was.Freeze()))
		if _, ok, err := h.Update(k, 21); ok || err == nil || h.Tally() != (Tally{Updated: uint64(offset)}) {
			t.Errorf("frozen, at %d: %t, %v, and %+v", offset, ok, err, h.Tally())
		}
		c.word1.Store(uint64(was))
		_, ok, err := h.Update(k, 21)
		if !ok || err != nil || h.Tally() != (Tally{Updated: uint64(offset) + 1}) {
			t.Errorf("at %d: %t, %v, and %+v", offset, ok, err, h.Tally())
		}
	}
}

// TestTally_CountsAnAddThatOthersFinish: the owner of a new base finds it decided, by somebody who met it, or
// finished. It is counted once, and is one call of those after which the handle does its share.
func TestTally_CountsAnAddThatOthersFinish(t *testing.T) {
	for name, others := range map[string]func(h *Handle) ending{
		"decided":  func(h *Handle) ending { return h.op.commit(hole{}) },
		"finished": func(h *Handle) ending { return new(operation).help(h.table, h.op.ref) },
	} {
		eachHalf(t, func(t *testing.T, half uint32) {
			table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3})
			h.Assist(2, 1)
			k := planted{table, t}.key(half, 5, 0)
			w := work{kind: KindNew, half: half, home: 5}
			if !h.install(&w, MakePair(k, 70)) || others(h) > over {
				t.Fatal("not installed, or not helped")
			}
			h.op = operation{}
			first, apart := table.spots(uint32(k))
			r, err := h.addNewOn(MakePair(k, 70), first^apart&-spot(half), apart, 0, h.d.helpTarget(), view{})
			if r != Added || err != nil || h.Tally() != (Tally{Added: 1}) || h.share.calls != 1 {
				t.Errorf("%s: %v, %v, %+v, and %d calls to the share", name, r, err, h.Tally(), h.share.calls)
			}
			if v, ok := table.Get(uint32(k)); v != 70 || !ok {
				t.Errorf("%s: get: %d, %v", name, v, ok)
			}
			clean(t, table)
		})
	}
}
