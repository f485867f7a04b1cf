package driver

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
)

// ofTest reports a test that says that it fails as such a failure, whether or not goroutines wait for ever. A
// failure that may come from what the explorer does not see, or does otherwise than a machine, is unknown.
func (j *testJudge) ofTest(r explore.Report, err error) (explore.Report, error) {
	f := r.Failure
	if f == nil {
		return r, err
	}
	if failed, is := errors.AsType[*failedTest](f.Err); is {
		f.Kind, f.Message = explore.Verdict, failed.Error()
	}
	if f.Kind == explore.Panicked && f.Token == "" { // no actor did: one has left its goroutine
		f.Kind = explore.Unexplored
	}
	if doubt := j.doubts(f.Kind); doubt != "" {
		f.Kind, f.Message = explore.Unexplored, "this may be no failure, since "+doubt+": "+f.Message
	}
	j.doubtState(f)
	return r, err
}

// doubts says why a failure of that kind, in the last execution, may be none.
func (j *testJudge) doubts(k explore.FailureKind) string {
	fails := k == explore.Verdict || k == explore.Panicked
	waits := k == explore.Deadlock || k == explore.Livelock
	polls := flow.Polls()
	switch n := flow.Loaded(); {
	case fails && flow.Allocations:
		return "the test asks how much it allocates, and the copy that is explored allocates more"
	case (waits || k == explore.Verdict) && flow.Finalized:
		return "the test has a finalizer or a cleanup, which the runtime calls some time after a " +
			"collection, and no schedule does"
	case waits && len(n) > 0:
		return doubtful(n)
	case (fails || waits) && polls.Itself:
		return "the test starts its own program again, which is the explorer's here, and does not run the " +
			"tests that it is asked for"
	case fails && polls.All != "":
		return polls.All + " shows all goroutines of the process, so those of the explorer, too"
	case k == explore.Livelock && polls.Again != "":
		return polled(polls.Again)
	case (fails || waits) && polls.Later != "":
		return polled(polls.Later)
	case (fails || waits) && j.clock.Late:
		return fmt.Sprintf("the clock went on while goroutines could not begin (at most %d are explored at "+
			"a time)", explore.MaxActors)
	}
	return ""
}

// polled is said of a failure if a call asks what is not explored again and again.
func polled(call string) string {
	return call + " is called again and again, and asks what is not explored: the time until it answers " +
		"passes outside, and not on the clock of the explored code. Let the test wait for the explored code"
}
