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

	// shortSuffix is at the end in a search of the short form of a test.
	shortSuffix = ",short"
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
	if t.short {
		token += shortSuffix
	}
	return token
}

// testKind reads what kind returns; is is false if the name is another one.
func testKind(name string) (t tests, is bool) {
	for i := range 8 {
		if t = (tests{leaks: i&1 > 0, reduced: i&2 > 0, short: i&4 > 0}); name == t.kind() {
			return t, true
		}
	}
	return tests{}, false
}

// IsTest reports whether the part of a program's name says that the program is a test.
func IsTest(name string) bool {
	_, is := testKind(name)
	return is
}

// The numbers of executions of the reduced searches of a test. The first one ends soon if the test has
// executions that are too long: then there are others that are longer still, as a rule without end. If the
// second one comes to its end, so many executions are enough for the search within the bound, which then
// only looks for failures with fewer preemptions.
const (
	firstReduced  = 100
	secondReduced = 1000
	besideReduced = 10_000
)

// The parts of the time that a test has left which its searches may take. What remains is for executions
// with few delays, and for drawn ones.
const (
	earlyShare   = 0.1 // the first reduced ones
	boundedShare = 0.6 // the one with at most so many preemptions, if a longer reduced one may follow
	reducedShare = 0.5
)

// A reduction is what is known of the reduced search of a test.
type reduction struct {
	report  explore.Report // of the search that came to its end, or found a failure
	ended   bool           // there is one
	refused bool           // none will be
	long    bool           // it has had much time
}

// reduce searches all interleavings of a test: one of each class of those that differ only in the order of
// independent steps. It takes a part of the time that the test has left, and so many executions at most.
//
// Accesses of plain memory have to be looked at, because the reduction is sound only if they are ordered by
// steps. An execution must not have more steps than a goroutine may wait for in other searches: if it has,
// goroutines work until others stop them, and there are executions without an end.
func (s *testSearch) reduce(res *Result, part float64, numbers ...uint64) error {
	r := &s.reduction
	ctx, stop := s.share(part)
	defer stop()
	t := s.tests
	t.reduced = true
	p, o := t.program(s.part, &s.judge), s.options
	o.MaxSteps, o.Starvation, o.Preemptions = s.options.Starvation, 0, explore.Unbounded
	o.Reduce, o.Context = true, ctx
	for _, o.MaxExecutions = range numbers {
		if !s.races || s.large || r.ended || r.refused || ctx.Err() != nil {
			return nil
		}
		report, err := s.judge.ofTest(explore.Explore(p, o))
		if err != nil {
			return err
		}
		res.count(report)
		switch f := report.Failure; {
		case f != nil && ignored(f.Kind) || report.StepBound > 0:
			r.refused = true
		case f != nil || report.Exhaustive:
			if f != nil {
				report.Failure = fewerSwitches(ctx, p, f)
			}
			report.Executions, report.Steps, report.Elapsed = 0, 0, 0 // they are counted
			r.report, r.ended = report, true
		}
	}
	return nil
}

// fewerSwitches returns a failure of the same kind with fewer switches between goroutines, if there is one.
// Reduced searches and drawn executions, unlike a search with more and more preemptions, do not come first to
// the failures with few of them.
func fewerSwitches(ctx context.Context, p explore.Program, f *explore.Failure) *explore.Failure {
	if f.Kind == explore.Hung || f.Token == "" {
		return f
	}
	fewer, _, err := explore.FewerSwitches(ctx, p, f, explore.Options{Strays: true},
		func(x *explore.Failure) bool { return x.Kind == f.Kind }, reductionReplays)
	if err != nil {
		return f
	}
	return fewer
}

// hangs reports whether a call hangs, so that nothing else can be explored in this process.
func (r *reduction) hangs() bool {
	return r.report.Failure != nil && r.report.Failure.Kind == explore.Hung
}

// reduceLonger is for a test that has much time: the reduced search takes half of it, once, and as many
// executions as it needs. It reports whether that search has come to its end.
func (s *testSearch) reduceLonger(res *Result) (ended bool, err error) {
	if s.reduction.long {
		return false, nil
	}
	s.reduction.long = true
	if err := s.reduce(res, reducedShare, 0); err != nil {
		return false, err
	}
	return s.reducedEnd(res), nil
}

// reducedEnd completes the result of a test of which the other searches have found no failure by that of the
// reduced search, if that has come to its end.
func (s *testSearch) reducedEnd(res *Result) bool {
	report := s.reduction.report
	if !s.reduction.ended {
		return false
	}
	res.Exhaustive, res.Message, res.Starvation = true, "", 0
	if res.take("", report); report.Failure == nil && report.Everything() {
		res.Complete, res.Reduced = 1, true
	}
	return true
}

// share returns the context of a search that may take that part of the time that is left.
func (s *testSearch) share(part float64) (context.Context, context.CancelFunc) {
	ctx := s.subject.ctx
	end, has := ctx.Deadline()
	if !has {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Duration(part*float64(time.Until(end))))
}

// bounded searches the test with more and more preemptions, up to the bound.
func (s *testSearch) bounded() (explore.Report, error) {
	return s.surely(func() (explore.Report, error) {
		o := s.options
		if s.reduction.ended {
			o.MaxExecutions = min(o.MaxExecutions, besideReduced)
		}
		if s.races && !s.reduction.refused {
			ctx, stop := s.share(boundedShare)
			defer stop()
			o.Context = ctx
		}
		return explore.Ascending(s.program, o, s.bound)
	})
}

// ignored reports whether a failure only says that a reduced search does not explore the test. So does a
// livelock, because the executions of this search may be shorter than those of others.
func ignored(k explore.FailureKind) bool { return k == explore.Unexplored || k == explore.Livelock }
