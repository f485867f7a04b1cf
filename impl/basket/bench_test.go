package basket_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// filled is a store of n records of 8 + 64 bytes, in baskets that have room for room percent of that, with a
// writer, and the handle of its index. Key i has the hash i+1 times an odd number.
func filled(b *testing.B, n, room int, o basket.WriterOptions) (*basket.Writer, *hopscotch.Handle) {
	b.Helper()
	const each = 256 << 10
	l := basket.Layout{Baskets: uint32(max(n*88/100*room/each, 4)), BasketBytes: each, Writers: 2}
	r, err := region.Heap(region.Layout{l.Part(),
		hopscotch.Layout{CellsPerHalf: uint32(n * 10 / 16), Window: 32, Descriptors: 4}.Part()})
	if err != nil {
		b.Fatal(err)
	}
	s, err := basket.New(r)
	if err != nil {
		b.Fatal(err)
	}
	table, err := hopscotch.New(r)
	if err != nil {
		b.Fatal(err)
	}
	h, err := table.NewHandle(1)
	if err != nil {
		b.Fatal(err)
	}
	w := newWriter(b, s, basket.OnTable(h), o)
	for i := range n {
		key := number(uint64(i), 8)
		set(b, w, benchHash(i), key, number(uint64(i), 64), basket.RecordOptions{})
	}
	b.ReportAllocs()
	return w, h
}

func benchHash(i int) uint32 { return uint32(i+1) * 0x9E3779B1 }

// order are random numbers below n.
func order(n int) []uint32 {
	all := make([]uint32, 1<<16)
	for i := range all {
		all[i] = uint32(rand.IntN(n))
	}
	return all
}

const benchRecords = 1 << 20

// BenchmarkGet: hits of 8 + 64 bytes, uniform, beside the lookup in the table that each of them contains.
func BenchmarkGet(b *testing.B) {
	w, h := filled(b, benchRecords, 150, basket.WriterOptions{})
	keys := order(benchRecords)
	b.Run("table", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, ok := h.Get(benchHash(int(keys[i%len(keys)]))); !ok {
				b.Fatal("not there")
			}
		}
	})
	for _, noTouch := range []bool{false, true} {
		name := map[bool]string{false: "hit", true: "hit without marks"}[noTouch]
		r, err := w.Store().NewReader(basket.OnTable(h), basket.ReaderOptions{NoTouch: noTouch})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var dst []byte
			key := make([]byte, 8)
			for i := 0; b.Loop(); i++ {
				k := int(keys[i%len(keys)])
				binary.BigEndian.PutUint64(key, uint64(k))
				var ok bool
				if dst, _, ok, _ = r.Get(benchHash(k), key, dst[:0]); !ok || len(dst) != 64 {
					b.Fatal("not there")
				}
			}
		})
	}
}

// BenchmarkReplace: sets of keys that are there, uniform, in a steady state: with 1.5 times the room of what
// lives, and 1.1 times.
func BenchmarkReplace(b *testing.B) {
	for _, room := range []int{150, 115} {
		b.Run(map[int]string{150: "room 150 %", 115: "room 115 %"}[room], func(b *testing.B) {
			w, _ := filled(b, benchRecords/4, room, basket.WriterOptions{})
			keys := order(benchRecords / 4)
			value, key := number(1, 64), make([]byte, 8)
			turn := func(i int) {
				k := int(keys[i%len(keys)])
				binary.BigEndian.PutUint64(key, uint64(k))
				set(b, w, benchHash(k), key, value, basket.RecordOptions{})
			}
			for i := range benchRecords { // to the steady state
				turn(i)
			}
			before := w.Tally().Of(basket.ReasonEvicted)
			for i := 0; b.Loop(); i++ {
				turn(i)
			}
			b.ReportMetric(float64(w.Tally().Of(basket.ReasonEvicted)-before)/float64(b.N), "evicted/op")
		})
	}
}
