package harness

import (
	"slices"
	"testing"

	"github.com/samecycle/samecycle/model/search"
)

// TestRaces: a race is seen where its witness is violated, stays seen, and has the name of its state.
func TestRaces(t *testing.T) {
	r := NewRaces([]search.Property[int, int]{
		{Name: "NoA01First", State: func(m int, s *int) bool { return *s != m }},
		{Name: "NoA02Step", Step: func(int, *int, *int) bool { return false }},
		{Name: "NoA03Third", State: func(m int, s *int) bool { return *s != 3*m }},
	})
	seen := uint32(0)
	for _, c := range []struct {
		s    int
		also string
		want []string
	}{
		{5, "", nil}, {1, "", []string{"A01First"}}, {5, "", []string{"A01First"}},
		{3, "", []string{"A01First", "A03Third"}},
		{5, "NoA02Step", []string{"A01First", "A02Step", "A03Third"}},
	} {
		seen = r.Also(r.Seen(seen, 1, &c.s), func(witness string) bool { return witness == c.also })
		for range 2 { // the second time from memory
			if names := r.Names(seen); !slices.Equal(names, c.want) {
				t.Errorf("%+v: %v", c, names)
			}
		}
	}
}
