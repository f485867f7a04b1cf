package testing

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore/shim/context"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/hidden"
)

// T is the argument of a test function. All goroutines of the test may call its methods; one of them runs at
// a time.
type T struct {
	testing.TB // nil; it has the private method of the interface

	name     string
	parent   *T
	logs     []string
	failed   bool
	skipped  bool
	over     bool // the test function and its parallel subtests have returned
	ended    bool
	parallel bool // it has called Parallel
	alone    bool // it must not be parallel
	within   bool // it is a part of its parent and has the parent's name
	cleanups []func()
	names    map[string]int  // of subtests
	helpers  map[string]bool // of the whole test: the names of functions that have called Helper
	ctx      context.Context
	cancel   context.CancelFunc

	state hidden.State // of what others see of it: failed, skipped, over, ended and so on

	known   *Subtests
	beside  *beside // nil: the goroutine is that of the parent
	subs    []*T    // the parallel ones
	barrier *gate   // parallel subtests wait here
	places  *places // of the whole test
}

// An Outcome is the result of a test.
type Outcome struct {
	Ended   bool // the test function, and its cleanup functions, returned
	Failed  bool
	Skipped bool
	Logs    []string // what was logged, also by subtests, in order
}

// New returns a T for a test of that name. known says which of its subtests are parallel.
func New(name string, known *Subtests) *T {
	return &T{name: name, known: known, barrier: newGate(), places: newPlaces(known)}
}

// sub returns a T for a part of the test.
func (t *T) sub(name string) *T {
	return &T{name: name, known: t.known, barrier: newGate(), places: t.places, parent: t}
}

// Outcome returns the result of the test so far.
func (t *T) Outcome() Outcome { return Outcome{t.ended, t.failed, t.skipped, t.logs} }

// stop is the panic of FailNow and SkipNow.
type stop struct{ t *T }

// Error is the message if nothing recovers from the panic, which means that it is not in the goroutine of
// the test.
func (s stop) Error() string {
	what := "SkipNow"
	if s.t.failed {
		what = "FailNow or Fatal"
	}
	return fmt.Sprintf("%s was called in a goroutine other than that of %s%s", what, s.t.name,
		strings.Join(append([]string{""}, s.t.root().logs...), "\n"))
}

// RunTest calls f, which is a test function, then runs its parallel subtests, and then calls its cleanup
// functions. It returns when all of that has returned. It is called once.
func (t *T) RunTest(f func(t *T)) {
	t.guarded(func() { f(t) })
	t.runSubs()
	t.state.Change()
	if t.over = true; t.cancel != nil {
		t.cancel()
		t.state.Change()
	}
	for len(t.cleanups) > 0 {
		last := len(t.cleanups) - 1
		clean := t.cleanups[last]
		t.cleanups = t.cleanups[:last]
		t.guarded(clean)
		t.state.Change()
	}
	t.ended = true
}

// guarded calls f, up to a FailNow or a SkipNow of t, or to a Goexit, which is a failure. It does not
// recover from other panics, so their stacks remain for the report.
func (t *T) guarded(f func()) {
	defer func() {
		exits := flow.Exits()
		if !exits && flow.Leaving() != any(stop{t}) {
			return
		}
		_ = recover()
		if flow.Left(); exits {
			t.Error("test executed panic(nil) or runtime.Goexit")
		}
	}()
	f()
}

// stop ends the test.
func (t *T) stop() { flow.Leave(stop{t}) }

func (t *T) root() *T {
	for t.parent != nil {
		t = t.parent
	}
	return t
}

func (t *T) log(place, text string) {
	text = strings.TrimSuffix(text, "\n")
	if t.state.Read(); t.ended {
		panic(fmt.Sprintf("Log in goroutine after %s has completed: %s", t.name, text))
	}
	r := t.root()
	if t.name != r.name {
		place = t.name + ": " + place
	}
	r.logs = append(r.logs, place+text)
}

func (t *T) fail() {
	if t.state.Read(); t.ended {
		panic("Fail in goroutine after " + t.name + " has completed")
	}
	flow.Fails()
	for x := t; x != nil; x = x.parent {
		x.state.Change()
		x.failed = true
	}
}

// Name returns the name of the test; for a subtest it begins with the names of its parents.
func (t *T) Name() string { return t.name }

// Log adds a message, as the original does.
func (t *T) Log(args ...any) { t.say(fmt.Sprintln(args...)) }

// Logf adds a message, as the original does.
func (t *T) Logf(format string, args ...any) { t.say(fmt.Sprintf(format, args...)) }

// Fail marks the test as failed.
func (t *T) Fail() { t.fail() }

// FailNow marks the test as failed and ends it.
func (t *T) FailNow() { t.fail(); t.stop() }

// Failed reports whether the test has failed by now.
func (t *T) Failed() bool { t.state.Read(); return t.failed }

// Error is Log and Fail.
func (t *T) Error(args ...any) { t.say(fmt.Sprintln(args...)); t.fail() }

// Errorf is Logf and Fail.
func (t *T) Errorf(format string, args ...any) { t.say(fmt.Sprintf(format, args...)); t.fail() }

// Fatal is Log and FailNow.
func (t *T) Fatal(args ...any) { t.say(fmt.Sprintln(args...)); t.FailNow() }

// Fatalf is Logf and FailNow.
func (t *T) Fatalf(format string, args ...any) { t.say(fmt.Sprintf(format, args...)); t.FailNow() }

// Skip is Log and SkipNow.
func (t *T) Skip(args ...any) { t.say(fmt.Sprintln(args...)); t.SkipNow() }

// Skipf is Logf and SkipNow.
func (t *T) Skipf(format string, args ...any) { t.say(fmt.Sprintf(format, args...)); t.SkipNow() }

// SkipNow ends the test, which counts as skipped.
func (t *T) SkipNow() { t.state.Change(); t.skipped = true; t.stop() }

// Skipped reports whether the test was skipped.
func (t *T) Skipped() bool { t.state.Read(); return t.skipped }

// Cleanup adds a function that is called when the test has ended, the last one first.
func (t *T) Cleanup(f func()) { t.state.Change(); t.cleanups = append(t.cleanups, f) }

// Run calls f as a subtest, in a goroutine of its own if it is known to call Parallel, and reports whether it
// did not fail by now.
func (t *T) Run(name string, f func(t *T)) bool {
	name = t.name + "/" + strings.ReplaceAll(name, " ", "_")
	if t.state.Change(); t.names == nil {
		t.names = map[string]int{}
	}
	if n := t.names[name]; n > 0 {
		t.names[name]++
		name = fmt.Sprintf("%s#%02d", name, n)
	} else {
		t.names[name] = 1
	}
	sub := t.sub(name)
	switch {
	case t.parent == nil && t.known.leavesOut(name):
	case t.known.isParallel(name):
		sub.runBeside(f)
	default:
		sub.RunTest(f)
	}
	return !sub.Failed()
}

// RunWithin calls f as a part of the test that has the test's name, and reports whether it did not fail. If
// the part is skipped, the test is skipped, too.
func (t *T) RunWithin(f func(t *T)) bool {
	sub := t.sub(t.name)
	sub.within = true
	sub.RunTest(f)
	if sub.skipped {
		t.SkipNow()
	}
	return !sub.failed
}

// Context returns a context that ends before the functions of Cleanup are called. A later call returns one
// that has ended.
func (t *T) Context() context.Context {
	if t.state.Change(); t.ctx == nil {
		t.ctx, t.cancel = context.WithCancel(context.Background())
		if t.over {
			t.cancel()
		}
	}
	return t.ctx
}

// Setenv sets a variable of the environment for the rest of the test.
func (t *T) Setenv(key, value string) {
	t.beAlone()
	old, had := os.LookupEnv(key)
	if err := os.Setenv(key, value); err != nil {
		t.Fatalf("cannot set environment variable: %v", err)
	}
	t.Cleanup(func() {
		if had {
			_ = os.Setenv(key, old)
		} else {
			_ = os.Unsetenv(key)
		}
	})
}

// Chdir changes the working folder for the rest of the test.
func (t *T) Chdir(dir string) {
	t.beAlone()
	old, err := os.Getwd()
	if err == nil {
		err = os.Chdir(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chdir(old) })
}

// TempDir returns a new folder, which is removed when the test has ended.
func (t *T) TempDir() string {
	dir, err := os.MkdirTemp("", "test")
	if err != nil {
		t.Fatalf("TempDir: %v", err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("TempDir: %v", err)
		}
	})
	return dir
}

// ArtifactDir is TempDir, because nothing is kept.
func (t *T) ArtifactDir() string { return filepath.Clean(t.TempDir()) }

// Attr does nothing.
func (t *T) Attr(key, value string) {}

// Output writes to the log.
func (t *T) Output() io.Writer { return writer{t} }

type writer struct{ t *T }

func (w writer) Write(text []byte) (int, error) {
	w.t.log("", string(text))
	return len(text), nil
}
