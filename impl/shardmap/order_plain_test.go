//go:build !explore

package shardmap

import (
	"math"
	"testing"
)

// A key that no lookup finds, a NaN, is in the map: a loop comes to it, and a cleanup asks about it.
func TestOrder_NaNIsThere(t *testing.T) {
	m, err := New[float64, string, int](Options{Shards: 1})
	if err != nil {
		t.Fatal(err)
	}
	m.Put(math.NaN(), "not a number", 1)
	seen, asked := "", ""
	for _, value := range m.All() {
		seen = value
	}
	m.Cleanup(OfValue(func(_ float64, value string, _ int) bool {
		asked = value
		return false
	}))
	if seen != "not a number" || asked != seen {
		t.Errorf("a loop came to %q, a cleanup to %q", seen, asked)
	}
}
