package basket_test

import (
	"errors"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// Writers that come and go, with one record each, push nothing out while all that lives has room: their
// baskets are nearly empty, and are compacted.
func TestWriter_ManyOneAfterTheOther(t *testing.T) {
	const writers, baskets = 100, 8
	x := checked{newStore(t, basket.Layout{Baskets: baskets, BasketBytes: 4096, Writers: 2}, 0),
		newWords(1<<16, 1)}
	for i := range writers {
		w := newWriter(t, x.Store, x.actor(0), basket.WriterOptions{})
		key := number(uint64(i), 8)
		set(t, w, hashOf(key, 16), key, number(uint64(i), 64), basket.RecordOptions{})
		for {
			if did, err := w.Tend(100); err != nil {
				t.Fatal(err)
			} else if did < 100 {
				break
			}
		}
		if n := w.Tally().Of(basket.ReasonEvicted); n != 0 {
			t.Fatalf("writer %d has evicted %d records", i, n)
		}
		if err := w.Settle(); err != nil {
			t.Error(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := w.Settle(); !errors.Is(err, basket.ErrClosed) {
			t.Error(err)
		}
	}
	if f := x.check(t); f.Records != writers {
		t.Errorf("%d records of %d are there", f.Records, writers)
	}
}
