package explore_test

import (
	"math"
	"strings"
	"testing"

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

// TestEstimate_Exact: where the numbers of accesses are fixed every sample is the number of
// orders, a multinomial coefficient, so the spread is nothing.
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

// TestEstimate_Words: the estimate says what it rests on, a failing sample is told, and bad
// options are refused.
func TestEstimate_Words(t *testing.T) {
	est := estimate(t, smallProgram(t, "cas3x2").program(nil, false), unbounded(), 100)
	if s := est.String(); !strings.Contains(s, "executions, standard error ") ||
		!strings.Contains(s, "100 samples from seed 0") || !strings.Contains(s, "if none is cut") {
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

// TestEstimate_Huge: numbers beyond what a float holds are told as large ones, not as infinite.
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
