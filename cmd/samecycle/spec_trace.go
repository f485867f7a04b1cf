package main

import (
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/tlc"
)

// verdictLine is a run in one line, with the reasons below it when it is not as expected.
func verdictLine(v tlc.Verdict) string {
	word := "pass"
	switch {
	case v.Unknown:
		word = "UNKNOWN"
	case !v.Pass():
		word = "FAIL"
	}
	r := v.Result
	what := cameOf(v)
	switch {
	case r.Scheduled:
		what += ", by its schedule"
	case r.Outdated:
		what += "; its schedule leads there no more: samecycle spec --schedules " + v.Entry.Name
	}
	s := fmt.Sprintf("%-7s  %-48s %9d states  depth %3d  %5.1f s  %s", word, v.Entry.Name,
		r.Distinct, r.Depth, r.Wall.Seconds(), what)
	for _, problem := range v.Problems {
		s += "\n         " + strings.ReplaceAll(problem, "\n", "\n         ")
	}
	if v.Err != nil {
		s += "\n         " + v.Err.Error()
	}
	return s
}

// cameOf says what came of a run, and that a violation is what it is for if it is.
func cameOf(v tlc.Verdict) string {
	r := v.Result
	steps := -1
	for _, s := range r.Trace {
		if s.Text != "" { // no stuttering, and no step back
			steps++
		}
	}
	in := ""
	if steps >= 0 {
		in = " in " + plural.Of(steps, "step")
	}
	what := string(r.Outcome)
	switch {
	case v.Err != nil:
		return "no verdict"
	case r.Outcome == tlc.OK:
		return "nothing is violated"
	case r.Property != "":
		what = r.Property + " is violated" + in
	case r.Outcome == tlc.Deadlock:
		what = "nobody can go on" + strings.Replace(in, " in ", " after ", 1)
	case r.Outcome == tlc.Invariant || r.Outcome == tlc.Liveness:
		what = "a property that TLC does not name is violated" + in
	}
	if v.Pass() {
		what = "as it must: " + what
	}
	return what
}

// printTraces prints the counterexamples, each under the name of its run.
func (a *app) printTraces(verdicts []tlc.Verdict) {
	for _, v := range verdicts {
		fmt.Fprintf(a.out, "%s: %s\n%s", v.Entry.Name, cameOf(v), traceText(v.Result.Trace))
	}
}

// traceText is the first state of a counterexample, and then what each step changed.
func traceText(trace []tlc.State) string {
	var b strings.Builder
	for i, s := range trace {
		fmt.Fprintf(&b, "%4d  %s\n", s.Number, s.Action)
		lines := strings.Split(s.Text, "\n")
		if i > 0 && s.Text != "" {
			if lines = s.Changes(trace[i-1]); len(lines) == 0 {
				lines = []string{"changes nothing"}
			}
		}
		for _, l := range lines {
			if l != "" {
				fmt.Fprintf(&b, "      %s\n", l)
			}
		}
	}
	return b.String()
}
