package foreign

import (
	"testing"
	"time"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestTypes_Runner: goroutines of a type may call a function, and go on, before or after each call returns,
// as they may in an order of the calls. What no run explains of those that can be made is no failure.
func TestTypes_Runner(t *testing.T) {
	_, r := typedIn(t, "./testdata/runner", Subject{Type: "Runner"},
		Options{Executions: 2000, Time: 10 * time.Second, Seed: 1})
	if len(r.Results) == 0 || r.Results[0].Name != "pairs" || r.Results[0].Status != driver.Clean ||
		r.Results[0].Programs < 10 {
		t.Errorf("not all pairs are clean:\n%s", r.Text())
	}
	for _, s := range r.Results {
		if s.Status == driver.Found {
			t.Errorf("%s: %s", s.Program, s.Message)
		}
	}
}
