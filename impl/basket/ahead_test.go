package basket

import (
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// TestAskAhead_OfTheRecordsToCome: a walk asks for the cells of eight records ahead of it, and changes
// nothing
// else by that.
func TestAskAhead_OfTheRecordsToCome(t *testing.T) {
	if seam.Explored {
		t.Skip("NOT RUN: explored, nothing is asked for ahead; run it in the plain build")
	}
	r, err := region.Heap(region.Layout{Layout{Baskets: 4, BasketBytes: 512, Writers: 1}.Part(),
		hopscotch.Layout{CellsPerHalf: 64, Window: 32, Descriptors: 4}.Part()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	table, err := hopscotch.New(r)
	if err != nil {
		t.Fatal(err)
	}
	h, err := table.NewHandle(1)
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.NewWriter(OnTable(h), WriterOptions{Reserve: -1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint32(14) { // of 4 or 5 units: 58 of 64 in the third basket
		w.open, w.head = 2, MakeHead(StateOpen, 1, 0, 1)
		put(t, w, 10+i, fmt.Sprint("key", i%4), "0123456789"+"0123456789"[:3*(i%2)])
		if f := lookFor(t, w, 10+i, fmt.Sprint("key", i%4)); f.Meta().Bytes != 10+3*int(i%2) {
			t.Fatalf("record %d has a value of %d bytes", i, f.Meta().Bytes)
		}
	}
	end := w.pos
	s.baskets[2].head.Store(uint64(MakeHead(StateSealed, 0, 0, 1)))
	w.open = none
	s.touchAs(2*64, 0b001) // the first one was used: it stays
	if err := w.take(choice{2, MakeHead(StateSealed, 0, 0, 1), rankSealed}, false); err != nil {
		t.Fatal(err)
	}
	ends := []uint32{0}
	for at := uint32(0); at < end; {
		at += s.walkSize(2*64 + at).Units()
		ends = append(ends, at)
	}
	for n := 1; n < len(ends); n++ {
		if did, err := w.walk(1); did != 1 || err != nil {
			t.Fatal(did, err)
		}
		ahead, led := uint32(64), len(ends)-1-n // behind the last record
		if n+7 < len(ends) {
			ahead, led = ends[n+7], 7
		}
		if w.at != ends[n] || w.ahead != ahead || w.led != led || w.waits != 0 || w.moved != none {
			t.Errorf("behind record %d at %d: ahead %d, want %d; led %d, want %d; waits %d, moved %d", n,
				w.at, w.ahead, ahead, w.led, led, w.waits, w.moved)
		}
	}
	if f := lookFor(t, w, 10, "key0"); !f.OK() {
		t.Error("the one that was used has left")
	}
}
