package processes

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/seam"
)

// A Check is a search within fixed bounds, as evidence.
type Check struct {
	Search

	// Options bound the search. Reduce, or Preemptions of explore.Unbounded, is all interleavings.
	Options explore.Options

	// Scope says in words what else the search covers, or leaves out; "" is nothing.
	Scope string

	// Missing returns what the program is about and has not happened in the executions, or "" if all of it
	// has. happened is the search's account of its executions. If Missing is nil, nothing is checked.
	Missing func(happened fmt.Stringer) string
}

// A Result is what a check has found.
type Result struct {
	Name       string
	Executions uint64
	Bound      string // in words; it has "not complete: " where interleavings are left out
	Happened   string // in the executions
	Err        error  // what is wrong, or why there is no verdict; nil: the check has passed
	Unknown    bool   // Err is no verdict
	Token      string // runs the failure again, if there is one
}

// Errors of a check.
var (
	// ErrPlain says that accesses are not reported in this build. It is no verdict.
	ErrPlain = errors.New("the engine cannot be explored: build with the tag explore, as make build does")

	// ErrUnfinished says that a search did not come to its end. It is no verdict.
	ErrUnfinished = errors.New("the search was not finished")

	// ErrMissing says that what a program is about has not happened.
	ErrMissing = errors.New("the program is not about what it should be about")
)

// Run searches the program, and say reports the progress. A search that is interrupted by the context, is
// not finished, or cannot run on this system has no verdict.
func (c Check) Run(ctx context.Context, say func(what string)) Result {
	r := Result{Name: c.Name, Bound: c.Bound()}
	if !seam.Explored {
		r.Err, r.Unknown = ErrPlain, true
		return r
	}
	o := c.Options
	o.Context = ctx
	o.Progress = func(x explore.Stats) { say(plural.Of(x.Executions, "execution")) }
	rep, happened, err := c.Explore(o)
	r.Executions = rep.Executions
	switch f := rep.Failure; {
	case err != nil:
		r.Err, r.Unknown = err, true
		return r
	case f != nil:
		r.Err, r.Token = f, f.Token
		return r
	case !rep.Exhaustive || rep.StepBound > 0:
		r.Err, r.Unknown = fmt.Errorf("%w: %s", ErrUnfinished, rep.Bound), true
		return r
	}
	r.Happened = happened.String()
	if c.Missing != nil {
		if text := c.Missing(happened); text != "" {
			r.Err = fmt.Errorf("%w: %s; %s", ErrMissing, text, r.Happened)
		}
	}
	return r
}

// Bound says in words what the check covers, and what it leaves out.
func (c Check) Bound() string {
	var text []string
	switch o := c.Options; {
	case o.Reduce:
		text = append(text, "all interleavings, one of each class of equivalent ones")
	case o.Preemptions == explore.Unbounded:
		text = append(text, "all interleavings")
	default:
		text = append(text, "not complete: at most "+plural.Of(o.Preemptions, "preemption"))
	}
	switch n := c.Options.Kills; n {
	case 0:
		text = append(text, "no death during the program")
	default:
		text = append(text, fmt.Sprintf("at most %s of processes, at any time", plural.Of(n, "death")))
	}
	if c.Scope != "" {
		text = append(text, c.Scope)
	}
	return strings.Join(text, "; ")
}

// RunAll runs the checks one after the other; say has their names ahead. It stops between two when the
// context has ended.
func RunAll(ctx context.Context, checks []Check, say func(what string)) []Result {
	var all []Result
	for _, c := range checks {
		if ctx.Err() != nil {
			break
		}
		all = append(all, c.Run(ctx, func(what string) { say(c.Name + ": " + what) }))
	}
	return all
}

// Together groups the checks by what they cover: checks with the same bound are next to one another, in the
// order of the first of them.
func Together(checks []Check) [][]Check {
	var all [][]Check
	at := map[string]int{}
	for _, c := range checks {
		i, ok := at[c.Bound()]
		if !ok {
			i = len(all)
			at[c.Bound()], all = i, append(all, nil)
		}
		all[i] = append(all[i], c)
	}
	return all
}
