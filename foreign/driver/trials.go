package driver

import (
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/order"
)

// livelockSteps is the number of steps without progress after which a test counts as a livelock. It is less
// than the largest number of steps of an execution, so an execution without an end is reported as a livelock,
// and not as too long.
const livelockSteps = testSteps / 2

// For how many steps of others a goroutine waits that could continue: starvationRuns times those of the
// first execution, or leastStarvation if that is more, or if the first execution does not end otherwise. An
// execution in which one waits for longer is as a rule one in which others work until it stops them.
const (
	leastStarvation = 1000
	starvationRuns  = 4
)

// surely searches a test. If an execution makes no progress, the limit may only be too low: it comes from
// the first run of the test, and a loop that reads the clock or calls Gosched may have more rounds in
// another order. So the test is searched again with a higher limit, and the failure counts if it is found
// again. Otherwise the higher limit stays.
func (s *testSearch) surely(search func() (explore.Report, error)) (explore.Report, error) {
	report, err := search()
	if err != nil || !livelocks(report) {
		return report, err
	}
	limit := s.options.SpinLimit
	s.options.SpinLimit = max(limit, livelockSteps)
	again, err := search()
	if err != nil || livelocks(again) {
		s.options.SpinLimit = limit
		return report, err
	}
	return again, nil
}

func livelocks(r explore.Report) bool { return r.Failure != nil && r.Failure.Kind == explore.Livelock }

// A trial is a way to run a test for the first time.
type trial struct{ spin, starvation, steps int }

// The trials are tried one after the other, until the test ends, or makes no progress. In the usual ones a
// goroutine that waits in a loop goes on until it has made so many accesses without a change. The long ones
// are for tests that do not end so, and cannot be explored in parts. The first of them lets the test take
// longer. If it does not end even so, goroutines may work until another one stops them, or until some time
// is over: the last one lets no goroutine wait for long, and lets the clock go on.
var (
	usualTrials = []trial{{testSteps, 0, testSteps}, {1000, 0, testSteps}, {usualSpinLimit, 0, testSteps}}
	longTrials  = []trial{{longSteps, 0, longSteps}, {testSteps, leastStarvation, testSteps}}
)

// confirming is the trial that a livelock has to come up in, too: the goroutines of a test that is only long
// may look at the same things again and again, for more steps than the usual trials allow. A livelock is seen
// when each goroutine has had its turn three times.
func confirming(actors int) trial { return trial{longSteps / (4 * max(actors, 1)), 0, longSteps} }

// longest is the last trial of a livelock. A test may make the same steps millions of times, and count them
// in what no step shows. The trial ends before a goroutine counts as one that makes no progress.
var longest = trial{2 * longSteps, 0, 4*longSteps - 1}

// handOver is the number of steps of others that a goroutine waits for in the trial of tests whose goroutines
// hand something over by looking for it. A test that makes no progress has no end there either.
const handOver = 100

var handingOver = trial{testSteps, handOver, longSteps}

// once runs the test once, and finds out two limits for the search. One is how many accesses in a row a
// goroutine may make without a change: all accesses of that run, or, if it waits in a loop, as few as let it
// end. The other is for how many accesses of others a goroutine may wait that can continue.
func (s *testSearch) once() (report explore.Report, err error) {
	for _, x := range s.trials {
		if report, err = s.try(x); err != nil || report.StepBound == 0 && !livelocks(report) {
			break
		}
	}
	if err == nil && livelocks(report) && !s.told {
		report = s.confirm(report)
	}
	order.Keep()
	return report, err
}

// confirm returns the report of a livelock if it also comes up when goroutines hand over sooner, and when
// they may look for longer, and if the test does not end when it may take very long. Otherwise it returns the
// report of a trial that is none. If there is no time for these trials, nobody knows.
func (s *testSearch) confirm(livelock explore.Report) explore.Report {
	o := s.options
	sooner, again, err := s.livelocksIn(handingOver)
	if err == nil && !again && sooner.StepBound == 0 && s.ended() == nil {
		return sooner
	}
	if n := livelock.MaxActors; n > 1 {
		longer, again, err := s.livelocksIn(confirming(n))
		if err == nil && !again && s.ended() == nil {
			return longer
		}
	}
	ends, again, err := s.livelocksIn(longest)
	if err == nil && !again && ends.StepBound == 0 && s.ended() == nil {
		return ends
	}
	s.options = o
	if f := livelock.Failure; s.ended() != nil {
		f.Kind, f.Message, f.Err = explore.Unexplored, noTime+f.Message, nil
	}
	return livelock
}

// noTime is said of a livelock that was not looked at for long enough.
const noTime = "this may be no failure, since there was no time to see whether the test ends when it may " +
	"make more steps (explore it alone, or give it more --time): "

// livelocksIn is try, and reports whether the test makes no progress. The report does not tell of that as a
// failure, whose steps would be recorded: that takes far longer than the trial, and nothing ends it. An
// execution that is stuck before any goroutine has made as many steps as a livelock takes is a deadlock.
func (s *testSearch) livelocksIn(x trial) (report explore.Report, is bool, err error) {
	stuck := s.program.Stuck
	defer func() { s.program.Stuck = stuck }()
	s.program.Stuck = func(e *explore.Execution) error {
		if is = e.Steps() >= x.spin; is {
			return nil
		}
		return stuck(e)
	}
	report, err = s.try(x)
	return report, is, err
}

// try runs the test once, within the limits of the trial. If it ends, the limits for the search follow.
func (s *testSearch) try(x trial) (report explore.Report, err error) {
	s.options = explore.Options{Races: s.races, Strays: true, Context: s.ctx, MaxExecutions: 1, Audit: -1,
		MaxSteps: x.steps, SpinLimit: x.spin, Starvation: x.starvation}
	before, began := flow.Yields(), time.Now()
	report, err = explore.Explore(s.strangers.within(s.program), s.options)
	s.tried += time.Since(began)
	report.Elapsed = 0 // it is counted
	if err == nil && report.StepBound == 0 && !livelocks(report) {
		turns := int(report.Steps + flow.Yields() - before)
		s.options.SpinLimit = max(usualSpinLimit, min(x.spin, turns+1))
		if x.starvation == 0 {
			s.options.Starvation = max(leastStarvation, starvationRuns*turns)
		}
	}
	return report, err
}
