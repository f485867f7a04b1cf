package main

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
)

// TestVerdictLine_SaysWhatCame: a violation that a run is for is told as one, with the property and the
// number of steps, and one that it is not for is not.
func TestVerdictLine_SaysWhatCame(t *testing.T) {
	trace := []tlc.State{{Number: 1, Text: "x = 1"}, {Number: 2, Text: "x = 2"},
		{Number: 3, Action: "Stuttering"}}
	wanted := tlc.Entry{Name: "N", Expect: tlc.Invariant, Property: "I1"}
	for _, c := range []struct {
		v    tlc.Verdict
		says string
	}{
		{tlc.Verdict{Entry: wanted, Result: tlc.Result{Outcome: tlc.Invariant, Property: "I1", Trace: trace}},
			"as it must: I1 is violated in 1 step"},
		{tlc.Verdict{Entry: wanted, Result: tlc.Result{Outcome: tlc.Liveness, Trace: trace[:1]}},
			"as it must: a property that TLC does not name is violated in 0 steps"},
		{tlc.Verdict{Entry: wanted, Result: tlc.Result{Outcome: tlc.Deadlock, Trace: trace[:2]}},
			"as it must: nobody can go on after 1 step"},
		{tlc.Verdict{Entry: wanted, Result: tlc.Result{Outcome: tlc.OK}}, "nothing is violated"},
		{tlc.Verdict{Entry: wanted, Result: tlc.Result{Outcome: tlc.Invariant, Property: "I2", Trace: trace},
			Problems: []string{"another one"}}, "  I2 is violated in 1 step\n         another one"},
		{tlc.Verdict{Entry: wanted, Unknown: true, Result: tlc.Result{Outcome: tlc.TimedOut}}, "  timeout"},
	} {
		line := verdictLine(c.v)
		if !strings.Contains(line, c.says) || strings.Contains(line, "as it must") && !c.v.Pass() {
			t.Errorf("%q, want %q", line, c.says)
		}
	}
}

// TestTraceText: the first state is whole, and of the others only what changed is there.
func TestTraceText(t *testing.T) {
	got := traceText([]tlc.State{
		{Number: 1, Action: "Initial predicate", Text: "/\\ x = 1\n/\\ y = <<1,\n  2>>"},
		{Number: 2, Action: "Move", Text: "/\\ x = 1\n/\\ y = <<1,\n  3>>"},
		{Number: 3, Action: "Wait", Text: "/\\ x = 1\n/\\ y = <<1, 3>>"},
		{Number: 1, Action: "Back to state 1"},
	})
	const want = `   1  Initial predicate
      /\ x = 1
      /\ y = <<1,
        2>>
   2  Move
      y[2] = 3, was 2
   3  Wait
      changes nothing
   1  Back to state 1
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
