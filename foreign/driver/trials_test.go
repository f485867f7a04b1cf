package driver

import (
	"io"
	"strings"
	original "testing"
	"time"

	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/testing"
)

// TestTrials_Time: what the trials of a test take counts as time of its search. When a failure is run again
// from its token, there is no limit of time, so there are no trials that would only confirm it. These trials
// run the test once, and record nothing. A livelock that there was no time to confirm is unknown.
func TestTrials_Time(t *original.T) {
	const takes = 5 * time.Millisecond
	runs := 0
	x := Test{Name: "TestX", Func: func(*testing.T) {
		runs++
		time.Sleep(takes)
		for n := new(atomic.Int64); n.Load() == 0; {
		}
	}}
	all := tests{subject: &subject{run: run{name: "x", notice: io.Discard}}, all: []Test{x}}
	_, res, err := all.one(t.Context(), part{Test: x}, time.Minute)
	if err != nil || res.Status != Found || runs < 2 || res.Elapsed < time.Duration(runs)*takes {
		t.Fatalf("%s after %d runs and %v: %s, %v", res.Status, runs, res.Elapsed, res.Message, err)
	}
	_, short, err := all.one(t.Context(), part{Test: x}, 20*time.Millisecond)
	if err != nil || short.Status != Unknown || !strings.Contains(short.Message, noTime) {
		t.Errorf("with little time it is %s: %s, %v", short.Status, short.Message, err)
	}
	runs, all.subject.ctx = 0, t.Context()
	if _, err := all.searchOfToken(res.Token); err != nil || runs > 2*len(usualTrials) {
		t.Errorf("again there are %d runs: %v", runs, err)
	}
	runs = 0
	s := all.searchOf(part{Test: x})
	report, again, err := s.livelocksIn(usualTrials[1])
	if err != nil || !again || report.Failure != nil || runs != 1 {
		t.Errorf("a livelock %v is confirmed in %d runs: %v, %v", again, runs, report.Failure, err)
	}
}
