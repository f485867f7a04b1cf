package basket

import (
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// onSmallTable is an index in a table of 8 cells.
func onSmallTable(t *testing.T) Index {
	t.Helper()
	r, err := region.Heap(region.Layout{hopscotch.Layout{CellsPerHalf: 4, Window: 4, Descriptors: 4}.Part()})
	if err != nil {
		t.Fatal(err)
	}
	table, err := hopscotch.NewWith(r, hopscotch.Options{Tie: func() uint32 { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	h, err := table.NewHandle(1)
	if err != nil {
		t.Fatal(err)
	}
	return OnTable(h)
}

// TestTable_HandsOver: what an add takes out is told by that add, and Handed has it until it was forgotten.
// What a swap replaces is nobody's matter.
func TestTable_HandsOver(t *testing.T) {
	x := onSmallTable(t)
	handed := func() (all []uint32) {
		x.Handed(func(ref uint32) bool { all = append(all, ref); return true })
		return all
	}
	gone, there := 0, uint32(0)
	for hash := uint32(1); hash <= 40; hash++ {
		told := []uint32{}
		added, err := x.Add(hash, 1000+hash, func(ref uint32) {
			told = append(told, ref)
			if text := fmt.Sprint(handed()); text != fmt.Sprint(told[len(told)-1:]) {
				t.Errorf("while %d is told, %s is handed over", ref, text)
			}
		})
		if !added || err != nil || len(told) > 1 {
			t.Fatalf("hash %d: %v %v, told %d", hash, added, err, told)
		}
		gone += len(told)
		before := len(told)
		if err := x.Forget(); err != nil || len(handed()) > 0 {
			t.Errorf("after hash %d: %v, %d are handed over", hash, err, handed())
		}
		there = hash
		ticket, ok, err := x.Ticket(hash)
		if !ok || err != nil || ticket.Value() != 1000+hash || !x.Still(ticket) {
			t.Fatalf("hash %d is %v %v", hash, ok, err)
		}
		if ok, err := x.CompareAndSwap(ticket, 2000+hash); !ok || err != nil || len(told) != before {
			t.Errorf("a swap of hash %d: %v %v, told %d", hash, ok, err, told)
		}
	}
	if gone != 32 {
		t.Errorf("%d of 40 have left a table of 8 cells", gone)
	}
	added, err := x.Add(there, 5, func(uint32) { t.Error("an add of what is there takes something out") })
	if added || err != nil {
		t.Errorf("what is there is added: %v", err)
	}
}

// TestTable_KeepsAll: a table that may take nothing out says that it is full.
func TestTable_KeepsAll(t *testing.T) {
	r, err := region.Heap(region.Layout{hopscotch.Layout{CellsPerHalf: 4, Window: 4, Descriptors: 4}.Part()})
	if err != nil {
		t.Fatal(err)
	}
	table, err := hopscotch.NewWith(r, hopscotch.Options{KeepAll: true, Tie: func() uint32 { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	h, err := table.NewHandle(1)
	if err != nil {
		t.Fatal(err)
	}
	x := OnTable(h)
	hash, full := uint32(1), error(nil)
	for ; full == nil && hash < 100; hash++ {
		added, err := x.Add(hash, hash, func(uint32) { t.Error("it takes something out") })
		if full = err; added != (err == nil) {
			t.Errorf("hash %d: %v %v", hash, added, err)
		}
	}
	says(t, full, ErrFull, fmt.Sprintf("add of hash %#x: %v", hash-1, ErrFull))
}

// TestEnter_WhatAnotherOneTakes: an entry of a dead owner that another writer takes in the meantime is
// left to
// that one.
func TestEnter_WhatAnotherOneTakes(t *testing.T) {
	s := owned(t, 5, 6, 7)
	other := ownerOf(8, 0)
	w, err := s.NewWriter(&failing{}, WriterOptions{Number: 9, Alive: func(o Owner) bool {
		if o.Number() == 6 {
			s.entries[1].owner.Store(uint64(other))
		}
		return o.Number() == 5
	}})
	if err != nil || w.number != 3 || s.entries[1].ownerRead() != other {
		t.Errorf("%v: entry %d, and the second one has %v", err, w.number, s.entries[1].ownerRead())
	}
	s = owned(t, 5, 0)
	if s.entries[1].ownerTakeOver(ownerOf(6, 0), other) || s.entries[0].ownerTake(other) ||
		s.entries[0].ownerFree(other) || s.entries[0].ownerRead() != ownerOf(5, 0) ||
		s.entries[1].ownerRead() != 0 {
		t.Error("an entry that another one has is taken, or given up")
	}
}

// TestZero_Readers: a store that nobody has made has no readers.
func TestZero_Readers(t *testing.T) {
	for _, s := range []*Store{nil, {}} {
		_, err := s.NewReader(&failing{}, ReaderOptions{})
		says(t, err, ErrZero, "reader: "+ErrZero.Error())
		_, err = s.NewWriter(&failing{}, WriterOptions{})
		says(t, err, ErrZero, "writer: "+ErrZero.Error())
	}
	r, before := &Reader{}, []byte("<")
	value, m, ok, err := r.Get(5, nil, before)
	says(t, err, ErrZero, ErrZero.Error())
	m2, ok2, err := r.Has(5, nil)
	says(t, err, ErrZero, ErrZero.Error())
	if string(value) != "<" || ok || ok2 || m != m2 || m != (Meta{}) {
		t.Errorf("%q %v %v %v %v", value, m, ok, m2, ok2)
	}
	s := owned(t, 0)
	_, err = s.NewReader(nil, ReaderOptions{})
	says(t, err, ErrIndex, "reader: "+ErrIndex.Error())
	_, err = s.NewWriter(nil, WriterOptions{})
	says(t, err, ErrIndex, "writer: "+ErrIndex.Error())
}

// TestMark_WhatDoesNotFitLeaves: of the records in front of one that is marked those leave that do not fit
// into one basket beside it.
func TestMark_WhatDoesNotFitLeaves(t *testing.T) {
	text := ""
	w := fourOfAChain(t, &text)
	if ok, err := w.Mark(lookFor(t, w, 5, "a"), true); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if text != "evicted b; evicted c; " && text != "evicted c; evicted b; " {
		t.Errorf("told: %s", text)
	}
	if f := lookFor(t, w, 5, "a"); !f.OK() || !f.Meta().Suspect {
		t.Errorf("it is %+v", f)
	}
}
