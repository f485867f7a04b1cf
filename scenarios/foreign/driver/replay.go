package driver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/scenarios/explore"
	"github.com/samecycle/samecycle/scenarios/failure"
)

// Limits of a minimisation: executions of each search, and schedules that are tried at the end.
const (
	reductionExecutions = 20_000
	reductionReplays    = 2_000
)

// find returns the suite and the program that a token belongs to, the program also without calls, as
// a minimisation names it.
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

// without is the program less some calls, under a name that tells them.
func (p Program) without(d failure.Dropped) (Program, bool) {
	actors, ok := failure.Keep(p.Actors, d)
	p.Actors, p.Name = actors, p.Name+d.Suffix()
	return p, ok
}

// replay runs the one schedule that a token describes.
func (r run) replay(token string) (Report, error) {
	s, whole, d, err := r.find(token)
	if err != nil {
		return Report{}, err
	}
	p, ok := whole.without(d)
	if !ok {
		return Report{}, fmt.Errorf("%w: %s lacks calls that %s does not have", ErrProgram, p.Name,
			whole.Name)
	}
	report, err := explore.Replay(p.explored(r.name, r.t), token, explore.Options{})
	if err != nil {
		return Report{}, err
	}
	return r.report(s, p, report), nil
}

// report is that of one program of the suite.
func (r run) report(s Suite, p Program, report explore.Report, notes ...string) Report {
	res := Result{Name: s.Name, Programs: 1, Notes: notes}
	res.take(r, p, report)
	if report.Failure == nil {
		res.Status, res.Message = Clean, "the schedule of the token is linearizable"
	}
	return Report{Target: r.name, Results: []Result{res}}
}

// minimise takes calls, then actors, then switches away from the failure of the token, as long as it
// stays one of the same kind. Of a token that does not fail it is a replay.
func (r run) minimise(token string) (Report, error) {
	s, whole, d, err := r.find(token)
	if err != nil {
		return Report{}, err
	}
	out, err := r.replay(token)
	if err != nil || out.Results[0].Status != Found {
		return out, err
	}
	p, _ := whole.without(d)
	best, err := explore.Replay(p.explored(r.name, r.t), token, explore.Options{})
	if err != nil {
		return out, err
	}
	first, limited, searches := best.Failure, false, 0
	same := func(f *explore.Failure) bool {
		return f.Kind == first.Kind && errors.Is(f.Err, ErrIllegal) == errors.Is(first.Err, ErrIllegal)
	}
	left, err := failure.Reduce(context.Background(), sizes(whole.Actors), d,
		func(d failure.Dropped) (bool, error) {
			smaller, _ := whole.without(d)
			searches++
			fmt.Fprintf(r.notice, "trying %s\n", smaller.text(r.t.Names))
			report, err := explore.Ascending(smaller.explored(r.name, r.t),
				explore.Options{MaxExecutions: reductionExecutions, Races: explore.TokenRaces(token)},
				best.Failure.Preemptions)
			if err != nil || report.Failure == nil || !same(report.Failure) {
				limited = limited || err == nil && report.Failure == nil && !report.Exhaustive
				return false, err
			}
			p, best = smaller, report
			return true, nil
		})
	if err != nil {
		return out, err
	}
	f, tries, err := explore.FewerSwitches(context.Background(), p.explored(r.name, r.t), best.Failure,
		explore.Options{}, same, reductionReplays)
	if err != nil {
		return out, err
	}
	best.Failure = f
	notes := []string{
		fmt.Sprintf("calls: %d taken away in %d searches", len(left)-len(d), searches),
		fmt.Sprintf("switches: %d of %d left, preemptions: %d of %d, after %d replays", f.Switches(),
			first.Switches(), f.Preemptions, first.Preemptions, tries),
	}
	if limited || tries == reductionReplays {
		notes = append(notes, "some searches ended at their limit: a smaller failure may exist")
	}
	return r.report(s, p, best, notes...), nil
}

func sizes(actors [][]Call) []int {
	var all []int
	for _, calls := range actors {
		all = append(all, len(calls))
	}
	return all
}
