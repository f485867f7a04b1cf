package foreign

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestLoaded_Waits: a goroutine runs for which the first value of a variable waits. If it does not end, or
// the value still waits, the module cannot be explored, and the error says why.
func TestLoaded_Waits(t *testing.T) {
	defer func(limit time.Duration) { loadLimit = limit }(loadLimit)
	loadLimit = 3 * time.Second
	for text, want := range map[string]string{
		"go func() { c <- 1 }()\n\treturn <-c": "",
		"var mu sync.Mutex\n\tmu.Lock()\n\tgo func() { mu.Lock(); c <- 1 }()\n\treturn <-c": "its packages " +
			"are not loaded within 3s; ",
		"go func() { c <- 1; <-c }()\n\treturn <-c": "started goroutines when the program was loaded, " +
			"which would run beside the actors",
	} {
		text = "package own\n\nimport \"sync\"\n\nvar _ sync.Mutex\n\nvar first = func() int {\n" +
			"\tc := make(chan int)\n\t" + text + "\n}()\n"
		folder := t.TempDir()
		const test = "package own\n\nimport \"testing\"\n\nfunc TestFirst(t *testing.T) {\n" +
			"\tif first != 1 {\n\t\tt.Error(first)\n\t}\n}\n"
		for name, text := range map[string]string{"own.go": text, "own_test.go": test,
			"go.mod": "module example.com/own\n\ngo 1.24\n"} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Explore(t.Context(), folder, Options{Test: "."})
		switch {
		case want == "":
			if err != nil || r.Status() != driver.Clean || len(r.NotRun) > 0 {
				t.Errorf("%v, %v, not run are %q", r.Status(), err, r.NotRun)
			}
		case err == nil || !strings.Contains(err.Error(), want):
			t.Errorf("%v, want %q", err, want)
		}
	}
}
