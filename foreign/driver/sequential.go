package driver

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// sequentialExecutions bounds the executions of one sequential run with one bound. There are several only if
// the type starts goroutines.
const sequentialExecutions = 1000

// briefExecutions is enough where nothing is judged by the executions, to find out what can be called.
const briefExecutions = 20

// A call that alone makes more than longestCall accesses without a change counts as one that never returns.
// A run of more than sequentialSteps is not followed to its end.
const (
	longestCall     = 2_000
	sequentialSteps = 100_000
)

// errVaries is the error of a call, or a type, whose sequential runs differ.
var errVaries = errors.New("its sequential runs differ: random numbers, the clock, addresses, the order of " +
	"a map or what the package keeps from one to the next decide")

// errEnded is the error of a sequential run that was not made, or not finished, because the search was
// ended.
var errEnded = errors.New("the search ended")

// ended returns errEnded when the search has to end.
func (s *subject) ended() error {
	if s.ctx != nil && s.ctx.Err() != nil {
		return fmt.Errorf("%w: %w", errEnded, context.Cause(s.ctx))
	}
	return nil
}

// unexplorable is the reason why calls cannot be explored, for example a channel that they use.
type unexplorable string

func (e unexplorable) Error() string { return string(e) }

// crashes is the error of calls that end the process: a goroutine that they start panics, and no other
// goroutine can recover that.
type crashes struct{ why string }

func (c crashes) Error() string { return "a goroutine that it starts panics: " + c.why }

// hangs is the error of a call, or a maker, that does not return control to the explorer, or during which
// goroutines run that are not actors. They may still run, so this process explores no more: another process
// has to continue without the call (see Without).
type hangs struct{ what, why string }

func (h hangs) Error() string { return h.what + ": " + h.why }

// panicker matches the explorer's message about an actor that comes to code which is not explored, or that
// panics.
var panicker = regexp.MustCompile(`^actor \S+ panicked: `)

// ofProgram reports whether an error concerns the calls that were made, so that other calls may have none.
func ofProgram(err error) bool {
	_, is := errors.AsType[unexplorable](err)
	_, crash := errors.AsType[crashes](err)
	return is || crash || errors.Is(err, errVaries) || errors.Is(err, ErrProgram)
}

// caught calls f, and returns what code of the type panics with, or nil. A refusal of the explorer, and the
// panic that unwinds an actor, are passed on.
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

// errNoReturn is the error of a maker that waits for ever.
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

// sequentialAfter is sequential with other calls before. The results of these come first, and order has the
// actor of each call. There are several outcomes only if goroutines of the type run beside the calls, or a
// select chooses. A maker that makes no value, and code that cannot be explored, are errors.
func (s *subject) sequentialAfter(m *Maker, setup, calls, probe []*Invocation, order []int) (
	[]outcome, error) {
	var now outcome
	var given rooms
	var all []outcome
	var made error
	quiet, most := 0, 0 // longest row of accesses of the call that changed nothing
	several := false
	var begun atomic.Int64 // number of calls begun; read while a call does not return
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
				flow.LateTimers = true // nobody could come in time, and what is there is found
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

// cut ends a run after the point at which it shows nothing more, if that is wanted, because goroutines of
// the type may continue in many orders.
func (s *subject) cut(x *explore.Execution, given *rooms, collect func(*explore.Execution) error) {
	if s.cuts && len(given.all) == 0 && collect(x) == nil {
		x.Cut()
	}
}

// cameBack returns the error of a search of sequential runs. begun are the calls that the last run began.
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

// idle returns how many accesses in a row have changed nothing, including this step, if there were before so
// many.
func idle(before int, step explore.Step) int {
	if step.OK && step.Old != step.New || step.Kind.Sync() {
		return 0
	}
	return before + 1
}

// unreturned reports whether a search ended at a call that does not return control to the explorer.
func unreturned(r explore.Report) bool {
	return r.Failure != nil && (r.Failure.Kind == explore.Hung || r.Failure.Kind == explore.Stray)
}

// notRun returns the error of a search of sequential runs that could not be made.
func notRun(r explore.Report, err error) error {
	switch {
	case err != nil:
		return err
	case r.Failure != nil && r.Failure.Err != nil: // error of the maker
		return r.Failure.Err
	case r.Failure != nil:
		why := panicker.ReplaceAllString(r.Failure.Message, "")
		if r.Failure.Kind == explore.Panicked { // panics of calls are results
			why, _, _ = strings.Cut(why, "\n") // an error of singleflight has a stack after its first line
			return crashes{why}
		}
		return unexplorable(why)
	case r.StepBound > 0:
		return unexplorable(fmt.Sprintf("it takes more than %d accesses", sequentialSteps))
	}
	return nil
}

// allRuns makes the runs of a type that starts goroutines: one run of each class that differs not only in
// the order of independent steps and, first, the runs with the fewest preemptions, which are the likely
// ones. The latter are not among the former if there are too many, or if plain memory, whose accesses are
// not steps, orders what the goroutines do. A call of a function that is an argument is a step here, because
// it shows in the result of the call. A run of the first kind ends with the probe, because the order in
// which the goroutines continue after it does not matter.
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
		reduced, err = explore.Explore(p, o) // with fewer steps it reaches other runs
		reduced.StepBound += bound
		return reduced, err
	}
	reduced.StepBound += r.StepBound
	return reduced, err
}

// clocks are how long a look at the clock takes: in explorations, and where results are compared with those
// of other clocks. With the second one results differ that show the time, and with the others those that
// depend on how many looks there were, for example because something ends after a few milliseconds. Two
// calls may read the clock in another order than they act, and looks of other actors come between.
var clocks = [...]time.Duration{time.Millisecond, 1_700 * time.Microsecond, time.Microsecond,
	30 * time.Millisecond}

// twice is sequential for calls that may depend on chance, or show the time: it runs them again, with
// another clock.
func (s *subject) twice(m *Maker, calls, probe []*Invocation) ([]outcome, error) {
	first, err := s.sequential(m, calls, probe)
	if err != nil {
		return nil, err
	}
	flow.Look = clocks[1]
	defer func() { flow.Look = clocks[0] }()
	second, err := s.sequential(m, calls, probe)
	if err == nil && !slices.EqualFunc(first, second, outcome.equal) {
		err = errVaries
	}
	return first, err
}

// sequences runs each order of a program's calls that keeps the calls of each actor in order. If a call
// waits, for others or for the clock, it also makes the runs in which the call is overtaken. The probe is
// cut before a call that does not return, so it always returns.
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

// inOrder runs each order of a program's calls alone, and reports whether a call waits in one. It returns
// the runs that end: with all calls, or with one that waits after those of all other actors have been made.
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
