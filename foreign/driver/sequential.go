package driver

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// sequentialExecutions bounds those of one sequential run with one bound, which has several only when the
// type starts goroutines of its own.
const sequentialExecutions = 1000

// briefExecutions are enough where nothing is judged by them: to see what can be called.
const briefExecutions = 20

// A call that alone takes more accesses than longestCall counts as one that never returns, if it changes
// nothing meanwhile; a run of more than sequentialSteps is not followed to its end.
const (
	longestCall     = 2_000
	sequentialSteps = 100_000
)

// errVaries is a call, or a type, whose sequential runs differ.
var errVaries = errors.New("its sequential runs differ: random numbers, the clock, addresses, the order of " +
	"a map or what the package keeps from one to the next decide")

// errEnded is a sequential run that was not made, or not to its end: the search was ended meanwhile.
var errEnded = errors.New("the search ended")

// ended is errEnded once the search is to end.
func (s *subject) ended() error {
	if s.ctx != nil && s.ctx.Err() != nil {
		return fmt.Errorf("%w: %w", errEnded, context.Cause(s.ctx))
	}
	return nil
}

// unexplorable is why calls cannot be explored, as a channel that they come to.
type unexplorable string

func (e unexplorable) Error() string { return string(e) }

// crashes are calls that end the process: a goroutine that they start panics, which nobody else can catch.
type crashes struct{ why string }

func (c crashes) Error() string { return "a goroutine that it starts panics: " + c.why }

// hangs is a call, or a maker, that does not come back to the explorer, or for which others go on that are no
// actors. They may still run, so this process explores no more: another one has to, without it (see Without).
type hangs struct{ what, why string }

func (h hangs) Error() string { return h.what + ": " + h.why }

// panicker is what the explorer says of an actor that comes to what is not explored, or that panics.
var panicker = regexp.MustCompile(`^actor \S+ panicked: `)

// ofProgram reports whether an error is of the calls that were made, so that others may have none.
func ofProgram(err error) bool {
	_, is := errors.AsType[unexplorable](err)
	_, crash := errors.AsType[crashes](err)
	return is || crash || errors.Is(err, errVaries) || errors.Is(err, ErrProgram)
}

// caught calls f and returns what code of the type panics with, nil if it does not. A refusal and what
// unwinds an actor are the explorer's: they go on.
func caught(x *explore.Execution, f func()) (r any) {
	defer func() {
		r = recover()
		if _, refused := r.(hook.Refusal); r != nil && (refused || x.Unwinding()) {
			panic(r)
		}
	}()
	f()
	return nil
}

// invoke makes a call and returns its results as text. A panic is a result.
func (r *rooms) invoke(x *explore.Execution, at place, c *Invocation, o any) (text string) {
	call := func() {
		results := c.Do(o)
		text = plain(results)
		r.keep(at, c.Text, results)
	}
	if p := caught(x, call); p != nil {
		text = panicText(p)
	}
	return text
}

// panicText is the result of a call that panics.
func panicText(r any) string { return fmt.Sprintf("%s%v", panicPrefix, r) }

// errNoReturn is a maker that waits for ever.
var errNoReturn = errors.New("it never returns")

// make makes a value. A panic is an error.
func (m *Maker) make(x *explore.Execution) (o any, err error) {
	if r := caught(x, func() { o, err = m.New() }); r != nil {
		err = fmt.Errorf("it panics: %v", r)
	}
	return o, err
}

// sequential runs the calls one after the other on a new value, and then the probe.
func (s *subject) sequential(m *Maker, calls, probe []*Invocation) ([]outcome, error) {
	return s.sequentialAfter(m, nil, calls, probe, make([]int, len(calls)))
}

// sequentialAfter is sequential with calls before the others, whose results come before theirs, and the actor
// of each of these. There are several outcomes only if goroutines of the type's own run beside them, or a
// select chooses. A maker that gives no value, and what cannot be explored, is an error.
func (s *subject) sequentialAfter(m *Maker, setup, calls, probe []*Invocation, order []int) (
	[]outcome, error) {
	var now outcome
	var given rooms
	var all []outcome
	var made error
	quiet, most := 0, 0 // accesses of the call in a row that changed nothing
	several := false
	var begun atomic.Int64 // calls, to be read while one does not return
	collect := func(*explore.Execution) error {
		if len(now.results) == len(setup)+len(calls) && len(now.after) == len(probe) {
			now.after = given.saw(now.after)
		}
		if !slices.ContainsFunc(all, now.equal) {
			all = append(all, now)
		}
		return made
	}
	program := explore.Program{Name: "sequential", Finish: collect, Stuck: collect,
		Start: func(x *explore.Execution) []explore.Actor {
			now, made = outcome{}, errNoReturn
			given.reset()
			s.begin()
			begun.Store(0)
			return []explore.Actor{{Name: "alone", Body: func() {
				var o any
				if o, made = m.make(x); made != nil {
					return
				}
				each := func(calls []*Invocation, places []place, results *[]string) {
					for i, c := range calls {
						x.Begin()
						quiet, most = 0, 0
						begun.Add(1)
						text := given.invoke(x, places[i], c, o)
						s.longest = max(s.longest, most)
						*results = append(*results, text)
						x.Mark(0)
					}
				}
				flow.LateTimers = true // there is nobody who could come in time, and what is there is found
				each(setup, placesOf(ahead, len(setup)), &now.results)
				flow.LateTimers = false
				waits := flow.Waits()
				each(calls, places(order), &now.results)
				s.timed = s.timed || waits != flow.Waits()
				flow.LateTimers = true
				each(probe, placesOf(behind, len(probe)), &now.after)
				s.cut(x, &given, collect)
			}}}
		},
		Step: func(_ *explore.Execution, step explore.Step) error {
			quiet = idle(quiet, step)
			most = max(most, quiet)
			several = several || step.Actor != 0 || step.Kind == hook.Choice
			return nil
		},
	}
	o := explore.Options{MaxExecutions: 1, MaxSteps: sequentialSteps, SpinLimit: longestCall, Audit: -1,
		Strays: true, Context: s.ctx, Watchdog: s.watchdog}
	r, err := explore.Explore(program, o)
	if err == nil && r.Failure == nil && several && r.StepBound == 0 {
		s.several = true
		r, err = s.allRuns(program, o)
	}
	if err := s.cameBack(r, err, m, slices.Concat(setup, calls, probe)[:begun.Load()]); err != nil {
		return nil, err
	}
	return all, nil
}

// cut ends a run that shows no more, if that is wanted: goroutines of the type may go on in many orders.
func (s *subject) cut(x *explore.Execution, given *rooms, collect func(*explore.Execution) error) {
	if s.cuts && len(given.all) == 0 && collect(x) == nil {
		x.Cut()
	}
}

// cameBack is the error of a search of sequential runs, whose last one began the calls.
func (s *subject) cameBack(r explore.Report, err error, m *Maker, begun []*Invocation) error {
	if s.ended() == nil && err == nil && unreturned(r) {
		what := m.Text
		if n := len(begun); n > 0 {
			what = begun[n-1].method()
		}
		return hangs{what, r.Failure.Message}
	}
	return errors.Join(s.ended(), notRun(r, err))
}

// idle is how many accesses in a row have changed nothing with the step, if there were so many before.
func idle(before int, step explore.Step) int {
	if step.OK && step.Old != step.New || step.Kind.Sync() {
		return 0
	}
	return before + 1
}

// unreturned reports whether a search ended at a call that does not come back to the explorer.
func unreturned(r explore.Report) bool {
	return r.Failure != nil && (r.Failure.Kind == explore.Hung || r.Failure.Kind == explore.Stray)
}

// notRun is the error of a search of sequential runs that could not be made.
func notRun(r explore.Report, err error) error {
	switch {
	case err != nil:
		return err
	case r.Failure != nil && r.Failure.Err != nil: // the maker's
		return r.Failure.Err
	case r.Failure != nil:
		why := panicker.ReplaceAllString(r.Failure.Message, "")
		if r.Failure.Kind == explore.Panicked { // the panics of calls are results
			return crashes{why}
		}
		return unexplorable(why)
	case r.StepBound > 0:
		return unexplorable(fmt.Sprintf("it takes more than %d accesses", sequentialSteps))
	}
	return nil
}

// allRuns makes the runs of a type that starts goroutines: one of each class that differ in the order of
// independent steps only and, first, those with the fewest preemptions, which are the likely ones. These are
// not among the others if there are too many, or if plain memory, whose accesses are no steps, orders what
// the goroutines do. That a function is called which a call was given is a step here, for it shows in the
// result of the call. A run of the first kind ends with the probe: in how many orders the goroutines go on
// behind it is no matter.
func (s *subject) allRuns(p explore.Program, o explore.Options) (explore.Report, error) {
	o.MaxExecutions = sequentialExecutions
	if s.brief {
		o.MaxExecutions = briefExecutions
		return explore.Explore(p, o)
	}
	hearing, s.cuts = true, true
	defer func() { hearing, s.cuts = false, false }()
	r, err := explore.Ascending(p, o, s.bound)
	s.cuts = false
	if err != nil || r.Failure != nil || r.Everything() {
		return r, err
	}
	o.Preemptions, o.Reduce = explore.Unbounded, true
	reduced, err := explore.Explore(p, o)
	if err == nil && reduced.Failure == nil && !reduced.Exhaustive {
		s.partial, hearing = true, false
		bound := r.StepBound + reduced.StepBound
		reduced, err = explore.Explore(p, o) // with fewer steps it comes to others
		reduced.StepBound += bound
		return reduced, err
	}
	reduced.StepBound += r.StepBound
	return reduced, err
}

// anotherClock makes the clock of explorations slower, or restores it, so that results which show the time
// differ: two calls may look at the clock in another order than they act.
func anotherClock(slower bool) {
	if flow.Look = time.Millisecond; slower {
		flow.Look = 1_700 * time.Microsecond
	}
}

// twice is sequential for calls that may be of chance, or show the time: it runs them again, by another
// clock.
func (s *subject) twice(m *Maker, calls, probe []*Invocation) ([]outcome, error) {
	first, err := s.sequential(m, calls, probe)
	if err != nil {
		return nil, err
	}
	anotherClock(true)
	defer anotherClock(false)
	second, err := s.sequential(m, calls, probe)
	if err == nil && !slices.EqualFunc(first, second, outcome.equal) {
		err = errVaries
	}
	return first, err
}

// sequences runs each order of a program's calls that keeps those of each actor in order; where one waits,
// for others or for the clock, also those in which it is overtaken. The probe is cut where it does not
// return, so that it always does.
func (s *subject) sequences(p objectProgram) (all []sequentialRun, probe []*Invocation, err error) {
	probe = s.probe
	for n := -1; n != len(probe); {
		n = len(probe)
		waits := false
		all, waits, err = s.inOrder(p, probe)
		if s.overtakes = waits || s.timed; err == nil && s.overtakes {
			var more []sequentialRun
			more, err = s.overtaking(p, probe, nil)
			for _, r := range more {
				if !slices.ContainsFunc(all, r.equal) {
					all = append(all, r)
				}
			}
		}
		if err != nil {
			return nil, nil, err
		}
		for _, r := range all {
			if k := len(r.after); !r.stuck() {
				probe = probe[:min(k, len(probe))]
			}
		}
	}
	return all, probe, nil
}

// inOrder runs each order of a program's calls alone, and says whether a call waits in one. It returns the
// runs that end: with all calls, or with one that waits when those of all other actors have been made.
func (s *subject) inOrder(p objectProgram, probe []*Invocation) (all []sequentialRun, waits bool, err error) {
	var stuck [][]int // beginnings of orders that never end
	err = orders(sizesOf(p.actors), func(order []int) error {
		for _, b := range stuck {
			if slices.Equal(order[:len(b)], b) {
				return nil
			}
		}
		var calls []*Invocation
		at := make([]int, len(p.actors))
		for _, a := range order {
			calls = append(calls, p.actors[a][at[a]])
			at[a]++
		}
		found, err := s.sequentialAfter(p.maker, p.setup, calls, probe, order)
		if err != nil {
			return err
		}
		most := 0
		for _, o := range found {
			n := len(o.results)
			if n < len(p.setup) {
				return fmt.Errorf("%w: %s before it never returns", ErrProgram, p.setup[n].Text)
			}
			most = max(most, n)
			if r, ends := alone(order, o.results[len(p.setup):], o.after); ends {
				all = append(all, r)
			}
			waits = waits || n < len(p.setup)+len(calls)
		}
		if most < len(p.setup)+len(calls) { // whatever a select or a goroutine does
			stuck = append(stuck, slices.Clone(order[:most-len(p.setup)+1]))
		}
		return nil
	})
	return all, waits, err
}

func sizesOf(actors [][]*Invocation) []int {
	var all []int
	for _, calls := range actors {
		all = append(all, len(calls))
	}
	return all
}
