package foreign

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestTests_Bubbles: tests that use testing/synctest are judged as there. Each bubble begins at the same
// time, a look at its clock takes no time, and a goroutine that is left in it is a failure.
func TestTests_Bubbles(t *testing.T) {
	w, r := exploredIn(t, "./testdata/bubbles", Options{Test: "."})
	if len(r.Results) != 7 {
		t.Fatalf("%d tests were explored", len(r.Results))
	}
	for _, s := range r.Results {
		if strings.HasPrefix(s.Name, "TestRight") {
			if s.Status != driver.Clean {
				t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
			}
			continue
		}
		if s.Status != driver.Found || !strings.Contains(s.Message, "blocked goroutines remain: 1") {
			t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
			continue
		}
		if again, err := w.Replay(t.Context(), s.Token); err != nil || again.Results[0].Message != s.Message {
			t.Errorf("the replay of %s is %s, %v", s.Name, again.Text(), err)
		}
	}
}
