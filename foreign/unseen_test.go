package foreign

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestTests_Unseen: a test that fails because of code that is not explored is unknown, a right one is clean,
// and a fault is found beside such code.
func TestTests_Unseen(t *testing.T) {
	_, r := exploredIn(t, "./testdata/unseen", Options{Test: ".", Seed: 1})
	if len(r.Results) < 10 {
		t.Errorf("%d results", len(r.Results))
	}
	for _, s := range r.Results {
		name, _, _ := strings.Cut(strings.TrimPrefix(s.Name, "Test"), "_")
		wants := map[string]driver.Status{"Right": driver.Clean, "Fault": driver.Found,
			"Unknown": driver.Unknown}
		why := strings.HasPrefix(s.Message, "this may be no failure, since ")
		if s.Status != wants[name] || why != (name == "Unknown") {
			t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
		}
	}
}
