package foreign

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/foreign/driver"
)

// timing is a module whose types look at the clock.
const timing = "./testdata/timing"

// TestTiming_Meet: who waits for somebody, but not for long, may meet them, which is no order of the calls;
// and what goes wrong when the time is over is found still.
func TestTiming_Meet(t *testing.T) {
	_, r := typedIn(t, timing, Subject{Type: "Meet"}, Options{Executions: 5000, Time: 6 * time.Second})
	if r.Status() != driver.Clean || r.Results[0].Cut > 0 ||
		!strings.Contains(r.Text(), "\ncalls that wait for the clock: others are made meanwhile") {
		t.Errorf("%s", r.Status())
	}
	_, r = typedIn(t, timing, Subject{Type: "Lossy"}, Options{Executions: 2000, Time: 4 * time.Second})
	if r.Status() != driver.Found || r.Results[0].Kind != "verdict" ||
		!strings.Contains(r.Results[0].Program, "Give(1) || Take()") {
		t.Errorf("%s", r.Status())
	}
}

// TestTiming_Services: what is done again and again is done so often only, which is told, and the rest of the
// type is judged: what two Close do is a panic, and the others are right.
func TestTiming_Services(t *testing.T) {
	for name, bound := range map[string]string{
		"Ticked": "bound of ticks: at most 1", "Timed": "bound of timers: of those",
		"Rearmed": "bound of timers", "Chained": "bound of timers", "Sleeper": "bound of sleeps: a goroutine",
	} {
		t.Run(name, func(t *testing.T) {
			w, r := typedIn(t, timing, Subject{Type: name}, Options{Executions: 2000, Time: 5 * time.Second})
			i := slices.IndexFunc(r.Results, func(s driver.Result) bool { return s.Name == "Close" })
			if i < 0 || r.Results[i].Status != driver.Found ||
				!strings.Contains(r.Results[i].Message, "a call panics: close of closed channel") ||
				!strings.Contains(r.Text(), "\n"+bound) {
				t.Fatalf("%s", r.Status())
			}
			for _, s := range r.Results {
				if s.Kind != "" && s.Name != "Close" {
					t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
				}
			}
			again, err := w.Replay(t.Context(), r.Results[i].Token)
			if err != nil || again.Results[0].Message != r.Results[i].Message {
				t.Errorf("the replay is %s, %v", again.Text(), err)
			}
		})
	}
}

// TestTypes_Promoted: what a type has from an embedded lock is called only if it is asked for, which is said;
// a replay finds it, too.
func TestTypes_Promoted(t *testing.T) {
	_, r := typed(t, Subject{Type: "Open"}, Options{Time: 10 * time.Second})
	if r.Status() != driver.Clean || !slices.Equal(r.Methods, []string{"Inc"}) ||
		!strings.Contains(r.Text(), "\n  Lock, RLock, RLocker, RUnlock, TryLock, TryRLock, Unlock promoted "+
			"from sync.RWMutex: --call asks for them") {
		t.Errorf("%s, called are %q", r.Status(), r.Methods)
	}
	_, r = typed(t, Subject{Type: "Open", Calls: []string{"Inc", "TryLock"}}, Options{Time: 10 * time.Second})
	if r.Status() != driver.Found || !strings.Contains(r.Results[0].Program, "Inc() || TryLock()") {
		t.Fatalf("%s with TryLock", r.Status())
	}
	again, err := Replay(t.Context(), r.Results[0].Token, Options{})
	if err != nil || again.Results[0].Message != r.Results[0].Message {
		t.Errorf("the replay is %s, %v", again.Text(), err)
	}
}

// TestTiming_Shows: a method that shows the time is left out, for which of two looks at the clock first is
// nothing that an order explains.
func TestTiming_Shows(t *testing.T) {
	_, r := typedIn(t, timing, Subject{Type: "Watch"}, Options{Time: 8 * time.Second})
	if r.Status() != driver.Clean || !slices.Equal(r.Methods, []string{"Add"}) ||
		!strings.Contains(r.Text(), "\n  Lap: its sequential runs differ") {
		t.Errorf("%s, called are %q", r.Status(), r.Methods)
	}
}

// TestTypes_Served: of a type whose calls are served by a goroutine of its own, calls of one step are clean,
// and what two steps lose is found, and is no deadlock, though that goroutine waits for the next call.
func TestTypes_Served(t *testing.T) {
	// A busy machine takes seconds to find out what can be called. The second search ends at its failure.
	_, r := typed(t, Subject{Type: "Server", Calls: []string{"Add"}}, Options{Time: 10 * time.Second})
	if s := r.Results[0]; s.Name != "pairs" || s.Status != driver.Clean || s.Cut > 0 {
		t.Errorf("%s is %s: %s", s.Name, s.Status, s.Message)
	}
	w, r := typed(t, Subject{Type: "Server", Calls: []string{"Inc"}}, Options{Time: time.Minute})
	s := r.Results[0]
	if s.Status != driver.Found || s.Kind != "verdict" || !strings.Contains(s.History, "| -> 1") ||
		!strings.HasPrefix(s.Message, "history not linearizable: no order of the calls") {
		t.Fatalf("%s, %s: %s", s.Status, s.Kind, s.Message)
	}
	again, err := w.Replay(t.Context(), s.Token)
	if err != nil || again.Results[0].Message != s.Message || again.Results[0].Kind != s.Kind {
		t.Errorf("the replay is %s, %v", again.Text(), err)
	}
}

// TestTiming_Looks: a method whose results depend on the number of looks at the clock is left out, since
// those of other actors come between.
func TestTiming_Looks(t *testing.T) {
	_, r := typedIn(t, timing, Subject{Type: "Brief"}, Options{Executions: 500, Time: 4 * time.Second})
	left := slices.IndexFunc(r.LeftOut, func(s string) bool {
		return strings.HasPrefix(s, "Has: its sequential runs differ")
	})
	if r.Status() != driver.Clean || left < 0 || slices.Contains(r.Methods, "Has") {
		t.Errorf("%s, called are %q, left out %q", r.Status(), r.Methods, r.LeftOut)
	}
}
