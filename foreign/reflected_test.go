package foreign

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestTests_Reflected: what package reflect does with channels meets what statements do.
func TestTests_Reflected(t *testing.T) {
	_, r := exploredIn(t, "./testdata/reflected", Options{Test: "."})
	want := map[string]string{"TestAny": "", "TestForward": "", "TestTry": "",
		"TestFirst": "2 from 1", "TestEmpty": "test, test.1 wait for ever"}
	if len(r.Results) != len(want) {
		t.Errorf("%d tests, want %d", len(r.Results), len(want))
	}
	for _, s := range r.Results {
		message, status := want[s.Name], driver.Clean
		if message != "" {
			status = driver.Found
		}
		if s.Status != status || !strings.Contains(s.Message, message) ||
			!s.Exhaustive && status == driver.Clean {
			t.Errorf("%s: %s, %s, after %d executions", s.Name, s.Status, s.Message, s.Schedules)
		}
	}
}
