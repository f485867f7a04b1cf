package driver

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/plural"
)

// depth is the depth of drawn executions: they have as many changes of priority as the search has
// preemptions.
func (r run) depth() int { return r.boundOr(DefaultPreemptions) + 1 }

// boundOr returns the bound on preemptions, or other if there is none.
func (r run) boundOr(other int) int {
	if r.bound == explore.Unbounded {
		return other
	}
	return r.bound
}

// beyond is the bound on preemptions of the runs that are made to explain what clients saw.
func (r run) beyond() int {
	if r.bound == explore.Unbounded {
		return explore.Unbounded
	}
	return r.bound + goalPreemptions
}

// within says in words what the bound on preemptions is.
func (r run) within() string {
	if r.bound == explore.Unbounded {
		return "any number of preemptions"
	}
	return "at most " + plural.Of(r.bound, "preemption")
}

// A leftover has the tests of a search that can use more time. The open tests were not searched to the end
// within their bound. The shallow tests were, but have executions with more preemptions.
type leftover struct{ open, shallow []*testSearch }

// add adds a test to those that can use more time.
func (l *leftover) add(s *testSearch, res Result) {
	switch {
	case s.open:
		l.open = append(l.open, s)
	case s.deepens && res.Status == Clean && res.Exhaustive && res.Complete == 0 && !res.Crowded:
		l.shallow = append(l.shallow, s)
	}
}

// useUp spends the rest of a time that the user gave. First, tests that were not searched to the end are
// searched again, without a limit of executions. Then tests that are clean within the bound are searched
// with higher bounds, unless the user gave the bound. For the remaining tests, executions are drawn.
func (t tests) useUp(ctx context.Context, end time.Time, l leftover, results []Result) error {
	if !t.timeGiven {
		return nil
	}
	if err := t.finish(ctx, end, &l, results); err != nil {
		return err
	}
	if n := len(l.shallow); n > 0 {
		till := time.Now().Add(time.Until(end) * time.Duration(n) / time.Duration(n+len(l.open)))
		if err := t.deepen(ctx, till, l.shallow, results); err != nil {
			return err
		}
	}
	if len(l.open) == 0 {
		return nil
	}
	ctx, stop := context.WithDeadline(ctx, end)
	defer stop()
	t.subject.ctx = ctx
	return t.drawOn(l.open, results)
}

// finishing says which part of its time a test that was not searched to the end is searched without a limit
// of executions: one in so many. Drawing finds more faults, but only this search can end with "clean".
const finishing = 3

// finish searches the open tests again, up to their bound, each in its part of the time. Tests that are then
// searched to the end are no longer open. It leaves out tests with many goroutines or with endless
// executions, because they have too many orders.
func (t tests) finish(ctx context.Context, end time.Time, l *leftover, results []Result) error {
	var open []*testSearch
	all := len(l.open) + len(l.shallow)
	for _, s := range l.open {
		if s.large || s.actors > fewActors || ctx.Err() != nil {
			open = append(open, s)
			continue
		}
		res := &results[s.at]
		fmt.Fprintf(t.notice, "searching %s with more executions\n", res.Name)
		part, stop := context.WithTimeout(ctx, time.Until(end)/time.Duration(all*finishing))
		t.subject.ctx = part
		ended, err := s.whole(res)
		stop()
		if err != nil {
			return err
		}
		if !ended {
			open = append(open, s)
			continue
		}
		s.open = false
		l.add(s, *res)
	}
	l.open = open
	return nil
}

// whole searches a test up to its bound, whatever number of executions that takes, while it has time. ended
// is true if a failure was found, or if all executions were searched.
func (s *testSearch) whole(res *Result) (ended bool, err error) {
	if ended, err := s.reduceLonger(res); ended || err != nil {
		return ended, err
	}
	report, err := s.judge.ofTest(s.surely(func() (explore.Report, error) {
		o := s.options
		o.MaxExecutions, o.Context = 0, s.subject.ctx
		return explore.Ascending(s.program, o, s.bound)
	}))
	if err != nil {
		return false, err
	}
	if report.Failure == nil && !report.Exhaustive {
		res.count(report)
		s.tell(res)
		return false, nil
	}
	res.Exhaustive, res.Message, res.Preemptions = true, "", 0 // drawn executions had any number of them
	res.take("", report)
	if res.Status == Clean && report.Everything() {
		res.Complete = 1
	}
	return true, nil
}

// deepen searches the tests with higher and higher bounds, each in its part of the time, until the time is
// over, or until no test has an execution with more preemptions.
func (t tests) deepen(ctx context.Context, till time.Time, shallow []*testSearch, results []Result) error {
	fmt.Fprintf(t.notice, "searching %s with more preemptions\n", plural.Of(len(shallow), "test"))
	for len(shallow) > 0 && ctx.Err() == nil && time.Until(till) > 0 {
		var again []*testSearch
		for i, s := range shallow {
			part, stop := context.WithTimeout(ctx, time.Until(till)/time.Duration(len(shallow)-i))
			t.subject.ctx = part
			ended, err := s.deeper(&results[s.at])
			stop()
			if err != nil {
				return err
			}
			if !ended {
				again = append(again, s)
			}
		}
		shallow = again
	}
	return nil
}

// deeper searches a test with more preemptions while it has time. ended is true if a failure was found, or
// if more time would not help.
func (s *testSearch) deeper(res *Result) (ended bool, err error) {
	if ended, err := s.reduceLonger(res); ended || err != nil {
		return ended, err
	}
	for s.ended() == nil {
		report, err := s.judge.ofTest(s.surely(func() (explore.Report, error) {
			o := s.options
			o.Preemptions, o.MaxExecutions, o.Context = max(res.Preemptions, s.bound)+1, 0, s.subject.ctx
			return explore.Explore(s.program, o)
		}))
		if err != nil {
			return false, err
		}
		if report.Failure == nil && !report.Exhaustive { // incomplete, so it counts for no bound
			res.count(report)
			return s.ended() == nil, nil
		}
		if res.take("", report); report.Failure != nil {
			return true, nil
		}
		if report.Everything() {
			res.Complete = 1
			return true, nil
		}
		if report.Crowded > 0 {
			return true, nil
		}
	}
	return false, nil
}

// drawOn draws executions of the tests that were not searched to the end, while there is time.
func (t tests) drawOn(open []*testSearch, results []Result) error {
	fmt.Fprintf(t.notice, "drawing executions of %s\n", plural.Of(len(open), "test"))
	for batch := uint64(1); len(open) > 0 && t.ended() == nil; batch++ {
		for i := 0; i < len(open) && t.ended() == nil; i++ {
			switch found, err := open[i].draw(&results[open[i].at], t.seed+batch); {
			case err != nil:
				return err
			case found:
				open = slices.Delete(open, i, i+1)
			}
		}
	}
	return nil
}
