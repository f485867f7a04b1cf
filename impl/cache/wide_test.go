package cache

import (
	"math"
	"strconv"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// wide are options of a cache whose bytes are no number of 32 bits. Memory that nobody touches costs nothing.
func wide(t *testing.T) Options {
	t.Helper()
	const bytes = 5 << 30
	if strconv.IntSize == 32 {
		t.Skipf("NOT RUN: a program of 32 bits has no addresses for %d bytes: run it on 64 bits",
			int64(bytes))
	}
	return Options{Bytes: bytes, BasketBytes: 4 << 20, Entries: 1 << 16, NoJanitor: true}
}

// D10: counts of bytes are right above 2^32, and evictions go on. The baskets are made to look full, by the
// words that say so, and have no records.
func TestReportD10_CountsOf64Bits(t *testing.T) {
	c := open(t, "", wide(t))
	words, err := c.region.Section(basket.Engine, basket.SectionHeads)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := c.region.Section(basket.Engine, basket.SectionShared)
	if err != nil {
		t.Fatal(err)
	}
	l := c.store.Layout()
	full := l.BasketBytes / basket.UnitBytes
	for b := range l.Baskets {
		words[2*b].Store(uint64(basket.MakeHead(basket.StateSealed, 0, 0, uint64(b)+1)))
		words[2*b+1].Store(uint64(basket.MakeHint(0, full, full)))
	}
	shared[0].Store(uint64(l.Baskets) + 1)
	s, err := c.Stats()
	if all := uint64(l.Baskets) * uint64(l.BasketBytes); err != nil || all <= math.MaxUint32 ||
		s.LiveBytes != all || s.DeadBytes != 0 || s.FreeBytes != 0 {
		t.Fatalf("%+v, %v: %d bytes are in full baskets", s, err, all)
	}
	for i := range 100 {
		if err := c.Set(key(i), make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	s, err = c.Stats()
	if err != nil || s.FreeBaskets == 0 || s.LiveBytes <= math.MaxUint32 {
		t.Errorf("%+v, %v", s, err)
	}
}
