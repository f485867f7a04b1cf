package basket

import (
	"fmt"
	"testing"
)

// TestTend_OfNoRecords begins nothing.
func TestTend_OfNoRecords(t *testing.T) {
	w, _ := failed(t, WriterOptions{Reserve: 3})
	for i := range uint32(5) { // two fit into a basket, and three baskets are in use
		put(t, w, 10+i, "key", "0123456789012345678901234567890123456789012345678901234567890123456789012345")
	}
	before := w.retiring
	for _, n := range []int{0, -1} {
		if did, err := w.Tend(n); did != 0 || err != nil || w.retiring != before || w.tends {
			t.Errorf("%d records: did %d, %v, basket %d, then %d", n, did, err, before, w.retiring)
		}
	}
	if did, err := w.Tend(1); did != 1 || err != nil || w.retiring == none || w.tends {
		t.Errorf("one record: did %d, %v, basket %d", did, err, w.retiring)
	}
}

// crowded makes all baskets but the open one those of another writer, who lives.
func crowded(w *Writer) {
	for b := range w.store.baskets {
		if uint32(b) != w.open {
			w.store.baskets[b].head.Store(uint64(MakeHead(StateOpen, 2, 0, uint64(50+b))))
		}
	}
	w.store.entries[1].owner.Store(uint64(ownerOf(9, 0)))
}

// TestPortionFor_LooksAgainHalfway: a writer whose open basket is more than half full looks once more whether
// enough baskets are free, and once only.
func TestPortionFor_LooksAgainHalfway(t *testing.T) {
	for _, x := range []struct {
		pos     uint32
		reserve int
		before  bool // whether it has looked
		halfway bool
		looks   int
	}{{16, 2, false, false, 0}, {17, 2, false, true, 1}, {17, 2, true, true, 0}, {17, 0, false, true, 0}} {
		looks := 0
		w, _ := failed(t, WriterOptions{Tuning: func() Tuning { looks++; return Tuning{} }})
		put(t, w, 5, "key", "value")
		w.pos, w.reserve, w.normal, w.halfway, w.short = x.pos, x.reserve, x.reserve, x.before, false
		crowded(w)
		looks = 0
		if err := w.portionFor(3); err != nil || w.halfway != x.halfway || looks != x.looks {
			t.Errorf("%+v: %v, halfway is %v, looked %d times", x, err, w.halfway, looks)
		}
	}
}

// TestRoom_Bounds: a call that can have no basket looks at about four million heads. Meanwhile it walks 16
// times over a basket that somebody's hand leads into, and gives it back each time.
func TestRoom_Bounds(t *testing.T) {
	asked, hands := 0, 0
	x := &failing{refs: map[uint32]uint32{}, handed: func() uint32 { hands++; return 3*32 + 1 }}
	w, err := onHeap(t, Layout{Baskets: 4, BasketBytes: 256, Writers: 3}).NewWriter(x, WriterOptions{
		Reserve: -1, Alive: func(Owner) bool { asked++; return true }})
	if err != nil {
		t.Fatal(err)
	}
	crowded(w)
	w.store.baskets[3].head.Store(uint64(MakeHead(StateSealed, 0, 0, 1)))
	w.store.appendSize(3*32, MakeSizeWord(7, 3))
	w.store.appendHead(3*32+1, MakeKeyWord(0, 3, 0, 0))
	w.passed = 3
	asked = 0
	says(t, w.room(5), ErrNoRoom, "4 baskets, of which others have all: "+ErrNoRoom.Error())
	// A walk looks at what is in hands before and behind a settlement.
	if asked != 3*roomLooks/4 || hands != 2*16 || x.settled != 16 || w.retiring != none {
		t.Errorf("asked %d times who lives, and %d times what is in hands; settled %d times", asked, hands,
			x.settled)
	}
}

// cramped is a writer whose open basket has no room for a record of basket 3, which is the only one that can
// be retired, and in which half is dead. It tells what leaves.
func cramped(t *testing.T, left *string, o WriterOptions) (*Writer, *failing) {
	t.Helper()
	o.Reserve, o.Tell = 1, func(l Leaving) { *left += fmt.Sprintf("%v %s;", l.Reason, l.Key) }
	w, x := failed(t, o)
	put(t, w, 5, "key", "0123456789")
	if err := w.seal(); err != nil {
		t.Fatal(err)
	}
	put(t, w, 6, "other", "value")
	w.pos = w.store.units - 1
	last := w.store.basketOf(Ref(x.refs[5]).unit())
	crowded(w)
	w.store.baskets[last].head.Store(uint64(MakeHead(StateSealed, 0, 0, 1)))
	w.store.baskets[last].hintBegin(MakeHint(0, 32, 16))
	for b := range w.store.baskets {
		if uint32(b) != last {
			w.store.baskets[b].hintBegin(MakeHint(0, 8, 8))
		}
	}
	return w, x
}

// TestPortionFor_Waits: a basket waits, and nothing leaves, if a writer that compacts it ahead of time has no
// room for what lives there. It goes on when there is some.
func TestPortionFor_Waits(t *testing.T) {
	left := ""
	w, x := cramped(t, &left, WriterOptions{})
	last := w.store.basketOf(Ref(x.refs[5]).unit())
	w.short = true
	err := w.portionFor(3)
	if state := w.store.baskets[last].roomLook().State(); err != nil || left != "" || w.retiring != last ||
		w.at != 0 || !w.stuck || state != StateRetiring {
		t.Errorf("%v: left %q, retires %d at %d, stuck is %v, and the basket is %v", err, left, w.retiring,
			w.at, w.stuck, state)
	}
	if err := w.portionFor(3); err != nil || left != "" || w.at != 0 {
		t.Errorf("%v: left %q, retires at %d, and there still is no room", err, left, w.at)
	}
	for b := range w.store.baskets { // another one has freed a basket
		if uint32(b) != last && uint32(b) != w.open {
			w.store.baskets[b].head.Store(uint64(MakeHead(StateFree, 0, 1, 0)))
			break
		}
	}
	if err := w.portionFor(3); err != nil || w.at != 0 {
		t.Errorf("%v: retires at %d, and half of the open basket was full before", err, w.at)
	}
	w.halfway = false
	if err := w.portionFor(w.store.units); err != nil || left != "" || w.at == 0 || w.stuck {
		t.Errorf("%v: left %q, retires at %d, stuck is %v, and there is room", err, left, w.at, w.stuck)
	}
}

// TestRoom_TakesWhatItNeeds: a call that cannot go on without a basket takes it, though there is no place for
// what lives there.
func TestRoom_TakesWhatItNeeds(t *testing.T) {
	left := ""
	w, x := cramped(t, &left, WriterOptions{})
	last := w.store.basketOf(Ref(x.refs[5]).unit())
	if err := w.room(5); err != nil || left != "evicted key;" || w.open != last {
		t.Errorf("%v: left %q, opened %d of %d", err, left, w.open, last)
	}
}

// TestTake_OfEachRank: what a look has found is claimed if it is still that.
func TestTake_OfEachRank(t *testing.T) {
	for _, x := range []struct {
		rank  rank
		head  Head
		other bool // somebody else was there before
		want  string
		evict bool // what lives there is not to be moved
	}{
		{rankNone, MakeHead(StateOpen, 2, 3, 9), false, "open generation 3 sequence 9 writer 1; none [] 30",
			false},
		{rankLeftOpen, MakeHead(StateOpen, 2, 3, 9).In(1), false,
			"sealed generation 3 sequence 9 tier 1; none [] 30", false},
		{rankLeftRetiring, MakeHead(StateRetiring, 2, 3, 9).In(1), false,
			"sealed generation 3 sequence 31 tier 1; none [] 31", false},
		{rankLeftRetiring, MakeHead(StateRetiring, 2, 3, 9).In(1), false,
			"retiring generation 3 sequence 31 tier 1 writer 0; 2 0 false 0 0 0 true [1 128] 31", true},
		{rankSealed, MakeHead(StateSealed, 0, 3, 9).In(1), false,
			"retiring generation 3 sequence 9 tier 1 writer 0; 2 0 true 0 0 0 true [1 128] 30", false},
		{rankSealed, MakeHead(StateSealed, 0, 3, 9), false,
			"retiring generation 3 sequence 9 writer 0; 2 0 true 0 0 0 false [0 128] 30", false},
		{rankSealed, MakeHead(StateSealed, 0, 3, 9), true, "sealed generation 3 sequence 10; none [] 30",
			false},
		{rankLeftOpen, MakeHead(StateOpen, 2, 3, 9), true, "sealed generation 3 sequence 10; none [] 30",
			false},
		{rankLeftRetiring, MakeHead(StateRetiring, 2, 3, 9), true,
			"sealed generation 3 sequence 10; none [] 31", false},
	} {
		w, s := chooser(t, WriterOptions{Now: func() uint64 { return 1000 }}), &script{}
		w.order, w.ages[1] = s, 100
		w.store.times[2].Store(899)
		w.store.common.sequence.Store(30)
		w.store.baskets[2].head.Store(uint64(x.head))
		if x.other {
			w.store.baskets[2].head.Store(uint64(MakeHead(StateSealed, 0, 3, 10)))
		}
		w.at, w.waits, w.ahead, w.led = 5, 6, 7, 8
		w.stuck = true
		if err := w.take(choice{2, x.head, x.rank}, !x.evict); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(w.store.baskets[2].roomLook(), "; none ", s.walk, " ",
			w.store.common.sequenceRead())
		if w.stuck != (w.retiring == none) {
			t.Errorf("%v: stuck is %v", x.head, w.stuck)
		}
		if w.retiring != none {
			text = fmt.Sprint(w.retired, "; ", w.retiring, " ", w.at, " ", w.moves, " ", w.waits, " ",
				w.ahead,
				" ", w.led, " ", w.tooLong, " ", s.walk, " ", w.store.common.sequenceRead())
			if w.retired != w.store.baskets[2].roomLook() {
				t.Errorf("%v is there, and not %v", w.store.baskets[2].roomLook(), w.retired)
			}
		}
		if text != x.want {
			t.Errorf("rank %d, %v:\n%s\nwant\n%s", x.rank, x.head, text, x.want)
		}
	}
}

// TestOpenBasket_OfAnotherOne: a writer whose open basket another one has opens none, and says so.
func TestOpenBasket_OfAnotherOne(t *testing.T) {
	w, _ := failed(t, WriterOptions{})
	put(t, w, 5, "key", "value")
	w.store.baskets[w.open].head.Store(uint64(MakeHead(StateOpen, 2, 0, 9)))
	says(t, w.openBasket(choice{2, 0, rankFree}), ErrCorrupt, "basket of writer 0 has another owner: "+
		ErrCorrupt.Error())
	if w.store.baskets[2].roomLook() != 0 || w.open != none {
		t.Errorf("it has opened %d", w.open)
	}
}
