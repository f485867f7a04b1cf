package foreign

import (
	"errors"
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

// TestLoaded_Waits: a module whose first value of a variable waits for a goroutine that does not run cannot
// be explored, and the error says why, whether or not the runtime sees that nobody can go on.
func TestLoaded_Waits(t *testing.T) {
	defer func(limit time.Duration) { loadLimit = limit }(loadLimit)
	loadLimit = 3 * time.Second
	const first = "var first = func() int {\n\tc := make(chan int)\n\tgo func() { c <- 1 }()\n" +
		"\treturn <-c\n}()\n"
	for text, want := range map[string]string{
		"package own\n\n" + first: "all goroutines are asleep - deadlock!; init or the first value of a " +
			"variable waits",
		"package own\n\nimport (\n\t\"os\"\n\t\"os/signal\"\n)\n\nvar c = func() chan os.Signal {\n" +
			"\tc := make(chan os.Signal, 1)\n\tsignal.Notify(c, os.Interrupt)\n\treturn c\n}()\n\n" +
			first: "its packages are not loaded within 3s; ",
	} {
		folder := t.TempDir()
		const test = "package own\n\nimport \"testing\"\n\nfunc TestFirst(t *testing.T) { _ = first }\n"
		for name, text := range map[string]string{"own.go": text, "own_test.go": test,
			"go.mod": "module example.com/own\n\ngo 1.24\n"} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Explore(t.Context(), folder, Options{Test: "."})
		if !errors.Is(err, ErrDriver) || !strings.Contains(err.Error(), want) ||
			!strings.HasSuffix(err.Error(), "let the test make that value, or its first use") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
