package explore_test

import (
	"sort"
	"testing"

	"github.com/samecycle/samecycle/explore"
)

func sorted(s []string) []string { sort.Strings(s); return s }

func mustExplore(t *testing.T, p explore.Program, o explore.Options) explore.Report {
	t.Helper()
	r, err := explore.Explore(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func unbounded() explore.Options { return explore.Options{Preemptions: explore.Unbounded} }

// TestCounts compares the search with an independent enumeration: without reduction it runs
// exactly the orders of the accesses; with the state cut it finds the same outcomes.
func TestCounts(t *testing.T) {
	for _, s := range smallPrograms() {
		t.Run(s.name, func(t *testing.T) {
			got := map[string]int{}
			r := mustExplore(t, s.program(got, false), unbounded())
			if r.Failure != nil {
				t.Fatal(r.Failure.Table())
			}
			if r.Executions != s.orders || r.Complete != s.orders || len(got) != s.outcomes {
				t.Errorf("%d executions with %d outcomes, want %d with %d",
					r.Executions, len(got), s.orders, s.outcomes)
			}
			if !r.Exhaustive {
				t.Errorf("not exhaustive: %s", r.Bound)
			}
			cut := map[string]int{}
			o := unbounded()
			o.Stateful = true
			rs := mustExplore(t, s.program(cut, false), o)
			if rs.Failure != nil {
				t.Fatal(rs.Failure.Table())
			}
			if keysOf(cut) != keysOf(got) {
				t.Errorf("stateful: outcomes\n%s\nwant\n%s", keysOf(cut), keysOf(got))
			}
			t.Logf("%d orders; stateful %d executions, %d complete, %d states",
				r.Executions, rs.Executions, rs.Complete, rs.States)
		})
	}
}
