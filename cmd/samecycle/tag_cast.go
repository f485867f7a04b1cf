//go:build explore

package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/scenarios/hopscotch/hostile"
	table "github.com/samecycle/samecycle/scenarios/hopscotch/processes"
)

// castBound is the highest bound on preemptions of a program of processes without --bound.
const castBound = 1

// castResult is the result of explore --json for a program of processes that come and go, or of a hostile
// writer.
type castResult struct {
	Program    string       `json:"program"`
	Says       string       `json:"says"`
	Covered    string       `json:"covered"`
	Bound      string       `json:"bound"`
	Exhaustive bool         `json:"exhaustive"`
	Executions uint64       `json:"executions"`
	Killed     uint64       `json:"killed"`
	States     uint64       `json:"states"`
	Steps      uint64       `json:"steps"`
	Happened   fmt.Stringer `json:"happened"` // in the executions of the highest bound
	Failure    *failureText `json:"failure,omitempty"`
}

// castSearch is the program of a token that is none of a state's.
func castSearch(token string) (processes.Search, bool) {
	name, err := explore.TokenProgram(token)
	if err != nil {
		return processes.Search{}, false
	}
	for _, s := range slices.Concat(table.Searches(), hostile.Searches()) {
		if s.Name == name {
			return s, true
		}
	}
	return processes.Search{}, false
}

// castsOf are the programs of the kind that a target is of.
func castsOf(target string) []processes.Search {
	if isHostile(target) {
		return hostile.Searches()
	}
	return table.Searches()
}

// exploreCasts searches the program that was named, or all.
func exploreCasts(ctx context.Context, r exploreRequest) (report, error) {
	var all []castResult
	red, names := false, ""
	for _, s := range castsOf(r.Cast) {
		names += " " + s.Name
		if r.Cast != allCasts && r.Cast != allHostile && r.Cast != s.Name {
			continue
		}
		if ctx.Err() != nil {
			red = true // it is not searched
			continue
		}
		c, err := r.cast(ctx, s)
		if err != nil {
			return report{}, err
		}
		red = red || !c.Exhaustive
		all = append(all, c)
		r.Say("%s: %s, %s", c.Program, plural.Of(c.Executions, "execution"), c.Covered)
	}
	if len(all) == 0 && ctx.Err() == nil {
		return report{}, fmt.Errorf("%w: there is no program %s; the programs are:%s", errTarget, r.Cast,
			names)
	}
	return report{Red: red, Data: all, Text: func(w io.Writer) error {
		for _, c := range all {
			if err := c.write(w); err != nil {
				return err
			}
		}
		return nil
	}}, nil
}

// cast searches one of them, with ascending bounds unless one was given.
func (r exploreRequest) cast(ctx context.Context, s processes.Search) (castResult, error) {
	if r.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Time)
		defer cancel()
	}
	happened := map[int]fmt.Stringer{}
	try := func(bound int) (explore.Report, error) {
		rep, tally, err := s.Explore(explore.Options{Preemptions: bound, Kills: r.Kills,
			Stateful: !r.Stateless && !r.Reduce, Reduce: r.Reduce, MaxExecutions: uint64(r.Executions),
			Context: ctx,
			Progress: func(x explore.Stats) {
				r.Progress(s.Name+": "+plural.Of(x.Executions, "execution")+", "+
					plural.Of(x.States, "state"), 0)
			}})
		happened[bound] = tally
		return rep, err
	}
	var rep explore.Report
	var err error
	switch {
	case r.Reduce:
		rep, err = try(explore.Unbounded)
	case r.Fixed:
		rep, err = try(r.Bound)
	default:
		rep, err = explore.Climb(castBound, try)
	}
	c := castResult{Program: s.Name, Says: s.Says, Covered: coveredBy(rep), Bound: rep.Bound,
		Exhaustive: rep.Exhaustive && rep.Failure == nil, Executions: rep.Executions, Killed: rep.Killed,
		States: rep.States, Steps: rep.Steps, Happened: happened[rep.Preemptions]}
	if f := rep.Failure; f != nil {
		c.Failure = textOf(f)
		c.Failure.Page = writePage(r.Failures, failure.Page{Program: s.Name, Failure: f,
			Replay: "samecycle replay '" + f.Token + "'"})
	}
	return c, err
}

func (c castResult) write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s\n  covered: %s\n  %s\n", c.Program, c.Says, c.Covered, c.Bound)
	fmt.Fprintf(w, "  executions %d, %d with a death; accesses %d; states %d\n  %v\n", c.Executions, c.Killed,
		c.Steps, c.States, c.Happened)
	if c.Failure != nil {
		return c.Failure.write(w, false)
	}
	state := "no failure"
	if !c.Exhaustive {
		state = unfinishedText
	}
	_, err := fmt.Fprintf(w, "  %s\n\n", state)
	return err
}

// ofCast replays a token of such a program in the explorer.
func (r replayRequest) ofCast(s processes.Search) (report, error) {
	if r.Minimise || r.Export != "" || r.Steps {
		return report{}, lineError("%s is no program of an operation state: --minimise, --export "+
			"and --steps are for operation states; leave them out", s.Name)
	}
	rep, err := s.Replay(r.Token)
	if err != nil {
		return report{}, err
	}
	return report{Red: rep.Failure != nil, Data: rep, Text: func(w io.Writer) error {
		if rep.Failure != nil {
			_, err := fmt.Fprintf(w, "%s\n  %v\n%s", s.Name, rep.Failure, rep.Failure.Table())
			return err
		}
		_, err := fmt.Fprintf(w, "%s: %s\n  no failure; %s\n", s.Name, s.Says, plural.Of(rep.Steps, "access"))
		return err
	}}, nil
}
