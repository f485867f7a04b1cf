package driver

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/scenarios/explore"
)

// sequentialExecutions bounds those of one sequential run, which has several only when the type
// starts goroutines of its own: one of each class that differ in the order of independent steps only.
const sequentialExecutions = 1000

// A call that alone takes more accesses than longestCall counts as one that never returns, if it changes
// nothing meanwhile; a run of more than sequentialSteps is not followed to its end.
const (
	longestCall     = 2_000
	sequentialSteps = 100_000
)

// errVaries is a call, or a type, whose sequential runs differ.
var errVaries = errors.New("its sequential runs differ: random numbers, the clock, addresses or the order " +
	"of a map decide")

// unexplorable is why calls cannot be explored, as a channel that they come to.
type unexplorable string

func (e unexplorable) Error() string { return string(e) }

// panicker is what the explorer says of an actor that comes to what is not explored.
var panicker = regexp.MustCompile(`^actor \S+ panicked: `)

// ofProgram reports whether an error is of the calls that were made, so that others may have none.
func ofProgram(err error) bool {
	_, is := errors.AsType[unexplorable](err)
	return is || errors.Is(err, errVaries) || errors.Is(err, ErrProgram)
}

// invoke makes a call and returns its results as text. A panic is a result.
func invoke(x *explore.Execution, c *Invocation, o any) (text string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case hook.Refusal:
			panic(r)
		default:
			if x.Unwinding() {
				panic(r)
			}
			text = fmt.Sprintf("panic: %v", r)
		}
	}()
	return plain(c.Do(o))
}

// sequential runs the calls one after the other on a new value, and then the probe. There are several
// outcomes only if goroutines of the type's own run beside them. A maker that gives no value, and
// what cannot be explored, is an error.
func (s *subject) sequential(m *Maker, calls, probe []*Invocation) ([]outcome, error) {
	var now outcome
	var all []outcome
	var made error
	quiet, most, spawns := 0, 0, false // accesses of the call in a row that changed nothing
	collect := func(*explore.Execution) error {
		if !slices.ContainsFunc(all, now.equal) {
			all = append(all, now)
		}
		return made
	}
	program := explore.Program{Name: "sequential",
		Start: func(x *explore.Execution) []explore.Actor {
			now, made = outcome{}, nil
			return []explore.Actor{{Name: "alone", Body: func() {
				var o any
				if o, made = m.New(); made != nil {
					return
				}
				each := func(calls []*Invocation, results *[]string) {
					for _, c := range calls {
						x.Begin()
						quiet, most = 0, 0
						text := invoke(x, c, o)
						s.longest = max(s.longest, most)
						*results = append(*results, text)
						x.Mark(0)
					}
				}
				each(calls, &now.results)
				each(probe, &now.after)
			}}}
		},
		Step: func(_ *explore.Execution, step explore.Step) error {
			if quiet++; step.Kind != hook.Load && (step.OK && step.Old != step.New || step.Kind.Sync()) {
				quiet = 0
			}
			most = max(most, quiet)
			spawns = spawns || step.Actor != 0
			return nil
		},
		Finish: collect, Stuck: collect,
	}
	o := explore.Options{MaxExecutions: 1, MaxSteps: sequentialSteps, SpinLimit: longestCall, Audit: -1}
	r, err := explore.Explore(program, o)
	if err == nil && r.Failure == nil && made == nil && spawns {
		s.spawns, all = true, nil
		r, err = s.allRuns(program, o)
	}
	switch {
	case err != nil:
		return nil, err
	case made != nil:
		return nil, made
	case r.Failure != nil:
		return nil, unexplorable(panicker.ReplaceAllString(r.Failure.Message, ""))
	case r.StepBound > 0:
		return nil, unexplorable(fmt.Sprintf("it takes more than %d accesses", sequentialSteps))
	case len(all) > 1 && !s.spawns:
		return nil, errVaries
	}
	return all, nil
}

// allRuns makes all runs of a type that starts goroutines. If these are too many it adds those with the
// fewest preemptions, which are the likely ones.
func (s *subject) allRuns(p explore.Program, o explore.Options) (explore.Report, error) {
	reduced := o
	reduced.MaxExecutions, reduced.Preemptions, reduced.Reduce = sequentialExecutions, explore.Unbounded, true
	r, err := explore.Explore(p, reduced)
	if err != nil || r.Failure != nil || r.Exhaustive {
		return r, err
	}
	s.partial, o.MaxExecutions = true, sequentialExecutions
	return explore.Ascending(p, o, s.bound)
}

// twice is sequential for calls that may be of chance: it runs them again.
func (s *subject) twice(m *Maker, calls, probe []*Invocation) ([]outcome, error) {
	first, err := s.sequential(m, calls, probe)
	if err != nil {
		return nil, err
	}
	second, err := s.sequential(m, calls, probe)
	if err == nil && !slices.EqualFunc(first, second, outcome.equal) {
		err = errVaries
	}
	return first, err
}

// sequences runs each order of a program's calls that keeps those of each actor in order. The probe
// is cut where it does not return, so that it always does.
func (s *subject) sequences(p objectProgram) (all []sequentialRun, probe []*Invocation, err error) {
	probe = s.probe
	for again := true; again; {
		all, again = nil, false
		var stuck [][]int // beginnings of orders that never end
		err := orders(sizesOf(p.actors), func(order []int) error {
			for _, b := range stuck {
				if slices.Equal(order[:len(b)], b) {
					return nil
				}
			}
			calls := slices.Clone(p.setup)
			at := make([]int, len(p.actors))
			for _, a := range order {
				calls = append(calls, p.actors[a][at[a]])
				at[a]++
			}
			found, err := s.sequential(p.maker, calls, probe)
			if err != nil {
				return err
			}
			for _, o := range found {
				n := len(o.results)
				if n < len(p.setup) {
					return fmt.Errorf("%w: %s before it never returns", ErrProgram, p.setup[n].Text)
				}
				if n < len(calls) {
					stuck = append(stuck, slices.Clone(order[:n-len(p.setup)+1]))
				} else if k := len(o.after); k < len(probe) {
					probe, again = probe[:k], true
				}
				o.results = o.results[len(p.setup):]
				all = append(all, sequentialRun{slices.Clone(order), o})
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return all, probe, nil
}

func sizesOf(actors [][]*Invocation) []int {
	var all []int
	for _, calls := range actors {
		all = append(all, len(calls))
	}
	return all
}
