package ours

import (
	"testing"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/internal/trace"
	"github.com/samecycle/samecycle/internal/trace/replay"
)

// ratiosAt are the hit ratios of TinyLFU, of the default policy and of exact LRU, in a cache of so many
// bytes.
func ratiosAt(t *testing.T, requests []uint32, objects int, size uint64) (tiny, aged, lru float64) {
	t.Helper()
	x := &trace.Trace{Name: t.Name(), Requests: requests, Sizes: make([]uint32, objects)}
	for i := range x.Sizes {
		x.Sizes[i] = 1000
	}
	x.Bytes = uint64(objects) * 1000
	results, err := replay.Run(t.Context(), x, []uint64{size},
		[]replay.Cache{Model(0, cache.TinyLFU{}), Model(0, nil), replay.Models()[0]}, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if !r.Complete {
			t.Fatalf("%s: %s", r.Cache, r.NotRun)
		}
	}
	return results[0].HitRatio(), results[1].HitRatio(), results[2].HitRatio()
}

// TestTinyLFU_KeepsPartOfALoop: where objects are asked for one after the other, again and again, and a fifth
// of them fits, exact LRU and the default policy have no hit, and TinyLFU has seven tenths of those that it
// could.
func TestTinyLFU_KeepsPartOfALoop(t *testing.T) {
	const objects, rounds = 2000, 40
	var requests []uint32
	for range rounds {
		for i := range objects {
			requests = append(requests, uint32(i))
		}
	}
	tiny, aged, lru := ratiosAt(t, requests, objects, objects*1000/5)
	if tiny < 0.14 || aged != 0 || lru != 0 {
		t.Errorf("TinyLFU %.3f, ageing %.3f, LRU %.3f", tiny, aged, lru)
	}
}

// TestTinyLFU_HitsWhatComesBackSoon: each object is asked for three times, soon after one another, and never
// again. Two of three requests are hits for LRU: a policy must not keep what was asked for often long ago
// instead. That is where others that compare frequencies collapse.
func TestTinyLFU_HitsWhatComesBackSoon(t *testing.T) {
	const objects, apart, size = 20_000, 10, 1000 * 1000
	var requests []uint32
	for i := range objects + 2*apart {
		for _, back := range []int{0, apart, 2 * apart} {
			if o := i - back; o >= 0 && o < objects {
				requests = append(requests, uint32(o))
			}
		}
	}
	if tiny, _, lru := ratiosAt(t, requests, objects, size); lru < 0.66 || tiny < lru-0.01 {
		t.Errorf("TinyLFU %.3f, LRU %.3f", tiny, lru)
	}
}
