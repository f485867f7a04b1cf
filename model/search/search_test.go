package search

import (
	"fmt"
	"testing"
)

// shownWalk says what there is to see of it.
type shownWalk struct{ walk }

func (shownWalk) Run() string        { return "Walk" }
func (shownWalk) Show(s *int) string { return fmt.Sprintf("at %d", *s) }

// TestExplore_Shown: a counterexample has the name of the run and the states as the machine shows them,
// unless the options say otherwise.
func TestExplore_Shown(t *testing.T) {
	small := Property[shownWalk, int]{Name: "Small", State: func(_ shownWalk, s *int) bool { return *s < 2 }}
	for want, o := range map[string]Options[shownWalk, int, going]{
		"Walk: Small is violated after 2 steps\n   1    1 Go\tat 1\n   2    1 Go\tat 2\n": {},
		"A: Small is violated after 2 steps\n   1    1 Go\t1\n   2    1 Go\t2\n": {Program: "A",
			Show: func(s *int) string { return fmt.Sprint(*s) }},
	} {
		o.Properties = []Property[shownWalk, int]{small}
		if x := Explore(t.Context(), shownWalk{3}, o).Violation; x == nil || x.String() != want {
			t.Errorf("%q, want %q", x, want)
		}
	}
}
