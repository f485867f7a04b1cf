package quick

import (
	"errors"
	"math/rand"
	"slices"
	"testing"
)

// TestCheck_SameValues: the values are the same each time, and others with a source of the caller's own. What
// the original reports is reported.
func TestCheck_SameValues(t *testing.T) {
	drawn := func(c *Config) (all []int) {
		if err := Check(func(n int) bool { all = append(all, n); return true }, c); err != nil {
			t.Fatal(err)
		}
		return all
	}
	first, few := drawn(nil), &Config{MaxCount: 3}
	if len(first) < 10 || !slices.Equal(first, drawn(nil)) || !slices.Equal(first[:3], drawn(few)) ||
		few.Rand != nil {
		t.Errorf("%v, then %v and %v", first, drawn(nil), drawn(few))
	}
	if own := drawn(&Config{Rand: rand.New(rand.NewSource(7))}); slices.Equal(own, first) {
		t.Error("the source of the caller is not used")
	}
	err := CheckEqual(func(n int) bool { return n > 0 }, func(int) bool { return true }, nil)
	if differ := (*CheckEqualError)(nil); !errors.As(err, &differ) || differ.Count == 0 {
		t.Error(err)
	}
	if _, ok := err.(*CheckError); ok {
		t.Error(err)
	}
}
