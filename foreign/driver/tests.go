package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/globals"
	"github.com/samecycle/samecycle/explore/shim/hidden"
	"github.com/samecycle/samecycle/explore/shim/testing"
	"github.com/samecycle/samecycle/internal/plural"
)

// A Test is a test function of the target.
type Test struct {
	Name string // as tokens name it; in a folder of the module sub/path.TestName
	Func func(t *testing.T)
}

// ErrTest is the failure of a test that reports its failure itself, for example by t.Error.
var ErrTest = errors.New("the test fails")

// errLeak is the failure of a test that has returned, and has left goroutines which wait for ever.
var errLeak = errors.New("the test has returned")

// MainTests is Main for the tests of a package. TestMain is its function of that name, nil if it has none.
func MainTests(testMain func(m *testing.M), all []Test) {
	s := subject{run: run{notice: marked{os.Stderr}}}
	var a again
	set := commandLine()
	s.flags(set, &a)
	set.DurationVar(&s.time, "time", 0, "for all tests together")
	set.Uint64Var(&s.executions, "executions", DefaultOfTest, "most of one test with one bound")
	set.Uint64Var(&s.seed, "seed", 0, "of the executions that are drawn")
	t := tests{subject: &s, all: all, main: testMain}
	set.Func(Rest, "a test to explore, with others that are named so", func(title string) error {
		t.rest = append(t.rest, title)
		return nil
	})
	set.BoolVar(&t.deepens, "deepen", false, "go on with more preemptions while there is time")
	set.StringVar(&t.subtests, "subtests", "", "the subtests to explore, each alone")
	set.BoolVar(&t.leaks, "leaks", false, "a test fails that leaves goroutines which wait for ever")
	parse(set)
	if s.timeGiven = s.time > 0; !s.timeGiven {
		s.time = DefaultTime
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	testing.Init()
	t.flags = testing.KeepFlags()
	s.ctx, s.from = ctx, globals.Keep()
	t.memory = watchMemory()
	switch err := noStrays(); {
	case err != nil:
		s.deliver(Report{Target: s.name}, err)
	case a.token == "":
		s.deliver(t.search())
	default:
		s.deliver(t.again(a))
	}
}

// tests are the tests of a package in one run of the driver.
type tests struct {
	*subject
	all   []Test
	main  func(m *testing.M) // TestMain, if there is one
	leaks bool

	reduced bool          // the search is a reduced one, with more steps: see package hidden
	short   bool          // the tests are explored in their short form
	look    time.Duration // that a look at the clock takes; 0: a millisecond
	slack   time.Duration // how much later than asked for waits end
	deepens bool          // the user gave no bound: if there is time, the search continues with higher bounds

	flags  *globals.Snapshot // the command line with which each execution begins
	memory *memory           // that the process may use

	rest     []string // if not empty, only these parts are explored, by their titles
	subtests string   // if not empty, only subtests with matching names are explored, each alone
}

// testSteps is the largest number of accesses of one execution of a test, and longSteps that of a test whose
// first execution has more.
const (
	testSteps = 100_000
	longSteps = 1_000_000
)

// What goroutines may do when the test has returned, until they count as left behind.
const (
	lastSteps = testSteps / 10 // accesses of all of them, or four times those of the test if these are more
	lastWaits = 100            // ends of sleeps and timers, with --leaks; else the clock ends with the test
)

// testClock says in words what the clock does in tests.
const testClock = "the clock stands still while any goroutine can go on, unless that takes very many " +
	"steps; then the sleep or the timer ends that is the next one to end"

// A testSearch is the search of one test.
type testSearch struct {
	tests
	part    part
	program explore.Program
	judge   testJudge
	options explore.Options
	trials  []trial
	at      int    // index of its result
	open    bool   // it was not searched to the end
	alone   []part // its subtests, if a run makes too many steps for a usual execution
	large   bool   // a run makes more steps than any execution may have
	unseen  bool   // there was no time to see the end of a run
	passed  bool   // its first run passed
	steady  string // the token of a failure that does not come from what executions have left
	delays  int    // the largest number of delays with which all executions were searched
	delayed uint64 // executions of these searches
	actors  int    // of the first execution
	drawn   uint64 // executions
	told    bool   // a token tells how the test fails, so no trial has to confirm it

	tried time.Duration // that the trials have taken

	reduction reduction
}

// fewActors is the largest number of goroutines of a test whose orders without a preemption are few enough
// to search them all. A test with more is searched first with one delay, which takes not many more
// executions than the test has steps.
const fewActors = 7

func (t tests) searchOf(x part) *testSearch {
	s := &testSearch{tests: t, trials: usualTrials}
	s.judge.subtests.Only, s.judge.from = x.only, t.from
	s.program, s.part = t.program(x, &s.judge), x
	return s
}

// explore explores the test. It first runs the test, so that everything that is made at the first use, and
// that nothing restores, exists in all explored executions.
func (s *testSearch) explore(x part) (Result, error) {
	res := Result{Name: x.title(), Programs: 1, Exhaustive: true}
	testing.AsksShort = false
	report, err := s.ahead()
	if report.StepBound > 0 {
		if report, err = s.shorter(report, err); s.short {
			res.Short = true
		} else {
			if s.alone = s.split(x); len(s.alone) > 1 {
				return res, nil
			}
			s.trials = longTrials
			report, err = s.ahead()
		}
	}
	s.large = report.StepBound > 0
	s.unseen = err == nil && report.Failure == nil && report.Executions == 0
	switch {
	case err == nil && report.Failure == nil && s.judge.notRun() != "":
		res.Status, res.Bound, res.Exhaustive = Unknown, "nothing", false
		res.Message = "NOT RUN: " + s.judge.notRun()
		if s.judge.t.Outcome().Skipped {
			res.Status = Skipped
		}
		return res, nil
	case err == nil && report.Failure == nil && s.ended() == nil:
		s.options.MaxExecutions, s.options.Audit, s.judge.waiting = s.executions, 0, 0
		s.actors = report.MaxActors - s.judge.clock.Actors()
		if err = s.reduce(&res, earlyShare, firstReduced, secondReduced); err != nil {
			return res, err
		}
		if s.reduction.hangs() {
			s.reducedEnd(&res)
			return res, nil
		}
		if s.actors > fewActors && !s.reduction.ended {
			if err = s.delay(&res, 1); err != nil || res.Token != "" {
				return res, err
			}
		}
		report, err = s.bounded()
	}
	if report, err = s.judge.ofTest(report, err); err != nil {
		return res, err
	}
	res.take("", report)
	if res.Status == Clean && report.Everything() {
		res.Complete = 1
	}
	if report.Failure != nil || res.Complete > 0 {
		return res, nil
	}
	if err := s.reduce(&res, reducedShare, s.executions); err != nil {
		return res, err
	}
	if s.reducedEnd(&res) || report.Exhaustive {
		return res, nil
	}
	return res, s.goOn(&res)
}

// goOn is for a test with too many executions within the bound: executions with few delays are searched, and
// others are drawn.
func (s *testSearch) goOn(res *Result) error {
	s.open = true
	err := s.delay(res, s.boundOr(DefaultPreemptions))
	if err == nil && res.Token == "" && s.ended() == nil {
		_, err = s.draw(res, s.seed)
	}
	s.tell(res)
	return err
}

// delay explores the executions with up to so many delays, as long as there is time, and as long as no bound
// has too many executions.
func (s *testSearch) delay(res *Result, most int) error {
	for s.ended() == nil && s.delays < min(most, s.boundOr(DefaultPreemptions)) {
		report, err := s.judge.ofTest(s.surely(func() (explore.Report, error) {
			o := s.options
			o.Preemptions, o.Delays = explore.Unbounded, s.delays+1
			return explore.Explore(s.program, o)
		}))
		if err != nil {
			return err
		}
		before := *res
		res.take("", report)
		s.delayed += report.Executions
		if report.Failure != nil {
			break
		}
		res.Status, res.Exhaustive = before.Status, before.Exhaustive // within the bound on preemptions
		if !report.Exhaustive {
			break
		}
		s.delays++
	}
	return nil
}

// ahead runs the test before the search, until it is known which of its subtests are parallel. If the test
// cannot run twice from the beginning, because something that is not restored prevents it, executions begin
// with the state that the first run has left. If it fails then, too, its failures are unknown.
func (s *testSearch) ahead() (report explore.Report, err error) {
	known, begin := &s.judge.subtests, s.judge.from
	s.passed, s.judge.unsteady = false, false
	flow.Counts = false // until it asks
	for known.Learning = true; ; s.judge.from = globals.Keep() {
		known.News = false
		if report, err = s.once(); err != nil || !known.News || s.ended() != nil {
			break
		}
	}
	known.Learning = false
	if err != nil || report.Failure != nil || s.ended() != nil {
		return report, err
	}
	left := globals.Keep()
	s.judge.from, s.passed = begin, true
	if second, err := s.once(); err != nil || second.Failure == nil {
		return second, err
	}
	s.judge.from = left
	third, err := s.once()
	s.judge.unsteady = err == nil && third.Failure != nil
	return third, err
}

// draw explores drawn executions, and reports whether one failed.
func (s *testSearch) draw(res *Result, seed uint64) (found bool, err error) {
	report, err := s.judge.ofTest(s.surely(func() (explore.Report, error) {
		o := s.options
		o.Walks, o.Strategy, o.Depth, o.Seed = max(1, s.executions/2), explore.PCT, s.depth(), seed
		o.MaxExecutions, o.Preemptions, o.Context = 0, explore.Unbounded, s.subject.ctx
		return explore.Explore(s.program, o)
	}))
	if err != nil {
		return false, err
	}
	s.drawn += report.Executions
	if f := report.Failure; f != nil {
		res.Preemptions, report.Failure = 0, fewerSwitches(s.subject.ctx, s.program, f)
	}
	res.take("", report)
	s.tell(res)
	return report.Failure != nil, nil
}

// tell says how far the unfinished search of a test has come.
func (s *testSearch) tell(res *Result) {
	if res.Token != "" {
		return
	}
	res.Bound = fmt.Sprintf("in part: %d executions with few preemptions, %d drawn",
		res.Schedules-s.drawn-s.delayed, s.drawn)
	switch {
	case s.delays > 0:
		res.Bound += ", and all with at most " + plural.Of(s.delays, "delay")
	case s.delayed > 0:
		res.Bound += fmt.Sprintf(", %d with a delay", s.delayed)
	}
	if res.Crowded {
		res.Bound += fmt.Sprintf("; at most %d goroutines that can go on at a time", explore.MaxActors)
	}
	res.Message = "the test was not searched to the end: give it more --executions or --time, or a smaller " +
		"--bound, or make it smaller"
	switch {
	case s.unseen:
		res.Message = "its first execution takes more time than the test has, so nobody has seen its end: " +
			"give it more --time, or make it smaller"
	case s.large:
		res.Message = fmt.Sprintf("its first execution has more than %d steps, so nobody has seen its end: "+
			"make it smaller", longSteps)
	case s.actors > fewActors:
		res.Message = fmt.Sprintf("no execution of those fails, but the test was not searched to the "+
			"end: with %d goroutines and timers it has too many orders; more --time draws more of them, and "+
			"fewer goroutines are searched further", s.actors)
	}
}

// A testJudge decides for each execution whether the test has failed.
type testJudge struct {
	t        *testing.T
	clock    *flow.Slow
	subtests testing.Subtests
	from     *globals.Snapshot // variables of the packages with which each execution begins
	over     bool              // the test, and TestMain, have returned
	waiting  uint64            // executions after which goroutines wait for ever
	unsteady bool              // the test passes at first, and fails when it runs again
}

// notRun says why no part of the test was run. It is empty if a part was run.
func (j *testJudge) notRun() string {
	switch o := j.t.Outcome(); { // the execution may not have come to a verdict
	case o.Skipped:
		return "the test skips itself: " + strings.Join(o.Logs, "; ")
	case j.over && !o.Ended:
		return "TestMain does not run it"
	}
	return ""
}

// program returns the test for the explorer: the test function is one actor, called from TestMain if there
// is one, and each go statement makes another actor.
func (t tests) program(x part, j *testJudge) explore.Program {
	return explore.Program{
		Name: t.name + fieldSeparator + t.kind() + fieldSeparator + x.title(),
		Start: func(e *explore.Execution) []explore.Actor {
			hidden.Reduced = t.reduced
			flow.Allocations, flow.Finalized = false, false
			clock := &flow.Slow{Ordered: true, Slack: t.slack}
			flow.Clock, flow.LateTimers, flow.Look = clock, false, cmp.Or(t.look, time.Millisecond)
			j.from.Restore()
			t.flags.Restore()
			testing.SetShort(t.short)
			j.clock = clock
			j.t, j.over, j.subtests.Names = testing.New(x.function(), &j.subtests), false, nil
			m := testing.NewM(func() { j.t.RunTest(x.Func) }, j.t)
			return []explore.Actor{{Name: "test", Body: func() {
				if t.main == nil {
					m.Run()
				} else {
					flow.Body(func() { t.main(m) })()
				}
				j.over = true
				if t.leaks {
					clock.End(lastWaits)
				} else {
					clock.End(0) // as the process of a test ends with it
				}
				if !t.reduced {
					e.Ends(max(lastSteps, 4*e.Steps()))
				}
			}}}
		},
		Finish: func(e *explore.Execution) error { return j.check(e, false) },
		Stuck: func(e *explore.Execution) error {
			err := j.check(e, true)
			if err == nil && t.leaks {
				err = errLeak
			}
			return err
		},
	}
}

// check judges an execution that has ended, or in which no actor can continue. Goroutines that the test has
// left may wait for ever.
func (j *testJudge) check(e *explore.Execution, stuck bool) error {
	o := j.t.Outcome()
	switch {
	case o.Failed:
		return &failedTest{o.Logs}
	case stuck && !j.over:
		return errors.New(strings.Join(append([]string{"the test never returns"}, o.Logs...), "\n"))
	case stuck && !e.Again():
		j.waiting++
	}
	return nil
}

// failedTest is ErrTest with the messages of the test.
type failedTest struct{ logs []string }

func (f *failedTest) Error() string {
	return strings.Join(append([]string{ErrTest.Error()}, f.logs...), "\n")
}

func (f *failedTest) Unwrap() error { return ErrTest }

// searchOfToken returns the search of the token's test, which has run ahead, as it did before the search.
func (t tests) searchOfToken(token string) (*testSearch, error) {
	name, err := explore.TokenProgram(token)
	if err != nil {
		return nil, err
	}
	f := strings.SplitN(name, fieldSeparator, 3) // a subtest may have the separator in its name
	name = f[2]
	kind, _ := testKind(f[1])
	t.leaks, t.reduced, t.short = kind.leaks, kind.reduced, kind.short
	x, is := t.part(name)
	if !is {
		return nil, fmt.Errorf("%w: the package has no test %s any more", ErrProgram, name)
	}
	t.races = explore.TokenRaces(token)
	s := t.searchOf(x)
	s.told = true
	_, err = s.ahead()
	return s, err
}

// again replays the token, or minimises its failure. For a test, only the switches can be reduced.
func (t tests) again(a again) (Report, error) {
	s, err := t.searchOfToken(a.token)
	if err != nil {
		return Report{}, err
	}
	x := s.part
	w := whole{without: func(failure.Dropped) (variant, error) {
		take := func(res *Result, r explore.Report) { res.take("", r) }
		return variant{x.title(), "", s.program, s.options.SpinLimit, take, s.judge.ofTest}, nil
	}}
	do := t.replayOf
	if a.minimise {
		do = t.minimiseOf
	}
	out, err := do(w, a.token)
	out.Tests, out.Clock = true, testClock
	return out, err
}
