package basket_test

import (
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// TestWriter_HeirsEvictNothing: a writer dies at some call, often while it compacts a basket. The writer
// that takes over the basket moves its live records: while all live records have room, none leaves.
func TestWriter_HeirsEvictNothing(t *testing.T) {
	const cold, first, deaths = 14, 100, 120
	left := 0
	for calls := first; calls < first+deaths; calls++ {
		s := newStore(t, basket.Layout{Baskets: 16, BasketBytes: 512, Writers: 2}, 64)
		dead := uint32(0)
		o := basket.WriterOptions{Number: 1, Alive: func(w basket.Owner) bool { return w.Number() != dead },
			Tell: func(l basket.Leaving) {
				if l.Reason != basket.ReasonReplaced {
					t.Errorf("died after %d calls: %s was told as %v", calls, l.Key, l.Reason)
				}
			}}
		put := func(w *basket.Writer, name string, n int) {
			k := fmt.Appendf(nil, "%s%d", name, n)
			set(t, w, hashOf(k, 30), k, make([]byte, 40), basket.RecordOptions{})
		}
		w := newWriter(t, s, onTable(t, s, 1), o)
		for n := range calls {
			if n%8 == 7 && n < 8*cold { // so each basket has one that stays, among others that die
				put(w, "cold", n)
			}
			put(w, "hot", n%3)
		}
		for b := range s.All() {
			if b.State == basket.StateRetiring {
				left++
			}
		}
		dead, o.Number = 1, 2
		heir := newWriter(t, s, onTable(t, s, 2), o)
		for n := range 300 {
			put(heir, "own", n%3)
		}
	}
	if left == 0 {
		t.Error("nobody has died with a basket that retires")
	}
	t.Logf("%d of %d have died with a basket that retires", left, deaths)
}
