package basket

import (
	"fmt"
	"testing"
)

// chooser is a writer of a store of 10 baskets of 128 units.
func chooser(t *testing.T, o WriterOptions) *Writer {
	t.Helper()
	w, err := onHeap(t, Layout{Baskets: 10, BasketBytes: 1024, Writers: 3, Tiers: 3, Lanes: 2}).
		NewWriter(&changing{}, o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestBehind_Numbers: when a walk has more units left than there will be room for.
func TestBehind_Numbers(t *testing.T) {
	w := chooser(t, WriterOptions{})
	if w.left() != 0 || !w.behind(0) {
		t.Errorf("without an open basket %d units are left", w.left())
	}
	w.open = 4
	for _, x := range []struct {
		pos, at, own uint32
		want         bool
	}{{100, 0, 20, true}, {100, 128, 20, true}, {100, 127, 19, false}, {100, 126, 19, true},
		{85, 112, 20, false}, {85, 111, 20, true}, {0, 8, 0, false}, {0, 0, 0, false}, {0, 0, 1, true}} {
		if w.pos, w.at = x.pos, x.at; w.behind(x.own) != x.want || w.left() != 128-x.pos {
			t.Errorf("%v: %v, %d left", x, w.behind(x.own), w.left())
		}
	}
}

// TestGain_Numbers: what is gained by compacting a basket.
func TestGain_Numbers(t *testing.T) {
	w := chooser(t, WriterOptions{})
	w.open = 4
	for _, x := range []struct {
		tends    bool
		pos      uint32
		used, is uint32
		want     uint32
	}{{false, 0, 70, 63, 7}, {true, 0, 70, 63, 65}, {true, 0, 70, 64, 6}, {true, 65, 70, 63, 65},
		{true, 66, 70, 63, 7}, {true, 0, 0, 0, 128}} {
		if w.tends, w.pos = x.tends, x.pos; w.gain(MakeHint(0, x.used, x.is)) != x.want {
			t.Errorf("%v: %d", x, w.gain(MakeHint(0, x.used, x.is)))
		}
	}
}

// TestChoice_Better: what comes first of two baskets.
func TestChoice_Better(t *testing.T) {
	of := func(r rank, n uint64) choice { return choice{0, MakeHead(StateSealed, 0, 0, n), r} }
	for _, x := range []struct {
		a, b choice
		want bool
	}{{of(rankFree, 9), of(rankLeftRetiring, 1), true}, {of(rankLeftRetiring, 9), of(rankLeftOpen, 1), true},
		{of(rankLeftOpen, 9), of(rankSealed, 1), true}, {of(rankSealed, 9), of(rankNone, 1), true},
		{of(rankNone, 1), of(rankSealed, 9), false}, {of(rankSealed, 1), of(rankSealed, 2), true},
		{of(rankSealed, 2), of(rankSealed, 1), false}, {of(rankSealed, 1), of(rankSealed, 1), false},
		{of(rankLeftOpen, 1), of(rankLeftOpen, 2), false}, {of(rankSealed, 1), of(rankLeftOpen, 2), false}} {
		if got := x.a.better(x.b); got != x.want {
			t.Errorf("%v before %v: %v", x.a, x.b, got)
		}
	}
}

// TestLook_SeesEachBasket: the result of a look over heads that the test has written.
func TestLook_SeesEachBasket(t *testing.T) {
	dead := ownerOf(7, 0)
	w := chooser(t, WriterOptions{Number: 5, Alive: func(o Owner) bool { return o != dead }})
	w.store.entries[1].owner.Store(uint64(dead)) // owner of the second entry; the third entry is free
	for b, x := range []struct {
		head       Head
		used, live uint32
	}{{MakeHead(StateSealed, 0, 0, 8).In(1), 100, 60}, {MakeHead(StateFree, 0, 0, 0), 0, 0},
		{MakeHead(StateSealed, 0, 0, 5).In(1), 100, 40}, {MakeHead(StateOpen, 1, 0, 9), 50, 50},
		{MakeHead(StateOpen, 3, 0, 10), 90, 20}, {MakeHead(StateRetiring, 2, 0, 2).In(2), 90, 10},
		{MakeHead(StateFree, 0, 0, 0), 0, 0}, {MakeHead(StateSealed, 0, 0, 4).In(0), 30, 30},
		{MakeHead(StateSealed, 0, 0, 3).In(0), 128, 0}, {MakeHead(StateFree, 0, 0, 0), 0, 0}} {
		w.store.baskets[b].head.Store(uint64(x.head))
		w.store.baskets[b].hintBegin(MakeHint(0, x.used, x.live))
	}
	ranks := ""
	for b := range w.store.baskets {
		r, err := w.rank(w.store.baskets[b].roomLook())
		if err != nil {
			t.Fatal(err)
		}
		ranks += fmt.Sprint(r)
	}
	if ranks != "3034210330" {
		t.Errorf("the ranks are %s", ranks)
	}
	show := func(s sight) string {
		return fmt.Sprint(s.frees, s.free.basket, s.best.basket, s.best.rank, s.sparse.basket, s.gain,
			s.moves, s.opens, s.live, s.tiers[:3],
			s.oldest[0].basket, s.oldest[1].basket, s.oldest[2].rank)
	}
	for _, x := range []struct {
		cursor uint32
		enough int
		passed uint32
		want   string
	}{
		{0, 100, none, "3 1 5 1 8 128 0 1 210 [{4 2} {2 2} {1 0}] 8 2 4"},
		{2, 100, none, "3 6 5 1 8 128 0 1 210 [{4 2} {2 2} {1 0}] 8 2 4"},
		{2, 1, none, "1 6 5 1 2 60 40 1 120 [{2 0} {1 1} {1 0}] 4294967295 2 4"},
		{7, 2, none, "2 9 8 3 8 128 0 0 90 [{2 2} {1 1} {0 0}] 8 0 4"},
		{2, 100, 8, "3 6 5 1 2 60 40 1 210 [{4 1} {2 2} {1 0}] 7 2 4"},
		{2, 100, 5, "3 6 4 2 8 128 0 1 200 [{4 2} {2 2} {1 0}] 8 2 4"},
		{2, 0, none, "0 0 4294967295 4 0 0 0 0 0 [{0 0} {0 0} {0 0}] 4294967295 4294967295 4"},
	} {
		w.cursor, w.passed = x.cursor, x.passed
		seen, err := w.look(x.enough)
		if text := show(seen); text != x.want || err != nil {
			t.Errorf("from %d for %d, but for %d:\n%s, %v\nwant\n%s", x.cursor, x.enough, x.passed, text,
				err, x.want)
		}
	}
}

// TestLook_LeastLives: of the baskets worth compacting, the one with the fewest live units is chosen,
// although another one has more dead records, because the room behind its last record is gained, too.
func TestLook_LeastLives(t *testing.T) {
	for _, x := range []struct{ a, b, want uint32 }{ // used and live of both: 128 and a, 100 and b
		{20, 0, 1}, {20, 19, 1}, {20, 20, 0}, {0, 0, 0}, {116, 87, 1}, {115, 88, 0}} {
		w := chooser(t, WriterOptions{})
		for b, h := range []Hint{MakeHint(0, 128, x.a), MakeHint(0, 100, x.b)} {
			w.store.baskets[b].head.Store(uint64(MakeHead(StateSealed, 0, 0, 5)))
			w.store.baskets[b].hintBegin(h)
		}
		if seen, err := w.look(100); err != nil || seen.sparse.basket != x.want || seen.gain == 0 {
			t.Errorf("%+v: basket %d gains %d, %v", x, seen.sparse.basket, seen.gain, err)
		}
	}
}

// TestWants_Numbers: one more basket has to be free for each that others have open, and one for a new
// writer, if compaction provides them and they are at most half of the slack.
func TestWants_Numbers(t *testing.T) {
	w := chooser(t, WriterOptions{Reserve: 2})
	for _, x := range []struct {
		live    uint64
		gain    uint32
		opens   int
		reserve int
		want    int
	}{{0, 1, 0, 2, 3}, {0, 1, 3, 2, 6}, {0, 0, 3, 2, 2}, {1152, 1, 3, 2, 2}, {1151, 1, 3, 2, 2},
		{896, 1, 3, 2, 3}, {897, 1, 3, 2, 2}, {640, 1, 3, 2, 4}, {0, 1, 9, 2, 6}, {0, 1, 3, 0, 0}} {
		w.reserve = x.reserve
		if got := w.wants(&sight{live: x.live, gain: x.gain, opens: x.opens}); got != x.want {
			t.Errorf("%+v: wants %d", x, got)
		}
	}
}

// TestVictim_OfASight: which basket makes room, and whether its live records are moved.
func TestVictim_OfASight(t *testing.T) {
	w := chooser(t, WriterOptions{Reserve: 2})
	sealed := func(b uint32) choice { return choice{b, MakeHead(StateSealed, 0, 0, uint64(b)), rankSealed} }
	empty := choice{none, 0, rankNone}
	for _, x := range []struct {
		best, top, middle, last choice
		live                    uint64
		gain                    uint32
		reserve                 int
		want                    uint32
		moves                   bool
	}{
		{choice{3, 0, rankLeftOpen}, sealed(1), sealed(2), sealed(4), 0, 128, 2, 3, false},
		{choice{none, 0, rankNone}, empty, empty, empty, 0, 128, 2, none, false},
		{sealed(1), sealed(1), sealed(2), sealed(4), 1151, 13, 2, 9, true},
		{sealed(1), sealed(1), sealed(2), sealed(4), 1152, 13, 2, 4, false},
		{sealed(1), sealed(1), sealed(2), sealed(4), 1151, 0, 2, 4, false},
		{choice{3, 0, rankLeftRetiring}, sealed(1), sealed(2), sealed(4), 1151, 13, 2, 3, true},
		{choice{3, 0, rankLeftRetiring}, sealed(1), sealed(2), sealed(4), 1151, 0, 2, 3, true},
		{choice{3, 0, rankLeftRetiring}, sealed(1), sealed(2), sealed(4), 1152, 13, 2, 3, false},
		{choice{3, 0, rankLeftRetiring}, sealed(1), sealed(2), sealed(4), 0, 13, 0, 3, false},
		{sealed(1), sealed(1), sealed(2), sealed(4), 0, 128, 0, 4, false},
		{sealed(1), sealed(1), sealed(2), empty, 1152, 0, 2, 2, false},
		{sealed(1), sealed(1), empty, empty, 1152, 0, 2, 1, false},
	} {
		seen := sight{best: x.best, sparse: sealed(9), live: x.live, gain: x.gain}
		for i := range seen.oldest {
			seen.oldest[i] = empty
		}
		seen.oldest[0], seen.oldest[1], seen.oldest[2] = x.top, x.middle, x.last
		w.reserve = x.reserve
		got, moves := w.victim(&seen)
		if got.basket != x.want || moves != x.moves {
			t.Errorf("%+v: basket %d, moved %v", x, got.basket, moves)
		}
	}
	if w.rivals[0] != (rivals{basket: 1}) || w.rivals[2] != (rivals{basket: 4}) ||
		w.rivals[3].basket != none {
		t.Errorf("the rivals are %+v", w.rivals)
	}
}

// TestOlder_EachNumber: a table may ask about any two refs.
func TestOlder_EachNumber(t *testing.T) {
	s := chooser(t, WriterOptions{}).store
	s.baskets[0].head.Store(uint64(MakeHead(StateSealed, 0, 0, 5)))
	s.baskets[1].head.Store(uint64(MakeHead(StateSealed, 0, 0, 4)))
	for _, x := range []struct {
		a, b uint32
		want bool
	}{{1, 2, true}, {2, 1, false}, {1, 1, false}, {1, 129, false}, {129, 1, true}, {128, 129, false},
		{1280, 1281, true}, {1281, 1280, false}, {1281, 1282, true}, {1282, 1281, false}, {0, 1, false},
		{1, 0, true}, {10, 128, true}, {128, 10, false}, {1280, 1, true}, {1, 1280, false}} {
		if got := s.Older(x.a, x.b); got != x.want {
			t.Errorf("%d is older than %d: %v", x.a, x.b, got)
		}
	}
}

// TestTune_Numbers: the numbers that a writer uses.
func TestTune_Numbers(t *testing.T) {
	var now Tuning
	w := chooser(t, WriterOptions{Reserve: 3, Tuning: func() Tuning { return now }})
	for _, x := range []struct {
		tuning Tuning
		want   string
	}{
		{Tuning{}, "90 10 3 0 0"}, {Tuning{Living: 1, Gain: 100, Reserve: 1}, "1 100 1 0 0"},
		{Tuning{Living: 101, Gain: 200, Reserve: 9}, "100 100 9 0 0"}, {Tuning{Reserve: 10}, "90 10 9 0 0"},
		{Tuning{Reserve: -1, Share: [8]uint32{0, 7}, Ages: [8]uint64{0, 8}}, "90 10 3 7 8"},
	} {
		now = x.tuning
		w.tune()
		if text := fmt.Sprint(w.living, w.least, w.reserve, w.share[1], w.ages[1]); text != x.want {
			t.Errorf("%+v: %s, want %s", x.tuning, text, x.want)
		}
	}
	w.normal = 0 // a writer that was made without a reserve stays without one
	now = Tuning{Reserve: 4}
	if w.tune(); w.reserve != 0 {
		t.Errorf("the reserve is %d", w.reserve)
	}
}

// TestVictim_Rivals: the place in the oldest basket of a tier is kept while that basket is the same, and
// while compaction makes room.
func TestVictim_Rivals(t *testing.T) {
	w := chooser(t, WriterOptions{Reserve: 2})
	sealed := func(b uint32) choice { return choice{b, MakeHead(StateSealed, 0, 0, uint64(b)), rankSealed} }
	seen := sight{best: sealed(1), sparse: sealed(9), live: 1151, gain: 13}
	for i := range seen.oldest {
		seen.oldest[i] = choice{none, 0, rankNone}
	}
	seen.oldest[0], seen.oldest[2] = sealed(1), sealed(4)
	same, other := rivals{basket: 1, at: 7}, rivals{basket: 9, at: 5}
	w.reserve, w.rivals[0], w.rivals[2] = 2, same, other
	if x, moves := w.victim(&seen); x.basket != 9 || !moves || w.rivals[0] != same || w.rivals[2] != other {
		t.Errorf("basket %d, moved %v, the rivals are %+v", x.basket, moves, w.rivals)
	}
	seen.live = 1152
	if x, moves := w.victim(&seen); x.basket != 4 || moves || w.rivals[0] != same ||
		w.rivals[2] != (rivals{basket: 4}) {
		t.Errorf("basket %d, moved %v, the rivals are %+v", x.basket, moves, w.rivals)
	}
}

// beyond is a policy that names a tier that does not exist.
type beyond struct{ script }

func (*beyond) Retires(*Balance) uint32 { return TiersMax + 1 }

// TestVictim_TierBeyond: such a policy does no harm.
func TestVictim_TierBeyond(t *testing.T) {
	w := chooser(t, WriterOptions{Reserve: 2})
	w.order = &beyond{}
	seen := sight{best: choice{2, MakeHead(StateSealed, 0, 0, 2), rankSealed}, live: 1152}
	for i := range seen.oldest {
		seen.oldest[i] = choice{none, 0, rankNone}
	}
	seen.oldest[1] = seen.best
	if x, _ := w.victim(&seen); x.basket != 2 {
		t.Errorf("basket %d", x.basket)
	}
}

// TestTend_LooksOnce: a call that finds enough free baskets does not look again.
func TestTend_LooksOnce(t *testing.T) {
	w, s := chooser(t, WriterOptions{Reserve: 2}), &script{}
	w.order = s
	if did, err := w.Tend(100); did != 0 || err != nil || len(s.seen) != 1 {
		t.Errorf("%d records, %v, %d looks", did, err, len(s.seen))
	}
}

// TestRetire_WhatIsTooOld: in a store with one tier, a basket that is too old retires however many baskets
// are free, if an age is set; otherwise none does.
func TestRetire_WhatIsTooOld(t *testing.T) {
	for age, want := range map[uint64]uint32{0: none, 1: 9, 2: none, 1 << 40: none} {
		w, err := onHeap(t, Layout{Baskets: 10, BasketBytes: 1024, Writers: 3}).NewWriter(&changing{},
			WriterOptions{Now: func() uint64 { return 1000 }, Tuning: func() Tuning {
				return Tuning{Reserve: 1, Ages: [TiersMax]uint64{age}}
			}})
		if err != nil {
			t.Fatal(err)
		}
		w.tends = true
		w.store.times[9].Store(998)
		w.store.baskets[9].head.Store(uint64(MakeHead(StateSealed, 0, 3, 9)))
		if err := w.retire(); err != nil || w.retiring != want {
			t.Errorf("with an age of %d ms basket %d retires (%v), want %d", age, w.retiring, err, want)
		}
	}
}
