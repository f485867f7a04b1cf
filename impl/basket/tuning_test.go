package basket_test

import (
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// tunedStore is a store of 16 baskets with one writer, which works by what the test puts into tuning.
func tunedStore(t *testing.T, reserve int, tuning *basket.Tuning) (checked, *basket.Writer) {
	l := basket.Layout{Baskets: 16, BasketBytes: 4096, Writers: 1}
	x := checked{newStore(t, l, 0), newWords(1<<16, 1)}
	return x, newWriter(t, x.Store, x.actor(0), basket.WriterOptions{Reserve: reserve,
		Tuning: func() basket.Tuning { return *tuning }})
}

// TestTuning_OfCompaction: a writer compacts by the numbers in force when it chooses a basket. With the
// defaults, a key that is overwritten again and again pushes nothing out. If no gain is large enough, or no
// number of live records small enough, it does.
func TestTuning_OfCompaction(t *testing.T) {
	const cold = 250
	for _, x := range []struct {
		name   string
		tuning basket.Tuning
		stays  bool
	}{
		{"defaults", basket.Tuning{}, true},
		{"no gain is enough", basket.Tuning{Gain: 100}, false},
		{"more than all is all", basket.Tuning{Gain: 1000}, false},
		{"what lives is too much", basket.Tuning{Living: 1}, false},
		{"named", basket.Tuning{Living: basket.DefaultLiving, Gain: basket.DefaultGain}, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			tuning := new(basket.Tuning)
			c, w := tunedStore(t, 0, tuning)
			put := func(n uint64) {
				t.Helper()
				key := number(n, 8)
				set(t, w, hashOf(key, 16), key, number(n, 64), basket.RecordOptions{})
			}
			for n := range uint64(cold) {
				put(n)
			}
			for range 2000 {
				put(cold)
			}
			if left := w.Tally().Of(basket.ReasonEvicted); left != 0 {
				t.Fatalf("by the defaults %d have left", left)
			}
			*tuning = x.tuning
			for range 2000 {
				put(cold)
			}
			if left := w.Tally().Of(basket.ReasonEvicted); (left == 0) != x.stays {
				t.Errorf("%d have left, want that all stay: %v", left, x.stays)
			}
			c.check(t)
		})
	}
}

// TestTuning_OfReserve: Tend has as many baskets free as the program wants at present, and never more than
// there can be. A writer without a reserve stays without one.
func TestTuning_OfReserve(t *testing.T) {
	tuning := new(basket.Tuning)
	c, w := tunedStore(t, 2, tuning)
	for n := range uint64(2000) {
		key := number(n, 8)
		set(t, w, hashOf(key, 16), key, number(n, 64), basket.RecordOptions{})
	}
	for _, x := range []struct{ reserve, least int }{{0, 2}, {5, 5}, {1, 5}, {0, 5}, {9, 9}, {1000, 14}} {
		tuning.Reserve = x.reserve
		if _, err := w.Tend(1 << 20); err != nil {
			t.Fatal(err)
		}
		if free := c.Stats().Free; free < x.least {
			t.Errorf("for a reserve of %d there are %d free baskets, want %d", x.reserve, free, x.least)
		}
	}
	c.check(t)
	c, w = tunedStore(t, -1, tuning)
	for n := range uint64(2000) {
		key := number(n, 8)
		set(t, w, hashOf(key, 16), key, number(n, 64), basket.RecordOptions{})
	}
	before := c.Stats().Free
	if did, err := w.Tend(1 << 20); err != nil || did != 0 || c.Stats().Free != before {
		t.Errorf("without a reserve %d were walked over, %v: %d free baskets, %d before", did, err,
			c.Stats().Free, before)
	}
}
