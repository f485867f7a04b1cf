package foreign

import (
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

const inLoaded = "./testdata/loaded.go"

// TestLoaded_Types: goroutines that a module starts when it is loaded do not run, and the report says so. A
// search is not plainly clean then.
func TestLoaded_Types(t *testing.T) {
	want := []string{"loaded.go.init.0", "inner.begin"}
	_, r := typedIn(t, inLoaded, Subject{Type: "Door"}, Options{})
	slices.Sort(r.NotRun)
	if slices.Sort(want); !slices.Equal(r.NotRun, want) {
		t.Errorf("not run are those of %q, want %q", r.NotRun, want)
	}
	for _, want := range []string{
		"; without goroutines that start when it is loaded\n",
		"goroutines that start when the module is loaded do not run, those of:\n  ", "called: Open"} {
		if !strings.Contains(r.Text(), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if _, r = typedIn(t, inLoaded, Subject{Type: "Torn"}, Options{}); r.Status() != driver.Found {
		t.Errorf("what is wrong is %s", r.Status())
	}
}

// TestLoaded_Tests: a test that waits for such a goroutine is not told to fail. Those that start later run.
func TestLoaded_Tests(t *testing.T) {
	_, r := exploredIn(t, inLoaded, Options{Test: "."})
	asks, own := r.Results[0], r.Results[1]
	if asks.Status != driver.Unknown || !strings.Contains(asks.Message, "this may be no failure, since "+
		"goroutines do not run that start when the module is loaded (") {
		t.Errorf("a test that waits for it is %s: %s", asks.Status, asks.Message)
	}
	if own.Status != driver.Clean {
		t.Errorf("another one is %s: %s", own.Status, own.Message)
	}
}
