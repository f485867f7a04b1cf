package basket_test

import (
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// TestCalls_DoNotAllocate: in a steady state in which baskets retire, with a function that is told.
func TestCalls_DoNotAllocate(t *testing.T) {
	s := newStore(t, basket.Layout{Baskets: 16, BasketBytes: 4096, Writers: 1}, 4096)
	told := 0
	w := newWriter(t, s, onTable(t, s, 1), basket.WriterOptions{Tell: func(basket.Leaving) { told++ }})
	const bits = 10
	var keys [][]byte
	for k := range 400 {
		keys = append(keys, number(uint64(k), 8))
	}
	value, dst, n := number(1, 64), make([]byte, 0, 256), 0
	round := func() {
		n++
		key := keys[n*7%len(keys)]
		hash := hashOf(key, bits)
		set(t, w, hash, key, value, basket.RecordOptions{})
		dst, _, _, _ = w.Get(hash, key, dst[:0])
		w.Has(hash, keys[n%len(keys)])
		if n%5 == 0 {
			remove(t, w, hash, key)
		}
	}
	for range 4000 { // until the buffers are as large as they will be
		round()
	}
	before := told
	if allocs := testing.AllocsPerRun(2000, round); allocs > 0 && !raced {
		t.Errorf("%v allocations a round", allocs)
	}
	if told == before {
		t.Error("nothing was told: the test looks at nothing")
	}
	if len(dst) != 64 {
		t.Errorf("the last get has %d bytes", len(dst))
	}
}
