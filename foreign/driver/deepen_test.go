package driver

import (
	"testing"

	"github.com/samecycle/samecycle/explore"
)

// TestBounds: a search without a bound draws as deep as one with the default, and explains by runs without a
// bound; one with a bound goes by that.
func TestBounds(t *testing.T) {
	for bound, want := range map[int]struct {
		depth, beyond int
		within        string
	}{
		1:                 {2, 1 + goalPreemptions, "at most 1 preemption"},
		4:                 {5, 4 + goalPreemptions, "at most 4 preemptions"},
		explore.Unbounded: {DefaultPreemptions + 1, explore.Unbounded, "any number of preemptions"},
	} {
		r := run{bound: bound}
		if r.depth() != want.depth || r.beyond() != want.beyond || r.within() != want.within {
			t.Errorf("bound %d: depth %d, beyond %d, %q", bound, r.depth(), r.beyond(), r.within())
		}
	}
}

// TestInAll: a bound tells the executions of all searches, whatever else it has.
func TestInAll(t *testing.T) {
	for bound, want := range map[string]string{
		"all; at most 2 preemptions; no kills; 9 executions; not covered: 2 executions": "all; at most 2 " +
			"preemptions; no kills; 20 executions; not covered: 2 executions",
		"all; 1 execution": "all; 20 executions",
		"one replay":       "one replay",
	} {
		if got := inAll(bound, 20); got != want {
			t.Errorf("%q is %q, want %q", bound, got, want)
		}
	}
}
