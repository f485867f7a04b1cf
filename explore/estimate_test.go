package explore_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
)

func estimate(t *testing.T, p explore.Program, o explore.Options, n uint64) explore.Estimate {
	t.Helper()
	est, err := explore.EstimateSize(p, o, n)
	if err != nil {
		t.Fatal(err)
	}
	return est
}

// TestEstimate_Exact: if the numbers of accesses are fixed, every sample is the number of orders, a
// multinomial coefficient, so the standard error is zero.
func TestEstimate_Exact(t *testing.T) {
	for name, want := range map[string]float64{"ctr2x6": 924, "ctr3x3": 1680, "ctr3x2": 90} {
		est := estimate(t, smallProgram(t, name).program(nil, false), unbounded(), 50)
		if math.Abs(est.Executions-want) > 1e-6*want || est.StdErr > 1e-6*want || est.Samples != 50 {
			t.Errorf("%s: %+v, want %.0f", name, est, want)
		}
	}
}

// TestEstimate_Unbiased holds the estimate against searches to the end, over programs whose
// accesses depend on the order, with bounds, deaths and data choices. The sampler's own
// standard error is the yardstick; a wrong weight of one option moves the mean by far more.
func TestEstimate_Unbiased(t *testing.T) {
	bounded := func(bound, kills int) explore.Options {
		return explore.Options{Preemptions: bound, Kills: kills, Audit: -1, Seed: 4}
	}
	for _, c := range []struct {
		p explore.Program
		o explore.Options
	}{
		{smallProgram(t, "cas3x1").program(nil, false), bounded(explore.Unbounded, 0)},
		{smallProgram(t, "cas2x2").program(nil, false), bounded(explore.Unbounded, 1)},
		{smallProgram(t, "ctr3x3").program(nil, false), bounded(2, 0)},
		{smallProgram(t, "ctr2x6").program(nil, false), bounded(3, 1)},
		{smallProgram(t, "cas3x2").program(nil, false), bounded(1, 2)},
		{smallProgram(t, "cas3x2").program(nil, false), bounded(explore.Unbounded, 0)},
		{chooserOnly(), bounded(explore.Unbounded, 1)},
	} {
		r := mustExplore(t, c.p, c.o)
		est := estimate(t, c.p, c.o, 4000)
		if off := math.Abs(est.Executions - float64(r.Executions)); !r.Exhaustive ||
			off > 5*est.StdErr+1e-6 || est.StdErr > est.Executions/10 {
			t.Errorf("%s %+v: %d executions, %v", c.p.Name, c.o, r.Executions, est)
		}
	}
}

// chooserOnly is chooser without its verdict.
func chooserOnly() explore.Program {
	p := chooser()
	p.Finish = nil
	return p
}

// TestEstimate_Words: the estimate says on what it is based, a failing sample is reported, and bad options
// are refused.
func TestEstimate_Words(t *testing.T) {
	est := estimate(t, smallProgram(t, "cas3x2").program(nil, false), unbounded(), 100)
	if s := est.String(); !strings.Contains(s, "executions, standard error ") ||
		!strings.Contains(s, "100 samples from seed 0") || !strings.Contains(s, "accesses each, ") {
		t.Error(s)
	}
	est = estimate(t, smallProgram(t, "race2x2").program(nil, true), unbounded(), 1000)
	if est.Failure == nil || est.Failure.Token == "" {
		t.Errorf("no failure in %+v", est)
	}
	if _, err := explore.EstimateSize(explore.Program{}, unbounded(), 10); err == nil {
		t.Error("a program without Start is accepted")
	}
}

// TestEstimate_OfWhatIsCut: how much the state cut and the reduction leave out is not known before
// the search, so there is no estimate of such a search.
func TestEstimate_OfWhatIsCut(t *testing.T) {
	stateful := unbounded()
	stateful.Stateful = true
	for _, o := range []explore.Options{stateful, reduced()} {
		_, err := explore.EstimateSize(smallProgram(t, "cas3x2").program(nil, false), o, 10)
		if !errors.Is(err, explore.ErrOptions) || !strings.Contains(err.Error(), "without an estimate") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestEstimate_Shards: the shards have together what the whole search has.
func TestEstimate_Shards(t *testing.T) {
	p, o := smallProgram(t, "ctr2x6").program(nil, false), unbounded()
	o.Shards = 4
	if est := estimate(t, p, o, 50); math.Abs(est.Executions-924.0/4) > 1e-6 {
		t.Errorf("%v, want a quarter of 924", est)
	}
}

// TestEstimate_Limits: a limit that the search is likely to reach is reported, and no other.
func TestEstimate_Limits(t *testing.T) {
	est := explore.Estimate{Executions: 1000, PerSecond: 100}
	for _, c := range []struct {
		executions uint64
		time       time.Duration
		says       string
	}{
		{0, 0, ""},
		{1000, 10 * time.Second, ""},
		{999, 0, "the limit of 999 executions ends it before it is complete, after about 10.0 s"},
		{500, 20 * time.Second,
			"the limit of 500 executions ends it before it is complete, after about 5.0 s"},
		{0, 9 * time.Second, "the limit of 9s ends it before it is complete"},
		{500, time.Second, "the limit of 1s ends it before it is complete"},
	} {
		if says := est.Limits(c.executions, c.time); says != c.says {
			t.Errorf("%d, %v: %q, want %q", c.executions, c.time, says, c.says)
		}
	}
}

// TestEstimate_Huge: numbers that are too large for a float are reported as large, and not as infinite.
func TestEstimate_Huge(t *testing.T) {
	var w *atomic.Uint64
	add := func() {
		for range 400 {
			w.Add(1)
		}
	}
	p := simple("huge", func() { w = new(atomic.Uint64) }, add, add, add, add)
	est := estimate(t, p, unbounded(), 10)
	if est.Executions < 1e290 || math.IsInf(est.Executions, 0) || math.IsNaN(est.StdErr) {
		t.Errorf("%+v", est)
	}
}
