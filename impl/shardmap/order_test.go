//go:build explore

package shardmap

import (
	"fmt"
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
