package ours

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/internal/trace"
	"github.com/samecycle/samecycle/internal/trace/policy"
	"github.com/samecycle/samecycle/internal/trace/replay"
)

func made(t *testing.T, object uint32) *trace.Trace {
	t.Helper()
	tr, err := trace.Make(&trace.Zipf{Objects: 5000, Skew: 0.9, Seed: 1}, 0,
		trace.Options{Object: object, Requests: 60_000})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// several is a trace whose objects have sizes from 1 to 3000 bytes.
func several(t *testing.T) *trace.Trace {
	tr := made(t, 1)
	tr.Sized, tr.Bytes = true, 0
	for i := range tr.Sizes {
		tr.Sizes[i] = uint32(1 + i*i*7919%3000)
		tr.Bytes += uint64(tr.Sizes[i])
	}
	return tr
}

// held is how many bytes the objects have that a cache holds.
func held(t *testing.T, c *cache.Cache, tr *trace.Trace) (sum uint64) {
	t.Helper()
	for object, size := range tr.Sizes {
		ok, err := c.Contains(binary.LittleEndian.AppendUint64(nil, uint64(object)))
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			sum += uint64(size)
		}
	}
	return sum
}

// TestModel_WithinCapacity: it never has more bytes of objects than another cache of that size may have, and
// on average not many fewer. How many it has at one instant depends on which objects lie side by side in a
// basket, so on the secret of the hash.
func TestModel_WithinCapacity(t *testing.T) {
	for name, tr := range map[string]*trace.Trace{"100 B": made(t, 100), "1000 B": made(t, 1000),
		"several": several(t)} {
		for _, part := range []uint64{50, 20, 5, 2} {
			capacity := tr.Bytes / part
			x, err := Model(0, nil).New(capacity, tr)
			if errors.Is(err, replay.ErrCapacity) && capacity < 100_000 {
				continue
			}
			if err != nil {
				t.Fatalf("%s, a %dth: %v", name, part, err)
			}
			own := x.(*Cache)
			if mean := meanHeld(t, own, tr, capacity); mean < 0.7 {
				t.Errorf("%s, a %dth: it has %.3f of its capacity of %d bytes", name, part, mean, capacity)
			}
			if note := own.Note(); !strings.Contains(note, " baskets of ") {
				t.Errorf("it says %q", note)
			}
			if err := own.Close(); err != nil {
				t.Errorf("%s, a %dth: %v", name, part, err)
			}
		}
	}
}

// meanHeld sends a trace through a cache. The result is the mean part of its capacity that it has, from the
// first third of the requests on. More than all of it at any of these instants is an error.
func meanHeld(t *testing.T, own *Cache, tr *trace.Trace, capacity uint64) float64 {
	t.Helper()
	const from, every = 20_000, 1000
	sum, instants := uint64(0), 0
	for i, object := range tr.Requests {
		own.Access(uint64(object), tr.Sizes[object])
		if i < from-1 || i%every != every-1 {
			continue
		}
		has := held(t, own.c, tr)
		if has > capacity {
			t.Errorf("request %d: it has %d bytes, capacity %d", i, has, capacity)
		}
		sum, instants = sum+has, instants+1
	}
	return float64(sum) / float64(instants) / float64(capacity)
}

// TestModel_BesideLRU: with 256 baskets or so it has as many hits as exact LRU, but for a point.
func TestModel_BesideLRU(t *testing.T) {
	tr := made(t, 1000)
	got, err := replay.Run(t.Context(), tr, []uint64{tr.Bytes / 5},
		[]replay.Cache{Model(4096, nil), replay.Models()[0]}, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	own, lru := got[0].HitRatio(), got[1].HitRatio()
	if own < lru-0.01 || own > lru+0.05 || got[0].Note == "" {
		t.Errorf("%v, LRU %v: %+v", own, lru, got[0])
	}
}

// TestModel_OfNoSize: there is no cache of so few baskets, and none that is larger than any can be.
func TestModel_OfNoSize(t *testing.T) {
	tr := made(t, 1000)
	for _, capacity := range []uint64{1, 1000, 25_000} {
		if _, err := Model(0, nil).New(capacity, tr); !errors.Is(err, replay.ErrCapacity) ||
			!strings.Contains(err.Error(), "use a larger --size") {
			t.Errorf("%d bytes: %v", capacity, err)
		}
	}
	if _, err := Model(0, nil).New(1<<50, tr); !errors.Is(err, replay.ErrLarge) ||
		!strings.Contains(err.Error(), "use a smaller --size") {
		t.Errorf("a huge one: %v", err)
	}
}

// TestCache_Refused: an object that does not fit into a basket is never a hit, which the note says.
func TestCache_Refused(t *testing.T) {
	c, err := cache.Open("", cache.Options{Bytes: 1 << 20, BasketBytes: 4096})
	if err != nil {
		t.Fatal(err)
	}
	x := New(c, 5000)
	for range 3 {
		if x.Access(1, 5000) {
			t.Error("a hit")
		}
	}
	if !strings.Contains(x.Note(), "3 times an object was larger than a basket (--basket)") {
		t.Errorf("%q", x.Note())
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

// TestCanary_Value: a value that is not the one that was set is found, at either end and in the middle, and
// by nothing but the comparison.
func TestCanary_Value(t *testing.T) {
	const size = 500
	for name, change := range map[string]func(value []byte) []byte{
		"none":   func(v []byte) []byte { return v },
		"first":  func(v []byte) []byte { v[0]++; return v },
		"last":   func(v []byte) []byte { v[size-1]++; return v },
		"middle": func(v []byte) []byte { v[size/2]++; return v },
		"short":  func(v []byte) []byte { return v[1:] },
		"long":   func(v []byte) []byte { return append(v, 7) },
	} {
		c, err := cache.Open("", cache.Options{Bytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		x := New(c, size)
		x.Access(9, size)
		key := binary.LittleEndian.AppendUint64(nil, 9)
		value, ok, err := c.Get(key, nil)
		if err != nil || !ok {
			t.Fatal(err, ok)
		}
		if err := c.Set(key, change(slices.Clone(value))); err != nil {
			t.Fatal(err)
		}
		for range 2 * sampled {
			x.Access(9, size)
		}
		if err := x.Close(); (name != "none") != errors.Is(err, ErrValue) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var _ policy.Replayed = (*Cache)(nil)
