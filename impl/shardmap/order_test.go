//go:build explore

package shardmap

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// Explored, predicates are asked and entries are handed out in the same order each time.
func TestOrder_IsThatOfTheKeys(t *testing.T) {
	for range 20 {
		m := newMap(t, Options{Shards: 1})
		for i := range 9 {
			m.Put(i, fmt.Sprint(i), i)
		}
		var asked, seen []int
		m.Cleanup(OfMeta[int, string](func(key, _ int) bool {
			asked = append(asked, key)
			return false
		}))
		for key := range m.All() {
			seen = append(seen, key)
		}
		if !slices.IsSorted(asked) || !slices.IsSorted(seen) || len(asked) != 9 || len(seen) != 9 {
			t.Fatalf("asked about %v, seen %v", asked, seen)
		}
	}
}

// Explored, a key that no lookup finds, a NaN, is passed over: nobody is asked about an entry that is none.
func TestOrder_PassesOverNaN(t *testing.T) {
	m, err := New[float64, string, int](Options{Shards: 1})
	if err != nil {
		t.Fatal(err)
	}
	m.Put(math.NaN(), "not a number", 1)
	m.Put(2, "two", 2)
	for key, value := range m.All() {
		if key != 2 || value != "two" {
			t.Errorf("%v has %q", key, value)
		}
	}
	r := m.Cleanup(OfValue(func(_ float64, value string, _ int) bool { return value == "" }))
	if r.Removed != 0 {
		t.Errorf("%d entries without a value were there", r.Removed)
	}
}
