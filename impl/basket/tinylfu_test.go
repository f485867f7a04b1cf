package basket

import (
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

const (
	lfuRoom  = 64 * 512 // units of the store of lfuOf
	lfuBegin = 2293     // of them are those of the small tier at the begin: 7 percent
)

// lfuOf is the order of TinyLFU in a store of 64 baskets of 512 units, and its words.
func lfuOf() (*tinyLFU, region.Words) {
	_, words := sketchOf(1 << 12)
	l := Layout{Baskets: 64, BasketBytes: 4096, Tiers: 2, Lanes: 2}
	return TinyLFU{}.Order(words, l).(*tinyLFU), words
}

// TestTinyLFU_Begins: what an order knows at first, and what the policy says of itself.
func TestTinyLFU_Begins(t *testing.T) {
	o, words := lfuOf()
	tiers, lanes := TinyLFU{}.Shape(5)
	text := fmt.Sprint(o.room, o.sketch.span, o.ghosts.part, len(o.sketch.blocks), o.sketch.epoch, tiers,
		lanes,
		TinyLFU{}.Words(1000), o.left)
	if want := "32768 196608 512 512 0 2 2 1008 [{0 0} {0 0}]"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	words[lineTiers].Store(1000)
	words[lineTiers+1].Store(2000)
	words[0].Store(196608 * 3)
	other := TinyLFU{}.Order(words, Layout{Baskets: 64, BasketBytes: 4096, Tiers: 2, Lanes: 2}).(*tinyLFU)
	if other.ghosts.time != [tinyTiers]uint64{1000, 2000} || other.sketch.epoch != 3 ||
		other.ghosts.sketch != &other.sketch {
		t.Errorf("one that comes later has the times %v and the epoch %d", other.ghosts.time,
			other.sketch.epoch)
	}
	if g := ghostsOf(&o.sketch, 63); g.part != 1 {
		t.Errorf("in a small store a part is %d units", g.part)
	}
}

// TestTinyLFU_Small: how large the small tier is to be, by the word of the region.
func TestTinyLFU_Small(t *testing.T) {
	o, _ := lfuOf()
	for word, want := range map[uint64]uint64{0: lfuBegin, 1: 1, 500: 500, lfuRoom - 1: lfuRoom - 1,
		lfuRoom: lfuBegin, lfuRoom + 1: lfuBegin} {
		if got := o.small(word); got != want {
			t.Errorf("of %d: %d units, want %d", word, got, want)
		}
	}
	if got := (&tinyLFU{room: 14}).small(0); got != 1 {
		t.Errorf("of a store of 14 units: %d", got)
	}
}

// TestTinyLFU_Shares: of a record that comes back the share of the small tier moves, by what the tier that it
// has left misses.
func TestTinyLFU_Shares(t *testing.T) {
	for _, x := range []struct {
		about        string
		tier         uint32
		since, units uint64
		left         [tinyTiers]share
		word, want   uint64
	}{
		{"nothing was judged", tierSmall, 0, 100, [tinyTiers]share{}, 0, lfuBegin},
		{"one of three leaves", tierSmall, 0, 100, [tinyTiers]share{{2, 6}, {}}, 0, lfuBegin + 4287/20},
		{"none leaves", tierSmall, 0, 100, [tinyTiers]share{{0, 6}, {}}, 0, lfuBegin + 6*1429/20},
		{"all leave", tierSmall, 0, 100, [tinyTiers]share{{6, 6}, {}}, 0, lfuBegin + 1429/20},
		{"one of a hundred leaves", tierSmall, 0, 100, [tinyTiers]share{{1, 100}, {}}, 0,
			lfuBegin + 16*1429/20},
		{"one of a hundred leaves, to the unit", tierSmall, 0, 70, [tinyTiers]share{{1, 100}, {}}, 0,
			lfuBegin + 16*1000/20},
		{"a round ago", tierSmall, lfuBegin, 100, [tinyTiers]share{{6, 6}, {}}, 0, lfuBegin + 1429/20},
		{"more than a round ago", tierSmall, lfuBegin + 1, 100, [tinyTiers]share{{6, 6}, {}}, 0, 0},
		{"from the main one", tierMain, 0, 100, [tinyTiers]share{{}, {2, 6}}, 2507, 2507 - 324/5},
		{"from the main one, a round ago", tierMain, 30261, 100, [tinyTiers]share{{}, {2, 6}}, 2507,
			2507 - 324/5},
		{"from the main one, long ago", tierMain, 30262, 100, [tinyTiers]share{{}, {2, 6}}, 2507, 2507},
		{"no less than 2 percent", tierMain, 0, 100, [tinyTiers]share{{}, {1, 100}}, 700, 655},
		{"and not below nothing", tierMain, 0, 500, [tinyTiers]share{{}, {1, 100}}, 700, 655},
		{"no more than 90 percent", tierSmall, 0, 512, [tinyTiers]share{{1, 100}, {}}, 29400, 29491},
	} {
		o, words := lfuOf()
		o.left = x.left
		words[lineShare].Store(x.word)
		o.missed(x.tier, x.since, x.units)
		if got := words[lineShare].Load(); got != x.want {
			t.Errorf("%s: the small tier is to have %d, want %d", x.about, got, x.want)
		}
	}
	_, words := sketchOf(8)
	o := TinyLFU{}.Order(words, Layout{Baskets: 1, BasketBytes: 256, Tiers: 2, Lanes: 2}).(*tinyLFU)
	o.left[tierMain] = share{1, 1}
	if o.missed(tierMain, 0, 32); words[lineShare].Load() != 1 {
		t.Errorf("of a store of 32 units it has %d", words[lineShare].Load())
	}
}

// TestTinyLFU_Baskets: the shares in baskets, rounded, and which tier ages or retires.
func TestTinyLFU_Baskets(t *testing.T) {
	for _, x := range []struct {
		percent     uint32
		word        uint64
		reserve     uint32
		small, main uint32
	}{{0, 0, 2, 4, 58}, {10, 0, 2, 6, 56}, {11, 0, 2, 7, 55}, {1, 0, 2, 1, 61}, {0, 100, 0, 1, 63},
		{0, 256, 0, 1, 63}, {0, 767, 0, 1, 63}, {0, 768, 0, 2, 62}, {100, 0, 2, 64, 0}, {99, 0, 1, 63, 0}} {
		o, words := lfuOf()
		words[lineShare].Store(x.word)
		b := Balance{All: 64, Reserve: x.reserve, Share: [TiersMax]uint32{tierSmall: x.percent, tierMain: 77}}
		if small, main := o.shares(&b); small != x.small || main != x.main {
			t.Errorf("%+v: %d and %d", x, small, main)
		}
	}
	for _, x := range []struct {
		small, main TierOf
		want        string
	}{
		{TierOf{5, 1}, TierOf{57, 9}, "0 true 0"}, {TierOf{5, 1}, TierOf{58, 9}, "0 false 0"},
		{TierOf{4, 1}, TierOf{57, 9}, "0 false 0"}, {TierOf{5, 0}, TierOf{57, 9}, "0 false 1"},
		{TierOf{5, 1}, TierOf{59, 9}, "0 false 1"},
	} {
		o, _ := lfuOf()
		b := Balance{All: 64, Reserve: 2, Tiers: [TiersMax]TierOf{x.small, x.main}}
		tier, ok := o.Ages(&b)
		if text := fmt.Sprint(tier, ok, o.Retires(&b)); text != x.want {
			t.Errorf("%v and %v: %s, want %s", x.small, x.main, text, x.want)
		}
	}
}

// TestTinyLFU_AgesUntilItIsFull: once a basket had to retire, no basket of the small tier goes to the main
// one as it is, unless more are free than there are to be.
func TestTinyLFU_AgesUntilItIsFull(t *testing.T) {
	for _, x := range []struct {
		about   string
		retires bool
		main    uint32
		want    bool
	}{
		{"never full, none free but the reserve", false, 57, true},
		{"full once, none free but the reserve", true, 57, false},
		{"full once, one more is free", true, 56, true},
	} {
		o, _ := lfuOf()
		b := Balance{All: 64, Reserve: 2, Tiers: [TiersMax]TierOf{{5, 1}, {x.main, 9}}}
		if x.retires {
			o.Retires(&b)
		}
		if tier, ok := o.Ages(&b); ok != x.want || tier != tierSmall {
			t.Errorf("%s: tier %d ages: %v", x.about, tier, ok)
		}
	}
}

// TestTinyLFU_WhatHasLeftMain: a key that has left the main tier of late enters it again only if it was asked
// for more often, in the mean, than what leaves it; any other key that was asked for four times does.
func TestTinyLFU_WhatHasLeftMain(t *testing.T) {
	for _, x := range []struct {
		about   string
		counted int // before it comes
		gone    int // in the mean
		ghost   bool
		tier    uint32
		want    uint32
	}{
		{"three times, and four times with this one", 3, 3, true, tierMain, tierMain},
		{"four times, as what leaves", 3, 4, true, tierMain, tierSmall},
		{"five times, and four", 4, 4, true, tierMain, tierMain},
		{"four times, and it has left the small tier", 3, 9, true, tierSmall, tierMain},
		{"four times, and it is not known to have left", 3, 9, false, 0, tierMain},
		{"three times, and nothing has left", 2, 0, true, tierMain, tierSmall},
	} {
		o, _ := lfuOf()
		o.gone = x.gone * goneOf
		o.sketch.add(7, x.counted, 1)
		if x.ghost {
			o.ghosts.leaves(7, x.tier)
		}
		if tier := o.Enters(7, 50); tier != x.want {
			t.Errorf("%s: it enters tier %d, want %d", x.about, tier, x.want)
		}
	}
}

// TestTinyLFU_CountsWhatLeavesMain: the mean is that of the keys that leave the main tier, and follows them.
func TestTinyLFU_CountsWhatLeavesMain(t *testing.T) {
	o, _ := lfuOf()
	o.sketch.add(1, 3, 1)
	o.sketch.add(2, 9, 1)
	judge := func(hash, tier uint32, uses int) int {
		o.Walks(tier, 512)
		o.Judge(&Candidate{Hash: hash, Tier: tier, Uses: uses, Units: 10})
		return o.gone
	}
	if text := fmt.Sprint(judge(1, tierMain, 1), judge(2, tierSmall, 0),
		judge(1, tierMain, 0)); text != "0 0 4" {
		t.Errorf("of one that stays, one that rises and one that leaves: %s", text)
	}
	for range 200 {
		judge(2, tierMain, 0)
	}
	if mean := o.gone / goneOf; mean != 9 {
		t.Errorf("behind many that were asked for nine times the mean is %d", mean)
	}
}

// TestTinyLFU_Enters: a key that was asked for four times enters the main tier. What comes back moves the
// share, and what comes in is counted.
func TestTinyLFU_Enters(t *testing.T) {
	o, words := lfuOf()
	text := ""
	for range 5 {
		text += fmt.Sprint(o.Enters(7, 50), " ")
	}
	if text += fmt.Sprint(o.ghosts.untold, o.sketch.untold,
		o.sketch.count(7)); text != "0 0 0 1 1 [0 100] 250 5" {
		t.Errorf("a key that comes five times: %s", text)
	}
	if text := fmt.Sprint(words[lineTiers].Load(), words[lineTiers+1].Load(),
		words[lineShare].Load()); text !=
		"150 0 0" {
		t.Errorf("units that have come in, and the share: %s", text)
	}
	o.left[tierSmall] = share{6, 6}
	o.ghosts.leaves(9, tierSmall)
	if o.Enters(9, 100); words[lineShare].Load() != lfuBegin+1429/20 {
		t.Errorf("of one that comes back the share is %d", words[lineShare].Load())
	}
	if o.Enters(9, 100); words[lineShare].Load() != lfuBegin+1429/20 {
		t.Errorf("of one that has come back the share is %d", words[lineShare].Load())
	}
}

// TestTinyLFU_JudgesTheMainTier: what was used stays, with one use less, as long as there is room.
func TestTinyLFU_JudgesTheMainTier(t *testing.T) {
	o, _ := lfuOf()
	o.Walks(tierMain, 512)
	text := fmt.Sprint(o.budget, " ")
	for _, x := range []struct {
		hash  uint32
		uses  int
		given int
		units uint32
	}{{1, 3, 0, 400}, {2, 0, 0, 10}, {3, 1, 0, 48}, {4, 2, 2, 1}} {
		v := o.Judge(&Candidate{Hash: x.hash, Tier: tierMain, Uses: x.uses, Given: x.given, Units: x.units})
		text += fmt.Sprint(v, " ", o.budget, o.sketch.count(x.hash), " ")
	}
	if want := "448 {true 1 2} 48 3 {false 1 0} 48 0 {true 1 0} 0 1 {false 1 1} 0 0 "; text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	if o.left != [tinyTiers]share{{}, {2, 4}} || o.sketch.untold != 3*400+48 ||
		o.ghosts.time != [tinyTiers]uint64{0, 400} ||
		o.ghosts.untold != [tinyTiers]uint64{0, 48} {
		t.Errorf("of those that have left %v; come in %v and %v", o.left, o.ghosts.time, o.ghosts.untold)
	}
	for hash, want := range map[uint32]bool{1: false, 2: true, 3: false, 4: true} {
		if tier, _, ok := o.ghosts.returns(hash); ok != want || ok && tier != tierMain {
			t.Errorf("%d has left tier %d: %v", hash, tier, ok)
		}
	}
}

// TestTinyLFU_JudgesTheSmallTier: a record goes to the main tier if it was asked for more often than a rival,
// by more than one; else it stays where it was used, if there is room.
func TestTinyLFU_JudgesTheSmallTier(t *testing.T) {
	const own, rival = 7, 77
	for _, x := range []struct {
		about        string
		counted      int // of the record
		uses, given  int
		rivalCounted int
		rivalUses    int // or -1: there is none
		units        uint32
		want         Verdict
		left         [tinyTiers]share
		untold       [tinyTiers]uint64
	}{
		{"no rival", 0, 0, 0, 0, -1, 50, Verdict{true, 1, 0}, [2]share{}, [2]uint64{0, 50}},
		{"more often by two", 2, 1, 0, 1, 0, 50, Verdict{true, 1, 0}, [2]share{}, [2]uint64{0, 50}},
		{"more often by one", 2, 1, 0, 2, 0, 50, Verdict{true, 0, 0}, [2]share{{0, 1}}, [2]uint64{50, 0}},
		{"as often", 2, 1, 0, 1, 2, 50, Verdict{true, 0, 0}, [2]share{{0, 1}}, [2]uint64{50, 0}},
		{"more often, but given", 2, 2, 1, 2, 0, 50, Verdict{true, 0, 0}, [2]share{{0, 1}}, [2]uint64{50, 0}},
		{"not used", 1, 0, 0, 1, 0, 50, Verdict{false, 0, 0}, [2]share{{1, 1}}, [2]uint64{}},
		{"used, and no room", 1, 1, 0, 1, 0, 449, Verdict{false, 0, 0}, [2]share{{1, 1}}, [2]uint64{}},
	} {
		o, _ := lfuOf()
		w := chooser(t, WriterOptions{})
		for i := range w.rivals {
			w.rivals[i].basket = none
		}
		if x.rivalUses >= 0 {
			w.rivals[tierMain] = rivals{basket: 4}
			w.store.records[4*128].bits.Store(uint64(MakeSizeWord(rival, 10)))
			w.store.touchAs(4*128, given(x.rivalUses))
		}
		o.Walks(tierSmall, 512)
		o.sketch.add(own, x.counted, 1)
		o.sketch.add(rival, x.rivalCounted, 1)
		v := o.Judge(&Candidate{Hash: own, Tier: tierSmall, Uses: x.uses, Given: x.given, Units: x.units,
			writer: w})
		if v != x.want || o.left != x.left || o.ghosts.untold != x.untold || o.gone != 0 {
			t.Errorf("%s: %+v, left %v, come in %v, in the mean %d", x.about, v, o.left, o.ghosts.untold,
				o.gone)
		}
		counted := uint64(x.counted + x.rivalCounted + (x.uses-x.given)*int(x.units))
		if n := o.sketch.count(own); n != x.counted+x.uses-x.given || o.sketch.untold != counted {
			t.Errorf("%s: it was counted %d times", x.about, n)
		}
		want := uint32(448)
		if v.Stays && v.Tier == tierSmall {
			want -= x.units
		}
		if _, _, ok := o.ghosts.returns(own); ok == v.Stays || o.budget != want {
			t.Errorf("%s: it is known as one that has left: %v; the rest is %d", x.about, ok, o.budget)
		}
	}
}
