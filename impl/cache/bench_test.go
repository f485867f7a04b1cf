package cache

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// benchKeys are the keys of a benchmark: entries of 8 + 64 bytes.
const benchKeys = 1 << 18

func benchCache(b *testing.B) *Cache {
	c := open(b, "", Options{Bytes: 64 << 20})
	for i := range benchKeys {
		if err := c.Set(key(i), make([]byte, 64)); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	return c
}

func BenchmarkGet(b *testing.B) {
	c := benchCache(b)
	r := rand.New(rand.NewPCG(1, 2))
	var k [8]byte
	dst := make([]byte, 0, 64)
	for b.Loop() {
		binary.BigEndian.PutUint64(k[:], uint64(r.Uint32N(benchKeys)))
		if _, ok, err := c.Get(k[:], dst); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkGetParallel(b *testing.B) {
	c := benchCache(b)
	b.RunParallel(func(p *testing.PB) {
		r := rand.New(rand.NewPCG(1, rand.Uint64()))
		var k [8]byte
		dst := make([]byte, 0, 64)
		for p.Next() {
			binary.BigEndian.PutUint64(k[:], uint64(r.Uint32N(benchKeys)))
			if _, ok, err := c.Get(k[:], dst); !ok || err != nil {
				b.Error(ok, err)
				return
			}
		}
	})
}

func BenchmarkGetBatch(b *testing.B) {
	c := benchCache(b)
	r := rand.New(rand.NewPCG(1, 2))
	const many = 16
	keys, values := make([][]byte, many), make([][]byte, many)
	for i := range keys {
		keys[i] = make([]byte, 8)
	}
	dst := make([]byte, 0, 64*many)
	for n := 0; n < b.N; n += many {
		for _, k := range keys {
			binary.BigEndian.PutUint64(k, uint64(r.Uint32N(benchKeys)))
		}
		if _, found, err := c.GetBatch(keys, values, dst); found != many || err != nil {
			b.Fatal(found, err)
		}
	}
}

func BenchmarkMiss(b *testing.B) {
	c := benchCache(b)
	r := rand.New(rand.NewPCG(1, 2))
	var k [8]byte
	for b.Loop() {
		binary.BigEndian.PutUint64(k[:], benchKeys+uint64(r.Uint32N(benchKeys)))
		if _, ok, err := c.Get(k[:], nil); ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkSet(b *testing.B) {
	c := benchCache(b)
	r := rand.New(rand.NewPCG(1, 2))
	var k [8]byte
	value := make([]byte, 64)
	for b.Loop() {
		binary.BigEndian.PutUint64(k[:], uint64(r.Uint32N(benchKeys)))
		if err := c.Set(k[:], value); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSetNew(b *testing.B) {
	c := benchCache(b)
	value := make([]byte, 64)
	var k [8]byte
	for i := benchKeys; b.Loop(); i++ {
		binary.BigEndian.PutUint64(k[:], uint64(i))
		if err := c.Set(k[:], value); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTypedGet(b *testing.B) {
	c := open(b, "", Options{Bytes: 64 << 20})
	m, err := NewTyped[uint64, uint64](c, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	for i := range uint64(benchKeys) {
		if err := m.Set(i, i); err != nil {
			b.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		i := uint64(r.Uint32N(benchKeys))
		if v, ok, err := m.Get(i); v != i || !ok || err != nil {
			b.Fatal(v, ok, err)
		}
	}
}
