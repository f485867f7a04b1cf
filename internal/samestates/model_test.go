package samestates

import (
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

// counting counts the errors of a test that is to fail.
type counting struct {
	testing.TB
	errors int
	text   string
}

func (*counting) Helper()             {}
func (*counting) Log(...any)          {}
func (*counting) Logf(string, ...any) {}
func (c *counting) Error(args ...any) { c.add(fmt.Sprintln(args...)) }
func (c *counting) Errorf(format string, args ...any) {
	c.add(fmt.Sprintf(format, args...))
}

func (c *counting) add(text string) {
	c.errors++
	c.text += text
}

type action string

func (a action) String() string { return string(a) }

// TestSameVerdict_Canaries: another property, no violation, another count or depth, and a search that did not
// end are each an error.
func TestSameVerdict_Canaries(t *testing.T) {
	type report = search.Report[int, action]
	breaks := func(property string) report {
		return report{Violation: &search.Counterexample[int, action]{Property: property}}
	}
	complete := tlc.Entry{Expect: tlc.OK, Distinct: 3, Depth: 2}
	for i, c := range []struct {
		run    tlc.Entry
		x      report
		errors int
	}{
		{complete, report{Distinct: 3, Depth: 2, Exhaustive: true}, 0},
		{complete, report{Distinct: 4, Depth: 2, Exhaustive: true}, 1},
		{complete, report{Distinct: 3, Depth: 3, Exhaustive: true}, 1},
		{complete, report{Distinct: 3, Depth: 2}, 1},
		{tlc.Entry{Expect: tlc.Invariant, Property: "P"}, breaks("P"), 0},
		{tlc.Entry{Expect: tlc.Invariant, Property: "P"}, breaks("Q"), 1},
		{tlc.Entry{Expect: tlc.Invariant, Property: "P"}, report{}, 1},
		{tlc.Entry{Expect: tlc.Deadlock}, breaks(search.Deadlock), 0},
		{tlc.Entry{Expect: tlc.Deadlock}, report{}, 1},
	} {
		failing := &counting{TB: t}
		if SameVerdict(failing, c.run, c.x); failing.errors != c.errors {
			t.Errorf("%d: %d errors, want %d", i, failing.errors, c.errors)
		}
	}
}

// TestCovered_Canaries: a property that no run checks and an action that no run takes are errors.
func TestCovered_Canaries(t *testing.T) {
	properties := []search.Property[int, int]{{Name: "P"}, {Name: "Q"}}
	for _, checked := range []bool{true, false} {
		for _, fired := range []bool{true, false} {
			failing := &counting{TB: t}
			Covered(failing, properties, map[string]bool{"P": true, "Q": checked}, []string{"A", "B"},
				map[string]bool{"A": true, "B": fired})
			if want := fmt.Sprint(!checked, !fired); (failing.errors == 0) != (checked && fired) {
				t.Errorf("%s: %d errors", want, failing.errors)
			}
		}
	}
}
