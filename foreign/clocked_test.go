package foreign

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/foreign/driver"
)

// clockedWrongs is what is told of the tests of that module which fail in some order.
var clockedWrongs = map[string]string{
	"TestWrong_GivesWayForEver": "no progress although everybody had several turns",
	"TestWrong_AtOnce":          "the test fails\ntoo late",
	"TestWrong_CalledAtOnce":    "the test fails\nan addition is lost",
	"TestWrong_Pipe":            "wait for ever; the test never returns",
}

// TestTests_Clocked: a loop that looks at the clock until a time is over is right, and no timer is late for
// it. A timer that is over at once fires at once. What is wrong is found, and its token leads to it again.
func TestTests_Clocked(t *testing.T) {
	w, r := exploredIn(t, "./testdata/clocked", Options{Test: "."})
	var found, clean []string
	for _, s := range r.Results {
		want, wrong := clockedWrongs[s.Name]
		switch {
		case wrong:
			if found = append(found, s.Name); s.Status != driver.Found ||
				!strings.Contains(withoutPlaces(s.Message), want) {
				t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
				continue
			}
			again, err := w.Replay(t.Context(), s.Token)
			if err != nil || again.Results[0].Message != s.Message {
				t.Errorf("the replay of %s is %s, %v", s.Name, again.Text(), err)
			}
		case s.Status != driver.Clean || !s.Exhaustive:
			t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
		default:
			clean = append(clean, s.Name)
		}
	}
	slices.Sort(found)
	if want := slices.Sorted(maps.Keys(clockedWrongs)); !slices.Equal(found, want) || len(clean) != 13 {
		t.Errorf("wrong are %q, want %q; right are %q, want 13", found, want, clean)
	}
	const why = ": it is no test function; call what it does from one"
	if want := []string{"FuzzNothing" + why, "Example" + why, "BenchmarkNothing" + why}; !slices.Equal(
		r.LeftOut, want) || !strings.Contains(r.Text(), "\nnot explored:\n  FuzzNothing: it is no test") {
		t.Errorf("left out are %q, want %q", r.LeftOut, want)
	}
}

// TestTests_Work: tests in which goroutines work until another one stops them, or until some time is over,
// are searched to the end of a bound that says for how long nobody waits. What is wrong is found, and its
// token leads to it again.
func TestTests_Work(t *testing.T) {
	o := Options{Test: "Right|Wrong", Executions: 5000, Preemptions: 1}
	w, r := exploredIn(t, "./testdata/clocked/endless", o)
	for i, name := range []string{"TestRight_UntilATime", "TestWrong_AsksFirst", "TestWrong_LooksEarly"} {
		s := r.Results[i]
		switch {
		case s.Name != "endless."+name:
			t.Errorf("result %d is %s, want endless.%s", i, s.Name, name)
		case strings.HasPrefix(name, "TestWrong"):
			again, err := w.Replay(t.Context(), s.Token)
			if s.Status != driver.Found || err != nil || again.Results[0].Message != s.Message {
				t.Errorf("%s: %s: %s, again %v", name, s.Status, s.Message, err)
			}
		case s.Status != driver.Clean || !s.Exhaustive || s.Starvation < 1000:
			t.Errorf("%s: %s: %s, starvation %d", name, s.Status, s.Message, s.Starvation)
		}
	}
	r.Results = r.Results[:1]
	const want = "without schedules in which somebody who could go on waits for more than 1000 steps"
	if v := r.Verdict(); !strings.Contains(v, want) ||
		!strings.Contains(r.Text(), "none in which somebody waits for more than 1000 steps of others") {
		t.Errorf("the verdict is %s\n%s", v, r.Text())
	}
}

// TestTests_NoEnd: of a test that never ends the report says that nobody has seen its end.
func TestTests_NoEnd(t *testing.T) {
	o := Options{Test: "Never", Executions: 2, Time: 5 * time.Second}
	_, r := exploredIn(t, "./testdata/clocked/endless", o)
	if s := r.Results[0]; s.Status != driver.Unknown || !strings.Contains(s.Message,
		"more than 1000000 steps, so nobody has seen its end") {
		t.Errorf("%s: %s", s.Status, s.Message)
	}
}

// TestTests_LongLooks: a test that looks at the same thing for very many steps, and ends, is no livelock. One
// that does not end is one, and the failure that is shown is short.
func TestTests_LongLooks(t *testing.T) {
	o := Options{Test: "Long_Looks|Loops|Hands", Executions: 3}
	_, r := exploredIn(t, "./testdata/clocked/endless", o)
	if s := r.Results[0]; s.Status == driver.Found || s.Steps < 3*130_000 {
		t.Errorf("one that ends: %s after %d steps: %s", s.Status, s.Steps, s.Message)
	}
	if s := r.Results[1]; s.Kind != "livelock" || s.Steps > 1000 {
		t.Errorf("one that does not: %s, %s, after %d steps: %s", s.Status, s.Kind, s.Steps, s.Message)
	}
	if s := r.Results[2]; s.Status == driver.Found || s.Steps < 3000 {
		t.Errorf("one that hands over: %s after %d steps: %s", s.Status, s.Steps, s.Message)
	}
}

// TestTests_LeavesWork: a goroutine that works on and on when the test has returned is left behind: that is
// told, and with Leaks a failure.
func TestTests_LeavesWork(t *testing.T) {
	o := Options{Test: "Leaves_Work", Executions: 100}
	_, r := exploredIn(t, "./testdata/clocked/endless", o)
	if s := r.Results[0]; s.Status != driver.Clean || len(r.Left) != 1 {
		t.Errorf("without: %s: %s, left were %q", s.Status, s.Message, r.Left)
	}
	o.Leaks = true
	w, r := exploredIn(t, "./testdata/clocked/endless", o)
	s := r.Results[0]
	if s.Status != driver.Found || !strings.Contains(s.Message, "not all actors have ended in time: test.1") {
		t.Errorf("with Leaks: %s: %s", s.Status, s.Message)
	}
	if again, err := w.Replay(t.Context(), s.Token); err != nil || again.Results[0].Message != s.Message {
		t.Errorf("replayed: %v", err)
	}
}
