package hopscotch

import (
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// benchKeys is the number of elements: far more than the caches hold.
const benchKeys = 1 << 20

// benchTable is a table at the given load, and its keys in another random order.
func benchTable(b *testing.B, load float64) (*Table, []uint32) {
	b.Helper()
	cells := uint32(benchKeys / load / 2)
	table, h := newTableWith(b, Layout{CellsPerHalf: cells, Window: 32, Descriptors: 4}, keepAll)
	keys := freshKeys(benchKeys)
	in := keys[:0:0]
	for _, key := range keys {
		r, err := h.Add(key, key)
		if err != nil {
			b.Fatal(err)
		}
		if r == Added {
			in = append(in, key)
		}
	}
	if len(in) < benchKeys*99/100 {
		b.Fatalf("%d of %d keys found a place", len(in), benchKeys)
	}
	rand.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
	return table, in
}

// freshKeys gives n keys, all different: i times an odd number.
func freshKeys(n uint32) []uint32 {
	keys := make([]uint32, 0, n)
	for i := uint32(1); len(keys) < int(n); i++ {
		if key := i * 0x9E3779B1; !Key(key).Reserved() {
			keys = append(keys, key)
		}
	}
	return keys
}

var loads = []struct {
	name string
	load float64
}{{"load50", 0.5}, {"load75", 0.75}}

func BenchmarkGetHit(b *testing.B) {
	for _, l := range loads {
		b.Run(l.name, func(b *testing.B) {
			table, keys := benchTable(b, l.load)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				key := keys[i]
				if i++; i == len(keys) {
					i = 0
				}
				if v, ok := table.Get(key); !ok || v != key {
					b.Fatalf("key %d: %d, %v", key, v, ok)
				}
			}
		})
	}
}

func BenchmarkGetMiss(b *testing.B) {
	for _, l := range loads {
		b.Run(l.name, func(b *testing.B) {
			table, _ := benchTable(b, l.load)
			b.ReportAllocs()
			i := uint32(benchKeys + 2)
			for b.Loop() {
				if _, ok := table.Get(i * 0x9E3779B1); ok {
					b.Fatal(i)
				}
				if i++; i == 1<<31 {
					i = benchKeys + 2
				}
			}
		})
	}
}

// BenchmarkAddFresh fills a table to a load of 0.5 again and again.
func BenchmarkAddFresh(b *testing.B) {
	table, h := newTableWith(b,
		Layout{CellsPerHalf: benchKeys, Window: 32, Descriptors: 4}, keepAll)
	keys := freshKeys(benchKeys)
	plain := table.region.Words().Plain()
	from := table.Region().Layout().Offset(Engine, SectionCells) / region.WordBytes
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if r, err := h.Add(keys[i], 1); r == 0 || err != nil {
			b.Fatal(i, r, err)
		}
		if i++; i == len(keys) {
			b.StopTimer()
			clear(plain[from:])
			h.d.owner.Store(uint64(h.owner))
			h.Rewind()
			i = 0
			b.StartTimer()
		}
	}
}

func BenchmarkAddExists(b *testing.B) {
	table, keys := benchTable(b, 0.5)
	h, err := table.NewHandle(2)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if r, err := h.Add(keys[i], 1); r != Exists || err != nil {
			b.Fatal(i, r, err)
		}
		if i++; i == len(keys) {
			i = 0
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	table, keys := benchTable(b, 0.5)
	h, err := table.NewHandle(2)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, ok, err := h.Update(keys[i], 1); !ok || err != nil {
			b.Fatal(i, err)
		}
		if i++; i == len(keys) {
			i = 0
		}
	}
}

// BenchmarkChurn deletes an element, crops its bucket and adds another one, at a load of 0.75.
func BenchmarkChurn(b *testing.B) {
	table, keys := benchTable(b, 0.75)
	h, err := table.NewHandle(2)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if ok, err := h.Delete(keys[i]); !ok || err != nil {
			b.Fatal(i, err)
		}
		if err := h.Crop(keys[i]); err != nil {
			b.Fatal(i, err)
		}
		if r, err := h.Add(keys[i], 1); r == 0 || err != nil {
			b.Fatal(i, r, err)
		}
		if i++; i == len(keys) {
			i = 0
		}
	}
}

// BenchmarkGetBatch gets 64 keys at a time, as a batch and one by one; a figure is for one key.
func BenchmarkGetBatch(b *testing.B) {
	const size = 64
	table, keys := benchTable(b, 0.75)
	values, found := make([]uint32, size), make([]bool, size)
	one := func(keys []uint32) (n int) {
		for i, key := range keys {
			if values[i], found[i] = table.Get(key); found[i] {
				n++
			}
		}
		return n
	}
	batch := func(keys []uint32) (n int) {
		n, err := table.GetBatch(keys, values, found)
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
	for _, way := range []struct {
		name string
		get  func(keys []uint32) int
	}{{"loop", one}, {"batch", batch}} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; i < b.N; i += size {
				at := i % (len(keys) - size)
				if n := way.get(keys[at : at+size]); n != size {
					b.Fatalf("%d of %d found", n, size)
				}
			}
		})
	}
}

// BenchmarkWalk walks a table of 2^20 elements; a figure is for one element.
func BenchmarkWalk(b *testing.B) {
	table, keys := benchTable(b, 0.75)
	b.ReportAllocs()
	for i := 0; i < b.N; {
		n := 0
		for range table.All() {
			if n++; i+n == b.N {
				break
			}
		}
		if n != len(keys) && i+n != b.N {
			b.Fatalf("%d of %d elements", n, len(keys))
		}
		i += n
	}
}
