package foreign

import (
	"cmp"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestTests_Bubbles: tests that use testing/synctest are judged as there. Each bubble begins at the same
// time, a look at its clock takes no time, and a goroutine that is left in it is a failure. So are a Wait
// outside of a bubble, and uses of its channels there.
func TestTests_Bubbles(t *testing.T) {
	w, r := exploredIn(t, "./testdata/bubbles", Options{Test: "."})
	if len(r.Results) != 15 {
		t.Fatalf("%d tests were explored", len(r.Results))
	}
	outside := map[string]string{
		"TestOutside_Wait":        "goroutine is not in a bubble",
		"TestOutside_Send":        "send on synctest channel from outside bubble",
		"TestOutside_Receive":     "receive on synctest channel from outside bubble",
		"TestOutside_Close":       "close of synctest channel from outside bubble",
		"TestOutside_Select":      "select on synctest channel from outside bubble",
		"TestOutside_OtherBubble": "send on synctest channel from outside bubble",
	}
	for _, s := range r.Results {
		if strings.HasPrefix(s.Name, "TestRight") {
			if s.Status != driver.Clean {
				t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
			}
			continue
		}
		want := cmp.Or(outside[s.Name], "blocked goroutines remain: 1")
		if s.Status != driver.Found || !strings.Contains(s.Message, want) {
			t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
			continue
		}
		if again, err := w.Replay(t.Context(), s.Token); err != nil || again.Results[0].Message != s.Message {
			t.Errorf("the replay of %s is %s, %v", s.Name, again.Text(), err)
		}
	}
}
