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

// A request is no access: it says nothing, and what it asks for need not be there.
func TestReader_RequestsAreHarmless(t *testing.T) {
	s := newStore(t, basket.Layout{Baskets: 4, BasketBytes: 4096, Writers: 1}, 0)
	x := newWords(16, 1)
	w := newWriter(t, s, x.actor(0), basket.WriterOptions{})
	w.Request(5)
	set(t, w, 5, []byte("key"), []byte("value"), basket.RecordOptions{})
	w.Request(5)
	for _, ref := range []uint64{1 << 31, 4 * 4096 / 8, 1<<32 - 1} { // out of the store, or its last unit
		x.all[6].Store(ref << 32)
		w.Request(6)
	}
	var none basket.Reader
	none.Request(5)
	if v, _, ok, err := w.Get(5, []byte("key"), nil); string(v) != "value" || !ok || err != nil {
		t.Errorf("%q, %v, %v", v, ok, err)
	}
}
