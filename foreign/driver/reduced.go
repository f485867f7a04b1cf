package driver

import (
	"context"
	"time"

	"github.com/samecycle/samecycle/explore"
)

// The names of programs that are tests have one of these after the target. No type has such a name.
const (
	testToken = "test"
	leakToken = "leaks" // for tests that must not leave goroutines which wait for ever

	// reducedSuffix follows one of them in a reduced search, in which a test makes more steps.
	reducedSuffix = ",reduced"
)

// kind is the part of the programs' names that says how the tests are searched.
func (t tests) kind() string {
	token := testToken
	if t.leaks {
		token = leakToken
	}
	if t.reduced {
		token += reducedSuffix
	}
	return token
}

// testKind reads what kind returns; is is false if the name is another one.
func testKind(name string) (leaks, reduced, is bool) {
	for _, t := range []tests{{}, {leaks: true}, {reduced: true}, {leaks: true, reduced: true}} {
		if name == t.kind() {
			return t.leaks, t.reduced, true
		}
	}
	return false, false, false
}

// IsTest reports whether the part of a program's name says that the program is a test.
func IsTest(name string) bool {
	_, _, is := testKind(name)
	return is
}

// firstReduced is the number of executions of a reduced search after which it ends if one of them was too
// long: then there are others that are longer still, as a rule without end.
const firstReduced = 100

// reduce searches all interleavings of a test that has more of them than the search within its bound has
// covered: one of each class of those that differ only in the order of independent steps. The search takes
// at most half of the time that the test has left, and as many executions as any other search of it. ended
// is true if it was searched to the end, or if a failure was found. Otherwise the result stays what it was.
//
// Accesses of plain memory have to be looked at, because the reduction is sound only if they are ordered by
// steps. An execution must not be much longer than the first one, because what follows a step that comes too
// late is not searched. If the test does not end unless its goroutines wait for one another in turn, there
// are executions without an end, so such a test is left out.
func (s *testSearch) reduce(res *Result) (ended bool, err error) {
	if !s.races || s.large || s.fair || s.ended() != nil {
		return false, nil
	}
	ctx, stop := s.half()
	defer stop()
	t := s.tests
	t.reduced = true
	p, o := t.program(s.part, &s.judge), s.options
	o.MaxSteps, o.Starvation, o.Preemptions = s.options.Starvation, 0, explore.Unbounded
	o.Reduce, o.Context = true, ctx
	for _, most := range []uint64{firstReduced, s.executions} {
		o.MaxExecutions = most
		report, err := s.judge.ofTest(explore.Explore(p, o))
		if err != nil {
			return false, err
		}
		switch {
		case report.Failure != nil && ignored(report.Failure.Kind):
			return false, nil
		case report.Failure == nil && !report.Exhaustive:
			res.Schedules, res.Steps = res.Schedules+report.Executions, res.Steps+report.Steps
			if res.Elapsed += report.Elapsed; report.StepBound > 0 {
				return false, nil
			}
			continue
		}
		res.Exhaustive, res.Message, res.Starvation = true, "", 0
		if res.take("", report); report.Failure == nil && complete(report) {
			res.Complete, res.Reduced = 1, true
		}
		return true, nil
	}
	return false, nil
}

// half returns the context of a search that may take half of the time that is left.
func (s *testSearch) half() (context.Context, context.CancelFunc) {
	ctx := s.subject.ctx
	end, has := ctx.Deadline()
	if !has {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}

// ignored reports whether a failure only says that a reduced search does not explore the test. So does a
// livelock, because the executions of this search may be shorter than those of others.
func ignored(k explore.FailureKind) bool { return k == explore.Unexplored || k == explore.Livelock }
