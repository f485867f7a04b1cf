package basket

import (
	"errors"
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// owned is a store on the heap of 4 baskets, whose entries these numbers have.
func owned(t *testing.T, numbers ...uint32) *Store {
	t.Helper()
	s := onHeap(t, Layout{Baskets: 4, BasketBytes: 256, Writers: uint32(len(numbers)), Tiers: 2, Lanes: 2})
	for i, n := range numbers {
		if n != 0 {
			s.entries[i].owner.Store(uint64(ownerOf(n, 0)))
		}
	}
	return s
}

// aliveBut is a function Alive for which these are dead.
func aliveBut(dead ...uint32) func(Owner) bool {
	return func(o Owner) bool {
		for _, n := range dead {
			if o.Number() == n {
				return false
			}
		}
		return true
	}
}

// TestEnter_AnEntry: the first one that nobody has, else the first one of the dead.
func TestEnter_AnEntry(t *testing.T) {
	for _, x := range []struct {
		numbers []uint32
		dead    []uint32
		want    uint32
	}{
		{[]uint32{0, 0}, nil, 1}, {[]uint32{5, 0, 0}, []uint32{5}, 2}, {[]uint32{5, 6, 7}, []uint32{6, 7}, 2},
		{[]uint32{5, 6, 7}, []uint32{7}, 3}, {[]uint32{1, 2, 3, 4, 5, 6, 7, 8, 0}, nil, 9},
		{[]uint32{1, 2, 3, 4, 5, 6, 7, 0}, nil, 8},
	} {
		s := owned(t, x.numbers...)
		w, err := s.NewWriter(&failing{}, WriterOptions{Number: 9, Alive: aliveBut(x.dead...)})
		if err != nil || w.number != x.want || s.entries[x.want-1].ownerRead() != ownerOf(9, 0) ||
			w.cursor != (x.want-1)%4 {
			t.Errorf("%+v: %v", x, err)
		}
	}
	_, err := owned(t, 5, 6, 7).NewWriter(&failing{}, WriterOptions{Alive: aliveBut()})
	says(t, err, ErrWriters, "writer: "+ErrWriters.Error()+" (3 of 3)")
}

// TestGone_OfAnEntry: whether its owner is dead, and of a basket of whom nobody knows.
func TestGone_OfAnEntry(t *testing.T) {
	w, err := owned(t, 0, 5, 6, 7).NewWriter(&failing{}, WriterOptions{Alive: aliveBut(6, 1)})
	if err != nil {
		t.Fatal(err)
	}
	w.store.entries[3].owner.Store(0)
	text := ""
	for i := range 4 {
		dead, err := w.gone(i)
		text += fmt.Sprint(dead.Number(), " ", err == nil, " ")
	}
	for n := range uint32(6) {
		left, err := w.abandoned(n)
		text += fmt.Sprint(left, " ", err == nil, " ")
	}
	// The entry 0 is the writer's own: it lives, whatever Alive says.
	want := "1 true 0 true 6 true 0 true " +
		"false true false true false true true true true true false true "
	if text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
}

// TestLives_CannotBeTold: a region that is closed says nothing of its processes.
func TestLives_CannotBeTold(t *testing.T) {
	s := owned(t, 0, 5)
	w, err := s.NewWriter(&failing{}, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if lives, err := w.lives(ownerOf(5, 0)); !lives || err != nil {
		t.Errorf("on the heap: %v %v", lives, err)
	}
	if err := s.region.Close(); err != nil {
		t.Fatal(err)
	}
	s.entries[0].owner.Store(uint64(ownerOf(4, 0)))
	if _, err := w.lives(ownerOf(5, 0)); !errors.Is(err, region.ErrClosed) {
		t.Errorf("of a closed region: %v", err)
	}
	if dead, err := w.gone(1); dead != 0 || !errors.Is(err, region.ErrClosed) {
		t.Errorf("the owner is gone: %v %v", dead, err)
	}
	s.entries[1].owner.Store(0)
	if dead, err := w.gone(1); dead != 0 || err != nil {
		t.Errorf("of an entry that nobody has there is nothing to tell: %v %v", dead, err)
	}
	s.entries[1].owner.Store(uint64(ownerOf(5, 0)))
	if left, err := w.abandoned(2); !errors.Is(err, region.ErrClosed) {
		t.Errorf("a basket is abandoned: %v %v", left, err)
	}
	if err := w.enter(); !errors.Is(err, region.ErrClosed) {
		t.Errorf("another one enters: %v", err)
	}
	w.open = none
	w.store.baskets[1].head.Store(uint64(MakeHead(StateOpen, 2, 0, 1)))
	if _, err := w.look(9); !errors.Is(err, region.ErrClosed) {
		t.Errorf("a look: %v", err)
	}
}

// TestInherit_WhatTheEntryHas: what is open is sealed, when the index is settled, once; what retires is given
// back as the youngest; what others have stays.
func TestInherit_WhatTheEntryHas(t *testing.T) {
	s := owned(t, 5, 6)
	for b, h := range []Head{MakeHead(StateOpen, 1, 3, 10), MakeHead(StateOpen, 1, 4, 11).In(1),
		MakeHead(StateRetiring, 1, 5, 8).In(1), MakeHead(StateOpen, 2, 6, 9)} {
		s.baskets[b].head.Store(uint64(h))
	}
	s.common.sequence.Store(20)
	x := &failing{}
	if _, err := s.NewWriter(x, WriterOptions{Number: 9, Alive: aliveBut(5)}); err != nil {
		t.Fatal(err)
	}
	text := ""
	for b := range s.baskets {
		text += fmt.Sprint(s.baskets[b].roomLook(), "; ")
	}
	if want := "sealed generation 3 sequence 10; sealed generation 4 sequence 11 tier 1; sealed " +
		"generation 5 sequence 21 tier 1; open generation 6 sequence 9 writer 1; "; text != want ||
		x.settled != 1 {
		t.Errorf("%s settled %d times\nwant %s", text, x.settled, want)
	}
	failing := &failing{settle: errIndex}
	s = owned(t, 5, 6)
	s.baskets[1].head.Store(uint64(MakeHead(StateOpen, 1, 3, 10)))
	_, err := s.NewWriter(failing, WriterOptions{Number: 9, Alive: aliveBut(5)})
	says(t, err, errIndex, "writer: "+errIndex.Error())
	if s.entries[0].ownerRead() != 0 || s.baskets[1].roomLook().State() != StateOpen {
		t.Error("a writer that could not begin has the entry, or has sealed a basket")
	}
}

// TestClose_OfAnotherOne: an entry or a basket that somebody else has by now is left to it.
func TestClose_OfAnotherOne(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	put(t, w, 5, "key", "value")
	open := w.open
	other, head := ownerOf(7, 0), MakeHead(StateOpen, 2, 0, 9)
	w.store.entries[0].owner.Store(uint64(other))
	says(t, w.Close(), ErrCorrupt, "writer 0 has another owner: "+ErrCorrupt.Error())
	if w.store.entries[0].ownerRead() != other || w.store.baskets[open].roomLook().State() != StateSealed {
		t.Errorf("the entry has %v", w.store.entries[0].ownerRead())
	}
	w, err := w.store.NewWriter(x, WriterOptions{Number: 8})
	if err != nil {
		t.Fatal(err)
	}
	put(t, w, 5, "key", "value")
	w.store.baskets[w.open].head.Store(uint64(head))
	open = w.open
	says(t, w.Close(), ErrCorrupt, "basket of writer 1 has another owner: "+ErrCorrupt.Error())
	if w.store.baskets[open].roomLook() != head || w.store.entries[1].ownerRead() != ownerOf(8, 0) {
		t.Error("it has given up what is another one's")
	}
}

// TestStats_TimesOfATier: a basket of which nobody knows when it was opened changes nothing.
func TestStats_TimesOfATier(t *testing.T) {
	s := owned(t, 5)
	text := ""
	for _, times := range [][3]uint64{{0, 5, 7}, {5, 0, 7}, {7, 5, 0}, {1, 2, 3}, {3, 2, 1}, {0, 0, 0}} {
		for b, at := range times {
			s.baskets[b].head.Store(uint64(MakeHead(StateSealed, 0, 0, uint64(b))))
			s.timeSet(uint32(b), at)
		}
		x := s.Stats().Tiers[0]
		text += fmt.Sprint(x.Oldest, x.Youngest, " ")
	}
	if text != "5 7 5 7 5 7 1 3 1 3 0 0 " {
		t.Error(text)
	}
}
