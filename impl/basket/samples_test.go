package basket

import (
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// drawnBy is a hash that is drawn in this walk of the writer.
func drawnBy(o *ageing) uint32 {
	for hash := uint32(1); ; hash++ {
		if o.drawn(hash) {
			return hash
		}
	}
}

// course is a record that a writer judges in one walk after the other, and what becomes of it.
type course struct {
	about string
	first Candidate // in the walk in which it is drawn
	then  []int     // its uses in the walks behind that; -1 is one more look in the same walk
	stays string    // y and n, one for each
	idle  share
	often share
	taken int // slots in the end
}

// TestSamples_Course: what becomes of a record of a sample, and what is counted by it.
func TestSamples_Course(t *testing.T) {
	idle, often := share{0, 3}, share{3, 6} // at the beginning
	for _, x := range []course{
		{"not used", Candidate{}, nil, "y", idle, often, 1},
		{"not used, never", Candidate{}, []int{0}, "yn", share{0, 4}, often, 0},
		{"not used, then used", Candidate{}, []int{1}, "yy", share{1, 4}, often, 0},
		{"not used, judged twice", Candidate{}, []int{-1}, "yy", idle, often, 1},
		{"given a use, not used", Candidate{Uses: 1, Given: 1}, nil, "y", idle, often, 0},
		{"used once", Candidate{Uses: 1}, nil, "y", idle, often, 0},
		{"used once, given one", Candidate{Uses: 2, Given: 1}, nil, "y", idle, often, 0},
		{"used twice", Candidate{Uses: 2}, nil, "y", idle, often, 1},
		{"used twice, judged twice", Candidate{Uses: 2}, []int{-1}, "yy", idle, often, 1},
		{"used twice, given one", Candidate{Uses: 3, Given: 1}, nil, "y", idle, often, 1},
		{"used twice, then used", Candidate{Uses: 2}, []int{1}, "yy", idle, often, 0},
		{"used twice, then not", Candidate{Uses: 2}, []int{0}, "yy", idle, often, 1},
		{"used twice, not, not", Candidate{Uses: 2}, []int{0, 0}, "yyn", idle, share{3, 7}, 0},
		{"used twice, not, used", Candidate{Uses: 2}, []int{0, 1}, "yyy", idle, share{4, 7}, 0},
		{"too old", Candidate{Old: true}, nil, "n", idle, often, 0},
	} {
		o := agesOf()
		o.Walks(0, 512)
		c := x.first
		c.Hash, c.Units = drawnBy(o), 5
		answers := map[bool]string{true: "y", false: "n"}
		text := answers[o.Judge(&c).Stays]
		for _, uses := range x.then {
			if uses >= 0 {
				o.Walks(0, 512)
				c.Uses, c.Given = uses, 0
			}
			text += answers[o.Judge(&c).Stays]
		}
		taken := 0
		for _, slots := range o.slots {
			for i := range slots {
				if slots[i].Load()&slotTaken != 0 {
					taken++
				}
			}
		}
		if text != x.stays || o.idle != x.idle || o.often != x.often || taken != x.taken {
			t.Errorf("%s: stays %s, idle %v, often %v, %d slots are taken; want %+v", x.about, text, o.idle,
				o.often, taken, x)
		}
	}
}

// TestSamples_Counts: one count is made on top of the others, of each kind.
func TestSamples_Counts(t *testing.T) {
	o := agesOf()
	text := ""
	for _, x := range []struct {
		of   watched
		used bool
	}{{watchedIdle, true}, {watchedIdle, false}, {watchedOften, true}, {watchedOften, false},
		{watchedIdle, true}} {
		o.count(x.of, x.used)
		text += fmt.Sprint(o.idle, o.often, " ")
	}
	if want := "{1 4} {3 6} {1 5} {3 6} {1 5} {4 7} {1 5} {4 8} {2 6} {4 8} "; text != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestSamples_NotTwice: a record that has been counted is not watched again in the same walk, although it is
// drawn.
func TestSamples_NotTwice(t *testing.T) {
	o := agesOf()
	o.Walks(0, 512)
	next := samples{walk: o.walk + 1}
	hash := uint32(1)
	for !o.drawn(hash) || !next.drawn(hash) {
		hash++
	}
	text := ""
	for range 3 {
		stays, sample := o.judge(&Candidate{Hash: hash})
		text += fmt.Sprint(stays, sample, " ")
		o.Walks(0, 512)
	}
	if want := "true true false true false false "; text != want || o.idle != (share{0, 4}) {
		t.Errorf("it stays, and is a sample: %s, want %s; counted %v", text, want, o.idle)
	}
}

// TestSamples_OneInASlot: a record whose slot another one has is no sample, until nobody can judge that one
// any more.
func TestSamples_OneInASlot(t *testing.T) {
	o := agesOf()
	o.Walks(0, 512)
	hash := drawnBy(o)
	slot, _ := o.slot(watchedIdle, hash)
	other := o.word(hash + 1)
	for _, x := range []struct {
		walks uint64 // since it was taken
		want  bool
	}{{0, false}, {1, false}, {slotRounds * 64, false}, {slotRounds*64 + 1, true}, {slotWalks, true}} {
		slot.Store(other - x.walks<<slotWalk)
		if stays, sample := o.judge(&Candidate{Hash: hash}); stays != x.want || sample != x.want {
			t.Errorf("%d walks behind another one: it stays %v, is a sample %v", x.walks, stays, sample)
		}
	}
}

// TestSamples_OfAllWriters: one writer watches a record, another one counts it, and a third one knows at
// its next walk.
func TestSamples_OfAllWriters(t *testing.T) {
	words := make(region.Words, samplesWords(1000))
	var writers [3]*ageing
	for i := range writers {
		writers[i] = Ageing{}.Order(words, Layout{Baskets: 64, BasketBytes: 4096, Tiers: 4}).(*ageing)
	}
	writers[0].Walks(0, 512)
	c := Candidate{Hash: drawnBy(writers[0]), Units: 5}
	if v := writers[0].Judge(&c); !v.Stays {
		t.Fatalf("it is no sample: %+v", v)
	}
	writers[1].Walks(0, 512)
	if v := writers[1].Judge(&c); v.Stays || writers[1].walk != 2 {
		t.Errorf("in walk %d it stays: %+v", writers[1].walk, v)
	}
	if writers[2].idle != (share{0, 3}) {
		t.Errorf("a writer knows without a look: %v", writers[2].idle)
	}
	if writers[2].Walks(0, 512); writers[2].idle != (share{0, 4}) {
		t.Errorf("another writer knows %v", writers[2].idle)
	}
	begins := Ageing{}.Order(words, Layout{Baskets: 64, BasketBytes: 4096, Tiers: 4}).(*ageing)
	if begins.idle != (share{0, 4}) {
		t.Errorf("one that begins knows %v", begins.idle)
	}
}

// TestSamples_Drawn: one in 64 hashes is drawn in each walk, and others in the next one.
func TestSamples_Drawn(t *testing.T) {
	const hashes = 1 << 16
	o := agesOf()
	last, both := map[uint32]bool{}, 0
	for walk := range uint64(20) {
		o.walk = walk
		now := map[uint32]bool{}
		for hash := range uint32(hashes) {
			if o.drawn(hash) {
				now[hash] = true
				if last[hash] {
					both++
				}
			}
		}
		if n := len(now); n < hashes/64*9/10 || n > hashes/64*11/10 {
			t.Errorf("in walk %d %d of %d are drawn", walk, n, hashes)
		}
		last = now
	}
	if both > 20*hashes/64/10 {
		t.Errorf("%d are drawn in two walks, one behind the other", both)
	}
}

// TestSamplesWords: a line, and two slots for 64 records, in whole lines; 8 to 256.
func TestSamplesWords(t *testing.T) {
	text := ""
	for _, records := range []uint64{0, 319, 640, 1000, 8192, 1 << 40} {
		n := samplesWords(records)
		s := samplesOf(make(region.Words, n), 1)
		text += fmt.Sprint(records, ":", n, "=", len(s.slots[0]), "+", len(s.slots[1]), " ")
	}
	want := "0:16=4+4 319:16=4+4 640:32=12+12 1000:40=16+16 8192:264=128+128 1099511627776:264=128+128 "
	if text != want {
		t.Errorf("%s, want %s", text, want)
	}
	for _, n := range []int{0, 1, 8, 15} { // of a header that is damaged
		if s := samplesOf(make(region.Words, n), 1); len(s.slots[0]) != 4 || len(s.slots[1]) != 4 {
			t.Errorf("of %d words: %d and %d slots", n, len(s.slots[0]), len(s.slots[1]))
		}
	}
}

// TestSharesOf_Words: what has been counted comes back, and what cannot have been counted is as new.
func TestSharesOf_Words(t *testing.T) {
	for _, x := range [][2]share{{{0, 1}, {1, 2}}, {{7, 9}, {255, 255}}, {{255, 255}, {0, 255}}} {
		if idle, often := sharesOf(wordOfShares(x[0], x[1])); idle != x[0] || often != x[1] {
			t.Errorf("%v: %v %v", x, idle, often)
		}
	}
	if word := wordOfShares(share{1, 2}, share{3, 4}); word != 4<<48|3<<32|2<<16|1 {
		t.Errorf("%#x", word)
	}
	for _, x := range [][2]share{{{0, 0}, {1, 2}}, {{0, 1}, {0, 0}}, {{3, 2}, {1, 2}}, {{0, 1}, {3, 2}},
		{{0, 256}, {1, 2}}, {{0, 1}, {1, 256}}} {
		idle, often := sharesOf(wordOfShares(x[0], x[1]))
		if idle != (share{0, 3}) || often != (share{3, 6}) {
			t.Errorf("%v: %v %v", x, idle, often)
		}
	}
}

// TestSamples_AnyContent: whatever the words have, calls end, and what is counted can have been counted.
func TestSamples_AnyContent(t *testing.T) {
	words := make(region.Words, samplesWords(1000))
	for seed := range uint64(200) {
		for i := range words {
			words[i].Store((seed*uint64(len(words))+uint64(i)+1)*0x9E3779B97F4A7C15 ^ seed<<40)
		}
		o := Ageing{}.Order(words, Layout{Baskets: 64, BasketBytes: 4096, Tiers: 4}).(*ageing)
		for n := range uint32(200) {
			o.Walks(0, 512)
			o.Judge(&Candidate{Hash: n * 0x85EBCA6B, Uses: int(n % 4), Units: 5})
			if !o.idle.sound() || !o.often.sound() {
				t.Fatalf("seed %d: idle %v, often %v", seed, o.idle, o.often)
			}
		}
	}
}

// TestShare_HalvesAtItsMost: of what is counted the last ones count most.
func TestShare_HalvesAtItsMost(t *testing.T) {
	s := share{253, 253}
	text := ""
	for _, hit := range []bool{true, false, false, true} {
		s.count(hit)
		text += fmt.Sprint(s.hits, "/", s.all, " ")
	}
	if text != "254/254 254/255 127/128 128/129 " {
		t.Error(text)
	}
}

// TestOftenCounts_Numbers: one in six, and half as many again as of the others.
func TestOftenCounts_Numbers(t *testing.T) {
	for _, x := range []struct {
		often, idle share
		want        bool
	}{
		{share{1, 6}, share{0, 1}, true}, {share{1, 7}, share{0, 1}, false}, {share{0, 1}, share{0, 1},
			false},
		{share{3, 8}, share{1, 4}, false}, {share{3, 8}, share{1, 5}, true}, {share{9, 9}, share{2, 3},
			false},
		{share{9, 9}, share{1, 2}, true}, {share{20, 100}, share{5, 50}, true},
	} {
		o := samples{often: x.often, idle: x.idle}
		if got := o.oftenCounts(); got != x.want {
			t.Errorf("%v, others %v: %v", x.often, x.idle, got)
		}
	}
}
