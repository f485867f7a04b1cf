package driver

import (
	"io"
	original "testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/testing"
)

// TestFewerSwitches: a drawn execution that fails loses the switches that the failure does not need. Here the
// failure needs one preemption at most: one goroutine counts ahead of the last step of the other.
func TestFewerSwitches(t *original.T) {
	f := func(t *testing.T) {
		var n, a, b atomic.Int64
		late := int64(0)
		both(func() {
			for range 6 {
				a.Add(1)
			}
			late = n.Load()
		}, func() {
			for range 6 {
				b.Add(1)
			}
			n.Add(1)
		})
		if late == 1 {
			t.Error("late")
		}
	}
	s := tests{subject: &subject{run: run{name: "x", bound: 8, notice: io.Discard}}}.searchOf(part{
		Test: Test{Name: "TestX", Func: f}})
	s.ctx, s.executions = t.Context(), 200
	if _, err := s.ahead(); err != nil {
		t.Fatal(err)
	}
	o := s.options
	o.Walks, o.Strategy, o.Depth, o.Seed = 100, explore.PCT, s.depth(), 1
	o.MaxExecutions, o.Preemptions = 0, explore.Unbounded
	raw, err := explore.Explore(s.program, o)
	if err != nil || raw.Failure == nil || raw.Failure.Preemptions < 2 {
		t.Fatalf("the drawn execution needs nothing: %v, %v", raw.Failure, err)
	}
	var res Result
	found, err := s.draw(&res, 1)
	if err != nil || !found || res.Kind != string(explore.Verdict) || res.Preemptions > 1 {
		t.Errorf("found %v, %s with %d preemptions, %d as drawn, %v", found, res.Kind, res.Preemptions,
			raw.Failure.Preemptions, err)
	}
}
