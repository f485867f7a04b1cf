package hostile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
)

// ErrUndamaged says that a program fails without a writer.
var ErrUndamaged = errors.New("program fails although nobody writes what he should not")

// A Report is what the exploration of a program found out.
type Report struct {
	explore.Report
	Tally
}

// Explore searches a program twice: without the writer, to learn which words its actors access, and then
// with him, who overwrites one of these. A word that nobody accesses is left alone: who does not read it
// does the same whatever it is, and there is no other damage by which anybody could come to it. Deaths are
// none of its business.
func Explore(p Program, o explore.Options) (Report, error) {
	if o.Kills > 0 {
		return Report{}, fmt.Errorf("%w: program %s with deaths; its dead have died before it begins: "+
			"leave them out", explore.ErrOptions, p.Name)
	}
	s, err := prepare(p, o.Context)
	if err != nil {
		return Report{}, fmt.Errorf("program %s: %w", p.Name, err)
	}
	return s.explore(o)
}

// prepare makes the stage of a program, with the words that are to be overwritten: the same however it is
// searched, since a token has them by number. Of two actors those are left out to which they come with more
// than two preemptions alone.
func prepare(p Program, c context.Context) (*stage, error) {
	s, err := newStage(p)
	if err != nil {
		return nil, err
	}
	rep, err := explore.Explore(s.program(), limits(explore.Options{Preemptions: 2, Stateful: true,
		Context: c}))
	if err != nil {
		return nil, err
	}
	if rep.Failure != nil || !rep.Exhaustive {
		return nil, fmt.Errorf("%w: %w; %s", ErrUndamaged, rep.Err(), rep.Bound)
	}
	if len(s.touched) == 0 {
		return nil, ErrPlain
	}
	s.targets = slices.Sorted(maps.Keys(s.touched))
	for _, at := range s.targets {
		s.nasty = append(s.nasty, s.values(at))
	}
	s.writes, s.tally = true, Tally{Words: len(s.targets)}
	return s, nil
}

// limits are those of an execution: a call has its own, and going in circles for less is none of our
// business.
func limits(o explore.Options) explore.Options {
	o.MaxSteps, o.SpinLimit = 4*tableMost, 2*tableMost
	return o
}

func (s *stage) explore(o explore.Options) (Report, error) {
	rep, err := explore.Explore(s.program(), limits(o))
	if err == nil && rep.Failure == nil && rep.StepBound > 0 {
		err = fmt.Errorf("program %s: %d executions were cut; raise the limit of steps", s.p.Name,
			rep.StepBound)
	}
	return Report{rep, s.tally}, err
}

// Replay runs the one execution of a token again, with the judge.
func Replay(p Program, token string) (Report, error) {
	s, err := prepare(p, nil)
	if err != nil {
		return Report{}, err
	}
	rep, err := explore.Replay(s.program(), token, limits(explore.Options{}))
	return Report{rep, s.tally}, err
}

func (s *stage) program() explore.Program {
	return explore.Program{Name: s.p.Name, Start: s.start, Step: s.step, Finish: s.finish, Tell: s.tell}
}

// tell says what a step read or changed.
func (s *stage) tell(_ *explore.Execution, step explore.Step) string {
	at := int(step.Object / region.WordBytes)
	if !step.Kind.Access() || at >= len(s.memory) || at < 0 {
		return ""
	}
	text := s.wordName(at) + " is " + s.decode(at, step.Old)
	switch {
	case step.Kind == hook.CompareAndSwap && !step.OK:
		text += ", wanted " + s.decode(at, step.New)
	case step.Old != step.New:
		text += " => " + s.decode(at, step.New)
	}
	return text
}

// Searches are all programs, in the form of those of processes that come and go, but for processes of the
// system: a writer is an actor of the explorer alone.
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
