package basket

import (
	"errors"
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// TestResume_WhatTheEntryHas: a writer goes on behind the last record of its open basket, in the lane of
// that,
// and begins the walk over the one that it retires anew.
func TestResume_WhatTheEntryHas(t *testing.T) {
	w, s := chooser(t, WriterOptions{}), &script{}
	w.order = s
	open, retiring := MakeHead(StateOpen, 1, 3, 9).In(1), MakeHead(StateRetiring, 1, 4, 8).In(2)
	w.store.baskets[1].head.Store(uint64(MakeHead(StateOpen, 2, 3, 7)))
	w.store.baskets[3].head.Store(uint64(open))
	w.store.baskets[6].head.Store(uint64(retiring))
	w.store.appendSize(3*128, MakeSizeWord(5, 7))
	w.store.appendSize(3*128+7, MakeSizeWord(5, 4))
	w.at, w.moves, w.waits, w.ahead, w.led = 1, true, 2, 3, 4
	w.Resume()
	lane := w.lanes[1]
	text := fmt.Sprint(lane.open, lane.head == open, lane.pos, w.lane == &w.lanes[0], w.lanes[0].open == none,
		"; ",
		w.retiring, w.retired == retiring, w.at, w.moves, w.waits, w.ahead, w.led, s.walk)
	if want := "3 true 11 true true; 6 true 0 false 0 0 0 [2 128]"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestRoomNow_RetiresNothing: a record that is to be moved has room in the open basket, or in one that is
// free. Nothing is done for one that fits into no basket.
func TestRoomNow_RetiresNothing(t *testing.T) {
	for _, x := range []struct {
		need           uint32
		full, free     bool
		want, wantFull bool
		opens          bool
	}{
		{22, false, true, true, false, false}, {23, false, true, true, false, true},
		{32, false, true, true, false, true}, {33, false, true, false, false, false},
		{23, true, true, false, true, false}, {23, false, false, false, true, false},
		{22, true, false, true, true, false},
	} {
		w, _ := failed(t, WriterOptions{})
		put(t, w, 5, "key", "value")
		crowded(w)
		if x.free {
			w.store.baskets[3].head.Store(0)
		}
		open, head := w.open, w.store.baskets[w.open].roomLook()
		w.pos, w.full = 10, x.full
		if got := w.roomNow(x.need); got != x.want || w.full != x.wantFull || (w.open != open) != x.opens ||
			!x.opens && w.store.baskets[open].roomLook() != head {
			t.Errorf("%+v: %v, full is %v, basket %d, then %d", x, got, w.full, open, w.open)
		}
	}
}

// TestFull_IsOfOneWalk: that no basket is free is forgotten when the next walk begins.
func TestFull_IsOfOneWalk(t *testing.T) {
	for name, call := range map[string]func(w *Writer) error{
		"Tend":     func(w *Writer) error { _, err := w.Tend(1); return err },
		"portion":  func(w *Writer) error { return w.portionFor(9) },
		"the rest": func(w *Writer) error { return w.walkAll() },
	} {
		w, x := failed(t, WriterOptions{Reserve: 1})
		x.handed = func() uint32 { return 2*32 + 1 }
		put(t, w, 5, "key", "value")
		w.store.baskets[2].head.Store(uint64(MakeHead(StateRetiring, 1, 0, 9)))
		for at := uint32(0); at < 30; at += 3 {
			w.store.appendSize(2*32+at, MakeSizeWord(7, 3))
			w.store.appendHead(2*32+at+1, MakeKeyWord(0, 3, 0, 0))
		}
		w.retiring, w.retired, w.full, w.pos, w.short = 2, MakeHead(StateRetiring, 1, 0, 9), true, 20, true
		if err := call(w); err != nil || w.full {
			t.Errorf("%s: %v, full is %v", name, err, w.full)
		}
	}
}

// TestWalk_StopsAtAFailure: a walk whose index fails goes on at the same record the next time.
func TestWalk_StopsAtAFailure(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	put(t, w, 5, "key", "value")
	w.retiring, w.retired, w.at = w.open, MakeHead(StateRetiring, 1, 0, 9), 0
	w.open, x.fails = none, errIndex
	if did, err := w.walk(5); did != 0 || !errors.Is(err, errIndex) || w.at != 0 {
		t.Errorf("%d %v, at %d", did, err, w.at)
	}
}

// TestRoom_AsksForTheTuning: each choice of a basket is made by the numbers of that moment.
func TestRoom_AsksForTheTuning(t *testing.T) {
	asks := 0
	w, _ := failed(t, WriterOptions{Reserve: -1, Tuning: func() Tuning { asks++; return Tuning{} }})
	crowded(w)
	w.store.baskets[3].head.Store(uint64(MakeHead(StateSealed, 0, 0, 1)))
	asks = 0
	if err := w.room(5); err != nil || asks != 1 || w.open != 3 {
		t.Errorf("%v, asked %d times, basket %d", err, asks, w.open)
	}
}

// TestRoom_CannotBeTold: who owns the baskets of a region that is closed.
func TestRoom_CannotBeTold(t *testing.T) {
	w, _ := failed(t, WriterOptions{Reserve: 1})
	crowded(w)
	if err := w.store.region.Close(); err != nil {
		t.Fatal(err)
	}
	w.short = true
	if err := w.portionFor(1); !errors.Is(err, region.ErrClosed) {
		t.Errorf("a portion: %v", err)
	}
	if err := w.room(1); !errors.Is(err, region.ErrClosed) {
		t.Errorf("room: %v", err)
	}
	if did, err := w.Tend(1); did != 0 || !errors.Is(err, region.ErrClosed) {
		t.Errorf("a Tend: %d %v", did, err)
	}
}

// TestEnded_SettleFails: a basket that somebody's hand leads into stays when the index cannot be settled.
func TestEnded_SettleFails(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	head := MakeHead(StateRetiring, 1, 3, 9)
	w.store.baskets[2].head.Store(uint64(head))
	w.store.appendSize(2*32, MakeSizeWord(7, 3))
	w.store.appendHead(2*32+1, MakeKeyWord(0, 3, 0, 0))
	w.retiring, w.retired, w.at = 2, head, 3
	x.handed, x.settle = func() uint32 { return 2*32 + 1 }, errIndex
	if did, err := w.walk(1); did != 0 || !errors.Is(err, errIndex) || w.retiring != 2 || w.waits != 0 {
		t.Errorf("%d %v, basket %d, waits %d", did, err, w.retiring, w.waits)
	}
}

// TestZero_Writers: a writer that nobody has made is of no use, and says so.
func TestZero_Writers(t *testing.T) {
	for _, w := range []*Writer{nil, {}} {
		says(t, w.Close(), ErrZero, ErrZero.Error())
		says(t, w.Settle(), ErrZero, ErrZero.Error())
		if _, err := w.Tend(1); !errors.Is(err, ErrZero) {
			t.Errorf("a Tend: %v", err)
		}
	}
}
