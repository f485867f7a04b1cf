package harness

import (
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/model/search"
)

// from is a machine that begins there.
type from int

func (f from) Initial() int { return int(f) }

// TestCourse: a race that was seen stays seen behind it, also one of the first state, and a step that breaks
// a property is refused by its name.
func TestCourse(t *testing.T) {
	c := NewCourse(from(1), []search.Property[from, int]{
		{Name: "Upward", Step: func(_ from, prev, next *int) bool { return *next > *prev }}},
		[]search.Property[from, int]{
			{Name: "NoA01First", State: func(f from, s *int) bool { return *s != int(f) }},
			{Name: "NoA02Third", State: func(_ from, s *int) bool { return *s != 3 }}})
	s, two := c.Initial(), []string{"A01First", "A02Third"}
	for _, x := range []struct {
		next  int
		races []string
	}{{2, two[:1]}, {3, two}, {4, two}} {
		list, why := c.Accept([]Raced[int]{{}}, &s, x.next)
		if why != "" || len(list) != 2 || list[1].State != x.next ||
			!slices.Equal(c.Marks(&list[1]), x.races) {
			t.Fatalf("to %d: %v, %q", x.next, list, why)
		}
		s = list[1]
	}
	if list, why := c.Accept([]Raced[int]{s}, &s, 4); list != nil || !strings.HasPrefix(why, "Upward") {
		t.Errorf("a step to the same state: %v, %q", list, why)
	}
}
