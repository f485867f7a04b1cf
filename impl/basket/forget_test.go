package basket

import (
	"fmt"
	"testing"
)

// TestForget_OneBasket: all marks of a basket are cleared, also where its marks share a word with those of
// others, which stay.
func TestForget_OneBasket(t *testing.T) {
	for _, bytes := range []uint32{64, 256, 512, 4096} {
		s := onHeap(t, Layout{Baskets: 5, BasketBytes: bytes, Writers: 1})
		units := uint64(s.units)
		for b := range uint32(5) {
			for i := range s.touch {
				s.touch[i].Store(1<<64 - 1)
			}
			s.forget(b)
			for unit := range 5 * units {
				marked := s.touch[unit/64].Load()>>(unit%64)&1 == 1
				if marked != (unit/units != uint64(b)) {
					t.Fatalf("baskets of %d bytes, forget %d: the mark of unit %d is %v", bytes, b, unit,
						marked)
				}
			}
		}
	}
}

// TestForget_WhenABasketGoesDown: as the policy says, by each way down, and not by a writer that leaves
// marks alone, nor if the basket did not go down.
func TestForget_WhenABasketGoesDown(t *testing.T) {
	head := func(tier uint32) Head { return MakeHead(StateSealed, 0, 3, 5).In(tier) }
	for _, x := range []struct {
		about   string
		o       WriterOptions
		tier    uint32
		forgets []uint32
		other   bool // somebody else has taken the basket
		byCall  bool // Age, not what the policy ages
		want    bool
	}{
		{"from the top", WriterOptions{}, 0, []uint32{0}, false, false, true},
		{"from the middle", WriterOptions{}, 1, []uint32{1}, false, false, true},
		{"from the top, and it is the middle", WriterOptions{}, 0, []uint32{1}, false, false, false},
		{"from the middle, and it is the top", WriterOptions{}, 1, []uint32{0, 2}, false, false, false},
		{"by a call", WriterOptions{}, 0, []uint32{0}, false, true, true},
		{"by a call, not asked for", WriterOptions{}, 0, nil, false, true, false},
		{"by who leaves marks alone", WriterOptions{NoTouch: true}, 0, []uint32{0}, false, false, false},
		{"taken by another one", WriterOptions{}, 0, []uint32{0}, true, false, false},
	} {
		w := chooser(t, x.o)
		w.order = &script{ages: []uint32{x.tier}, forgets: x.forgets}
		w.store.baskets[1].head.Store(uint64(head(x.tier)))
		w.store.touchAs(w.store.units, allMarks)
		seen := sight{}
		for t := range seen.oldest {
			seen.oldest[t].rank = rankNone
		}
		seen.oldest[x.tier] = choice{1, head(x.tier), rankSealed}
		if x.other {
			w.store.baskets[1].head.Store(uint64(head(x.tier)) + 1<<63)
		}
		if x.byCall {
			if done, err := w.Age(); !done || err != nil {
				t.Errorf("%s: %v %v", x.about, done, err)
			}
		} else {
			w.ageAll(&seen)
		}
		if gone := w.store.touches(w.store.units) == 0; gone != x.want {
			t.Errorf("%s: the marks are gone: %v", x.about, gone)
		}
	}
}

// TestAgeing_NearerToLRU: a cache in which half of the records are used just after they came in, and the
// other half later on. All are used as often, and often does not count. Those that were used later on stay.
func TestAgeing_NearerToLRU(t *testing.T) {
	const baskets, each = 64, 8
	s := onHeap(t, Layout{Baskets: baskets, BasketBytes: 512, Writers: 1, Tiers: 4, PolicyWords: 16})
	w, err := s.NewWriter(&changing{}, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o := w.order.(*ageing)
	o.often = share{0, 1}
	stays := ""
	for _, later := range []bool{false, true} {
		unit := s.units // of the first record of basket 1, in the top tier
		s.touchAs(unit, 0)
		if !later {
			s.touched(unit)
		}
		head := MakeHead(StateSealed, 0, 0, 1)
		s.baskets[1].head.Store(uint64(head))
		if !w.lower(choice{1, head, rankSealed}) {
			t.Fatal("the basket did not go down")
		}
		if later {
			s.touched(unit)
		}
		m := s.touches(unit)
		v := o.verdict(&Candidate{Hash: 7, Uses: m.uses(), Given: m.given(), Units: each})
		stays += fmt.Sprint(v.Stays, " ")
	}
	if stays != "false true " {
		t.Errorf("used at once, and used later: they stay %s", stays)
	}
}
