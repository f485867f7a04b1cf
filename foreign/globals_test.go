package foreign

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/foreign/driver"
)

const inGlobals = "./testdata/globals"

// TestGlobals_Types: each execution begins with the variables of the package as they were at first, so a type
// that keeps what it knows in them is explored to the end, and a replay leads to what was found.
func TestGlobals_Types(t *testing.T) {
	_, r := typedIn(t, inGlobals, Subject{Type: "Ticket"}, Options{})
	if r.Status() != driver.Clean || !strings.Contains(r.Text(), "called: First, Next\n") {
		t.Errorf("what is right is %s", r.Status())
	}
	if _, r := typedIn(t, inGlobals, Subject{Type: "Turnstile"}, Options{}); r.Status() != driver.Clean ||
		!strings.Contains(r.Text(), "called: Pass, Push\n") {
		t.Errorf("one whose calls wait for one another is %s: %s", r.Status(), r.Text())
	}
	w, r := typedIn(t, inGlobals, Subject{Type: "Loose"}, Options{})
	if r.Status() != driver.Found || !strings.Contains(r.Text(), "{Loose{}} Next() || Next()") {
		t.Fatalf("what is wrong is %s", r.Status())
	}
	replays(t, w, r.Results[0])
}

// TestGlobals_Tests: the same of tests, one of which leaves variables changed for the next. A test that
// cannot run twice from the beginning is explored from where its first run ended.
func TestGlobals_Tests(t *testing.T) {
	w, r := exploredIn(t, inGlobals, Options{Test: "Next|Loose|Publishes|Left"})
	loose := r.Results[1]
	for _, s := range []driver.Result{r.Results[0], r.Results[2]} {
		if s.Status != driver.Clean || !s.Exhaustive {
			t.Errorf("%s, which is right, is %s: %s", s.Name, s.Status, s.Message)
		}
	}
	checkLeft(t, r.Results[3:])
	want := "the numbers are 1 and 1"
	if loose.Status != driver.Found || !strings.Contains(loose.Message, want) {
		t.Fatalf("what is wrong is %s: %s, not %q", loose.Status, loose.Message, want)
	}
	replays(t, w, loose)
}

// checkLeft: a test that fails at once because of what an earlier test has left is right in a process of its
// own, and one that fails there, too, is wrong.
func checkLeft(t *testing.T, all []driver.Result) {
	t.Helper()
	var got []string
	for _, s := range all {
		got = append(got, s.Name+" "+string(s.Status))
	}
	want := []string{"TestLeft_Shuts clean", "TestLeft_Open clean", "TestLeft_Always found"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// replays holds the replay of a failure against it.
func replays(t *testing.T, w *Work, s driver.Result) {
	t.Helper()
	again, err := w.Replay(t.Context(), s.Token)
	if err != nil || again.Status() != driver.Found || again.Results[0].Table != s.Table ||
		again.Results[0].Message != s.Message {
		t.Errorf("the replay is %s, %v", again.Text(), err)
	}
}

// TestGlobals_Unsteady: a test whose outcome depends on state that is not restored is unknown, and so is its
// replay. A test that has such state, and fails for another reason, is found.
func TestGlobals_Unsteady(t *testing.T) {
	w, r := exploredIn(t, inGlobals, Options{Test: "Steady|Unsteady"})
	const want = "state that is not restored between executions, such as what a function has captured"
	for _, s := range r.Results {
		if s.Name == "TestSteady" {
			if s.Status != driver.Found || !strings.Contains(s.Message, "the second came first") {
				t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
			}
			replays(t, w, s)
			continue
		}
		if s.Status != driver.Unknown || !strings.Contains(s.Message, want) {
			t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
		}
		again, err := w.Replay(t.Context(), s.Token)
		if err != nil || again.Status() == driver.Found {
			t.Errorf("the replay of %s is %s, %v", s.Name, again.Text(), err)
		}
	}
	if len(r.Results) != 4 {
		t.Errorf("%d tests were explored", len(r.Results))
	}
}

// TestGlobals_NotAlone: if there is no time to explore such a test alone, its failure is unknown.
func TestGlobals_NotAlone(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	r := Report{}
	r.Results = []driver.Result{{Name: "TestA", Status: driver.Found}, {Name: "TestB", Status: driver.Found}}
	r.Again = []string{"TestB"}
	(&Work{}).alone(ctx, &r, time.Now(), nil)
	if r.Results[0].Status != driver.Found || r.Results[1].Status != driver.Unknown || len(r.Again) > 0 {
		t.Errorf("%+v", r.Results)
	}
}
