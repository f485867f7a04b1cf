package model

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// LinkCrashes is how many actors may die in the searches of the evidence link. The states
// without a death are among those with at most one.
const LinkCrashes = 1

// LinkLimit is how many distinct states one search of the evidence link may have. A program with
// more is not judged: it is too large for a check, or its states have no end.
const LinkLimit = 5_000_000

// LinkResult is what the model says of one operation state.
type LinkResult struct {
	State    string   // as in the catalog
	Pass     bool     // everything was searched, nothing is wrong, and the race happens
	Complete bool     // everything was searched; if not, there is no verdict but a violation
	Figure   int64    // distinct states over all programs of the state
	Unit     string   // of Figure, plural
	Bound    string   // what was searched, in words
	Details  []string // one line a program, then what is wrong
	Elapsed  time.Duration
}

// RunLink searches all programs of the given operation states and returns a result for each, in
// their order. A state without a program has Figure 0 and does not pass. Ending ctx ends the
// search: what is left is not complete.
func RunLink(ctx context.Context, states ...string) []LinkResult {
	var list []LinkResult
	for _, state := range states {
		list = append(list, linkState(ctx, state))
	}
	return list
}

func linkState(ctx context.Context, state string) LinkResult {
	start := time.Now()
	r := LinkResult{State: state, Pass: true, Complete: true, Unit: "distinct states"}
	programs := ProgramsOf(state)
	if len(programs) == 0 {
		r.Pass, r.Complete = false, false
		r.Details = []string{"the model has no program of this state"}
	}
	for _, p := range programs {
		m, err := New(p.Config(LinkCrashes))
		if err != nil {
			r.Pass, r.Complete = false, false
			r.Details = append(r.Details, err.Error())
			continue
		}
		r.judge(p, Explore(ctx, m, Options{Limit: LinkLimit}))
	}
	r.Bound = fmt.Sprintf("all interleavings of %d programs, %d cells a half, window %d, "+
		"at most %d actor dead at any step", len(programs), ProgramCells, ProgramWindow,
		LinkCrashes)
	if !r.Complete {
		r.Bound = "not complete: " + r.Bound
	}
	r.Elapsed = time.Since(start)
	return r
}

// judge adds one program's search to the result.
func (r *LinkResult) judge(p Program, x Report) {
	r.Figure += x.Distinct
	r.Pass = r.Pass && x.OK()
	r.Complete = r.Complete && x.Exhaustive
	r.Details = append(r.Details, fmt.Sprintf(
		"%s: %d distinct states, depth %d, longest schedule %d steps, alone at most %d steps",
		p.Name, x.Distinct, x.Depth, x.Longest, x.Solo))
	for _, wrong := range []string{x.SoloFails, x.Endless} {
		if wrong != "" {
			r.Details = append(r.Details, p.Name+": "+wrong)
		}
	}
	if x.Violation != nil {
		r.Details = append(r.Details, strings.Split(x.Violation.String(), "\n")...)
	} else if !x.Exhaustive {
		r.Details = append(r.Details, p.Name+": "+x.Bound)
	} else if p.Name == p.State && !slices.Contains(x.Marks, p.State) {
		r.Pass = false
		r.Details = append(r.Details, p.Name+": the race of the state does not happen")
	}
}
