package driver

import (
	"context"
	"testing"

	"github.com/samecycle/samecycle/explore"
)

// TestTake: what was not searched to its end is not clean, and a suite with such a program is not exhaustive,
// whichever of its programs that was. What fails is found, unless it is the search that failed.
func TestTake(t *testing.T) {
	whole, part := explore.Report{Exhaustive: true}, explore.Report{Bound: "a part"}
	whole.Executions, part.Executions = 7, 7
	failed := func(k explore.FailureKind) explore.Report {
		return explore.Report{Failure: &explore.Failure{Kind: k}}
	}
	for name, c := range map[string]struct {
		reports    []explore.Report
		status     Status
		exhaustive bool
	}{
		"whole":            {[]explore.Report{whole, whole}, Clean, true},
		"in part":          {[]explore.Report{whole, part}, Unknown, false},
		"the first one so": {[]explore.Report{part, whole}, Clean, false}, // a suite ends at the first
		"a deadlock":       {[]explore.Report{failed(explore.Deadlock)}, Found, false},
		"a livelock":       {[]explore.Report{failed(explore.Livelock)}, Found, false},
		"a call that hung": {[]explore.Report{failed(explore.Hung)}, Unknown, false},
	} {
		res := Result{Exhaustive: true}
		for _, r := range c.reports {
			res.Programs++
			res.take("program", r)
		}
		if res.Status != c.status || res.Exhaustive != c.exhaustive {
			t.Errorf("%s: %s %q, exhaustive %t", name, res.Status, res.Message, res.Exhaustive)
		}
	}
}

// TestTake_Crowded: that goroutines of one of the programs had to wait for places stays in the result.
func TestTake_Crowded(t *testing.T) {
	for executions, want := range map[uint64]bool{0: false, 1: true} {
		res := Result{Exhaustive: true}
		res.take("many", explore.Report{Exhaustive: true, Stats: explore.Stats{Crowded: executions}})
		res.take("few", explore.Report{Exhaustive: true})
		if res.Crowded != want {
			t.Errorf("%d executions: crowded %t", executions, res.Crowded)
		}
	}
}

// TestSuite_Complete: of a program whose executions have as many preemptions as were allowed there may be
// more, so it does not count among those of which all interleavings were covered.
func TestSuite_Complete(t *testing.T) {
	target := suiteOf(true)
	for bound, complete := range map[int]int{0: 0, 9: 1} {
		r := runOf(target)
		r.bound = bound
		res, err := r.suite(target.Suites[0])
		if err != nil || res.Status != Clean || res.Complete != complete {
			t.Errorf("bound %d: %v, %s, %d complete, want %d", bound, err, res.Status, res.Complete, complete)
		}
	}
}

// TestEnd_Left: a suite of which the time has left programs out is not clean, however many were searched.
func TestEnd_Left(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	s := of(bare("Len", number))
	s.ctx = ctx
	whole := &tour{subject: s, name: "pairs", row: Result{Programs: 5}}
	part := &tour{subject: s, name: "pairs", row: Result{Programs: 5}, left: 3}
	var out Report
	whole.end(&out)
	part.end(&out)
	if out.Results[0].Status != Clean || out.Results[1].Status != Unknown || out.Results[1].Exhaustive {
		t.Errorf("%s, and of a part %s, exhaustive %t", out.Results[0].Status, out.Results[1].Status,
			out.Results[1].Exhaustive)
	}
}

// TestTitle: a person sees a test by its name, also a subtest whose name has the separator.
func TestTitle(t *testing.T) {
	for program, want := range map[string]string{
		"./#test#TestA": "TestA of ./", "./#leaks#TestA/#01": "TestA/#01 of ./",
		"sync.Map#Load": "sync.Map#Load",
	} {
		if got := title(program); got != want {
			t.Errorf("%s: %q, want %q", program, got, want)
		}
	}
}
