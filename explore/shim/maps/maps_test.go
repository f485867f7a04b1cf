package maps

import (
	"slices"
	"testing"
)

// TestOrder: what calls a function, or yields, does so in the order of the keys, and stops when it is told.
func TestOrder(t *testing.T) {
	m := map[string]int{}
	for i := range 20 {
		m[string(rune('a'+i))] = i
	}
	want := slices.Collect(func(yield func(int) bool) {
		for i := range 20 {
			if !yield(i) {
				return
			}
		}
	})
	if got := slices.Collect(Values(m)); !slices.Equal(got, want) {
		t.Errorf("Values: %v", got)
	}
	if got := slices.Collect(Keys(m)); !slices.IsSorted(got) || len(got) != 20 {
		t.Errorf("Keys: %v", got)
	}
	n := 0
	for k, v := range All(m) {
		if n++; m[k] != v || v != n-1 {
			t.Errorf("All: %q, %d", k, v)
		}
		if n == 5 {
			break
		}
	}
	var seen []int
	equal := EqualFunc(m, Clone(m), func(a, b int) bool {
		seen = append(seen, a)
		return a == b && a < 7
	})
	if equal || !slices.Equal(seen, want[:8]) {
		t.Errorf("EqualFunc: %t after %v", equal, seen)
	}
	copied := Collect(All(m))
	if !EqualFunc(m, copied, func(a, b int) bool { return a == b }) || !Equal(m, copied) {
		t.Errorf("Collect: %v", copied)
	}
	seen = nil
	DeleteFunc(copied, func(_ string, v int) bool { seen = append(seen, v); return v > 2 })
	if !slices.Equal(seen, want) || len(copied) != 3 || Equal(m, copied) || EqualFunc(m, copied, nil) {
		t.Errorf("DeleteFunc: %v after %v", copied, seen)
	}
	if Copy(copied, m); !Equal(m, copied) {
		t.Errorf("Copy: %v", copied)
	}
}
