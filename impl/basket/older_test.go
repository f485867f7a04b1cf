package basket_test

import (
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// TestOlder: the age of a record is that of its basket, however high the basket stands; within one the first
// record is the oldest. Numbers that are no refs are compared as numbers.
func TestOlder(t *testing.T) {
	const units = 1024 / basket.UnitBytes
	s := newStore(t, basket.Layout{Baskets: 4, BasketBytes: 1024, Writers: 1}, 0)
	heads, err := s.Region().Section(basket.Engine, basket.SectionHeads)
	if err != nil {
		t.Fatal(err)
	}
	for b, sequence := range []uint64{7, 3, 1<<34 - 1, 5} {
		heads[2*b].Store(uint64(basket.MakeHead(basket.StateSealed, 0, 0, sequence)))
	}
	at := func(b, unit uint32) uint32 { return b*units + unit + 1 }
	end := at(4, 0)
	for _, x := range []struct {
		a, b uint32
		want bool
	}{
		{at(1, 0), at(0, 0), true}, {at(0, 0), at(1, 0), false},
		{at(2, 0), at(1, 0), true}, // 2^34-1 is before 3
		{at(1, 9), at(3, 0), true}, {at(1, 0), at(1, 1), true}, {at(1, 1), at(1, 0), false},
		{at(1, 0), at(1, 0), false}, {end, at(0, 0), false}, {at(0, 0), end, true}, {0, end, false},
	} {
		if got := s.Older(x.a, x.b); got != x.want {
			t.Errorf("ref %d older than %d: %v", x.a, x.b, got)
		}
	}
}
