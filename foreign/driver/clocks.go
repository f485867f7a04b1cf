package driver

import (
	"context"
	"time"

	"github.com/samecycle/samecycle/explore"
)

// doubtClock is for a test that fails, in whatever way: what it does then may depend on what it has read from
// the clock. If it does not fail with another clock that a machine may have, the failure may be that of the
// clock. Here a look at the clock takes a millisecond, if
// there are many, and waits end at the instant for which they are set.
func (t tests) doubtClock(res *Result) {
	switch k := explore.FailureKind(res.Kind); {
	case res.Status != Found || res.Steady:
		return
	case k != explore.Verdict && k != explore.Panicked && k != explore.Deadlock && k != explore.Race:
		return
	}
	t.subject.ctx = context.Background()
	doubt := ""
	switch t.look = time.Nanosecond; {
	case t.passes(res):
		doubt = "it depends on how long looks at the clock take"
	default:
		t.slack = 100 * time.Microsecond
		if t.passesAlways(res) {
			doubt = "it depends on sleeps and timers that end at the very instant for which they are set, " +
				"and those of a machine end a little later"
		}
	}
	if res.Steady = doubt == ""; !res.Steady {
		res.Status, res.Kind = Unknown, string(explore.Unexplored)
		res.Message = "this may be no failure, since " + doubt + ": " + res.Message
	}
}

// passes reports whether the test passes in the schedule of its failure.
func (t tests) passes(res *Result) bool {
	s, err := t.searchOfToken(res.Token)
	if err != nil {
		return false
	}
	r, err := explore.Replay(s.program, res.Token, explore.Options{Strays: true, Audit: -1})
	return err == nil && r.Failure == nil && r.Complete > 0
}

// What passesAlways may take.
const (
	clockExecutions = 2000
	clockTime       = time.Second
)

// passesAlways reports whether the test passes in all schedules with as few preemptions as its failure had.
// If these are too many to tell, it does not.
func (t tests) passesAlways(res *Result) bool {
	s, err := t.searchOfToken(res.Token)
	if err != nil {
		return false
	}
	t = s.tests
	t.reduced = false
	s = t.searchOf(s.part)
	if r, err := s.ahead(); err != nil || r.Failure != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), clockTime)
	defer cancel()
	o := s.options
	o.Preemptions, o.MaxExecutions, o.Audit, o.Context = res.Preemptions, clockExecutions, -1, ctx
	r, err := explore.Explore(s.program, o)
	return err == nil && r.Failure == nil && r.Exhaustive
}
