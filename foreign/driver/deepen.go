package driver

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/plural"
)

// depth is that of executions which are drawn: as many changes of priority as the search has preemptions.
func (r run) depth() int { return r.boundOr(DefaultPreemptions) + 1 }

// boundOr is the bound on preemptions, or the other one if there is none.
func (r run) boundOr(other int) int {
	if r.bound == explore.Unbounded {
		return other
	}
	return r.bound
}

// beyond is the bound of runs that are made to explain what clients saw.
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

// A leftover of a search of tests is those that can use more time: open ones were not searched to the end
// within their bound, shallow ones were, but have executions with more preemptions.
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

// useUp spends what is left of a time that was asked for: tests that are clean within the bound, if that was
// not asked for, are searched with higher ones, and of the others executions are drawn.
func (t tests) useUp(ctx context.Context, end time.Time, l leftover, results []Result) error {
	if !t.timeGiven {
		return nil
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

// deepen searches the tests with higher and higher bounds until the time is over, or all have no execution
// with more preemptions, each in its part of the time.
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

// deeper searches a test with more preemptions as long as it has time. It has ended if a failure is found or
// if no more time would help.
func (s *testSearch) deeper(res *Result) (ended bool, err error) {
	for s.ended() == nil {
		o := s.options
		o.Preemptions, o.MaxExecutions, o.Context = max(res.Preemptions, s.bound)+1, 0, s.subject.ctx
		report, err := s.judge.ofTest(explore.Explore(s.program, o))
		if err != nil {
			return false, err
		}
		if report.Failure == nil && !report.Exhaustive { // what it has searched counts for no bound
			res.Schedules, res.Steps = res.Schedules+report.Executions, res.Steps+report.Steps
			res.Elapsed += report.Elapsed
			return s.ended() == nil, nil
		}
		if res.take("", report); report.Failure != nil {
			return true, nil
		}
		if complete(report) {
			res.Complete = 1
			return true, nil
		}
		if crowded(report) {
			return true, nil
		}
	}
	return false, nil
}

// drawOn draws executions of the tests that were not searched to the end, as long as there is time.
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
