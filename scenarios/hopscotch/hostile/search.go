package hostile

import (
	"context"
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/hostile"
	"github.com/samecycle/samecycle/explore/processes"
)

// A Report is what the exploration of a program found out.
type Report struct {
	explore.Report
	Tally
}

// Explore searches a program with a writer, who overwrites one of the words that the actors access. If the
// context ends before these words are known, the report is of a search that did not begin.
func Explore(p Program, o explore.Options) (Report, error) {
	s, err := prepare(p, o.Context)
	if early := (*hostile.Unprepared)(nil); errors.As(err, &early) {
		return Report{Report: early.Report(o)}, nil
	}
	if err != nil {
		return Report{}, err
	}
	return s.report(s.Explore(o))
}

// Replay runs the one execution of a token again, with the judge.
func Replay(p Program, token string) (Report, error) {
	s, err := prepare(p, nil)
	if err != nil {
		return Report{}, err
	}
	return s.report(s.Replay(token))
}

// A search is a stage with the words that are to be overwritten.
type search struct {
	*hostile.Stage
	*stage
}

// prepare makes the table of a program, and learns which words are to be overwritten.
func prepare(p Program, c context.Context) (*search, error) {
	s, err := newStage(p)
	if err != nil {
		return nil, fmt.Errorf("program %s: %w", p.Name, err)
	}
	general, err := hostile.Prepare(hostile.Program{Name: p.Name, Says: p.Says, Actors: len(p.Cast),
		Memory: s.memory, Subject: s, Told: told, Most: tableMost, Spoilt: s.spoilt()}, c)
	if err != nil {
		return nil, err
	}
	s.tally = Tally{}
	return &search{general, s}, nil
}

// report adds what happened in the executions.
func (s *search) report(rep explore.Report, err error) (Report, error) {
	s.tally.Tally = s.Stage.Tally()
	return Report{rep, s.tally}, err
}

// Searches are all programs. They have no processes of the system: a writer is an actor of the explorer
// alone.
func Searches() (all []processes.Search) {
	for _, p := range Programs() {
		all = append(all, processes.Search{Name: p.Name, Says: p.Says,
			Explore: func(o explore.Options) (explore.Report, fmt.Stringer, error) {
				r, err := Explore(p, o)
				return r.Report, r.Tally, err
			},
			Replay: func(token string) (explore.Report, error) {
				r, err := Replay(p, token)
				return r.Report, err
			},
		})
	}
	return all
}
