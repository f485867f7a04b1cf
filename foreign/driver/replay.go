package driver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
)

// Limits of a minimisation: the executions of each search, and the schedules that are tried at the end.
const (
	reductionExecutions = 20_000
	reductionReplays    = 2_000
)

// find returns the suite and the program to which a token belongs. The program may lack calls: the name that
// a minimisation gives says which.
func (r run) find(token string) (Suite, Program, failure.Dropped, error) {
	name, err := explore.TokenProgram(token)
	if err != nil {
		return Suite{}, Program{}, nil, err
	}
	name = strings.TrimPrefix(name, r.name+"#")
	whole, d := failure.Split(name)
	for _, s := range r.t.Suites {
		for _, p := range s.Programs {
			switch p.Name {
			case name:
				return s, p, nil, nil
			case whole:
				return s, p, d, nil
			}
		}
	}
	return Suite{}, Program{}, nil, fmt.Errorf("%w: no program %q in target %s", ErrProgram, name, r.name)
}

// without returns the program without some calls, under a name that says which.
func (p Program) without(d failure.Dropped) (Program, bool) {
	actors, ok := failure.Keep(p.Actors, d)
	p.Actors, p.Name = actors, p.Name+d.Suffix()
	return p, ok
}

// A variant is a program that a token can name: the program that was searched, or a part of it.
type variant struct {
	suite, text string
	program     explore.Program
	spinLimit   int // accesses without a change after which an actor waits; 0: the default
	take        func(*Result, explore.Report)
	settle      func(explore.Report, error) (explore.Report, error) // judges what is left of a report
}

// A whole is the complete program of a token, before a minimisation has removed anything.
type whole struct {
	sizes   []int // number of calls by actor
	dropped failure.Dropped
	without func(failure.Dropped) (variant, error)
}

// whole returns the program of a token.
func (r run) whole(token string) (whole, error) {
	s, all, d, err := r.find(token)
	return whole{sizes(all.Actors), d, func(d failure.Dropped) (variant, error) {
		p, ok := all.without(d)
		if !ok {
			return variant{}, fmt.Errorf("%w: %s lacks calls that %s does not have", ErrProgram, p.Name,
				all.Name)
		}
		return variant{s.Name, p.text(r.t.Names), p.explored(r.name, r.t), 0,
			func(res *Result, report explore.Report) { res.takeMap(r, p, report) },
			func(r explore.Report, err error) (explore.Report, error) { return r, err }}, nil
	}}, err
}

// replay runs the one schedule that a token describes.
func (r run) replay(token string) (Report, error) {
	w, err := r.whole(token)
	if err != nil {
		return Report{}, err
	}
	return r.replayOf(w, token)
}

func (r run) replayOf(w whole, token string) (Report, error) {
	v, err := w.without(w.dropped)
	if err != nil {
		return Report{}, err
	}
	report, err := v.settle(explore.Replay(v.program, token, explore.Options{Strays: true}))
	if err != nil {
		return Report{}, err
	}
	return r.report(v, report), nil
}

// report returns the report of one program.
func (r run) report(v variant, report explore.Report, notes ...string) Report {
	res := Result{Name: v.suite, Programs: 1, Notes: notes}
	v.take(&res, report)
	if report.Failure == nil {
		res.Status, res.Message = Clean, "the schedule of the token is linearizable"
	}
	return Report{Target: r.name, Results: []Result{res}}
}

// minimise removes calls, then actors, and then switches from the failure of the token, as long as a failure
// of the same kind remains. If the token does not fail, it is a replay.
func (r run) minimise(token string) (Report, error) {
	w, err := r.whole(token)
	if err != nil {
		return Report{}, err
	}
	return r.minimiseOf(w, token)
}

func (r run) minimiseOf(w whole, token string) (Report, error) {
	out, err := r.replayOf(w, token)
	if err != nil || out.Results[0].Status != Found {
		return out, err
	}
	v, err := w.without(w.dropped)
	if err != nil {
		return out, err
	}
	best, err := v.settle(explore.Replay(v.program, token, explore.Options{Strays: true}))
	if err != nil {
		return out, err
	}
	first, limited, searches := best.Failure, false, 0
	same := func(f *explore.Failure) bool {
		return f.Kind == first.Kind && errors.Is(f.Err, ErrIllegal) == errors.Is(first.Err, ErrIllegal)
	}
	left, err := failure.Reduce(context.Background(), w.sizes, w.dropped,
		func(d failure.Dropped) (bool, error) {
			smaller, err := w.without(d)
			if err != nil {
				return false, err
			}
			searches++
			fmt.Fprintf(r.notice, "trying %s\n", smaller.text)
			report, err := smaller.settle(explore.Ascending(smaller.program,
				explore.Options{Strays: true, MaxExecutions: reductionExecutions,
					Races:     explore.TokenRaces(token),
					SpinLimit: smaller.spinLimit},
				best.Failure.Preemptions))
			if err != nil || report.Failure == nil || !same(report.Failure) {
				limited = limited || err == nil && report.Failure == nil && !report.Exhaustive
				return false, err
			}
			v, best = smaller, report
			return true, nil
		})
	if err != nil {
		return out, err
	}
	f, tries, err := explore.FewerSwitches(context.Background(), v.program, best.Failure,
		explore.Options{Strays: true}, same, reductionReplays)
	if err != nil {
		return out, err
	}
	best.Failure = f
	notes := []string{
		fmt.Sprintf("calls: %d taken away in %d searches", len(left)-len(w.dropped), searches),
		fmt.Sprintf("switches: %d of %d left, preemptions: %d of %d, after %d replays", f.Switches(),
			first.Switches(), f.Preemptions, first.Preemptions, tries),
	}
	if limited || tries == reductionReplays {
		notes = append(notes, "some searches ended at their limit: a smaller failure may exist")
	}
	return r.report(v, best, notes...), nil
}

func sizes(actors [][]Call) []int {
	var all []int
	for _, calls := range actors {
		all = append(all, len(calls))
	}
	return all
}
