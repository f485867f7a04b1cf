package tlc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// needTLC returns a TLC, or skips the test with the reason in the log when a program is missing.
// Every other reason is a failure: a jar that cannot be fetched must not look like a pass.
func needTLC(t *testing.T) *Tool {
	t.Helper()
	tool, err := Find(context.Background(), func(s string) { t.Log(s) })
	var missing *MissingError
	if errors.As(err, &missing) {
		t.Logf("NOT RUN: %s missing", missing.Program)
		t.Skip("NOT RUN: " + missing.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// outcome is a run and what must come of it.
type outcome struct {
	module, config string
	outcome        Outcome
	property       string
	distinct       int64
	depth, trace   int
	says           string
}

// check compares a result with what must come of the run.
func (c outcome) check(t *testing.T, r Result) {
	t.Helper()
	if r.Outcome != c.outcome || c.outcome != Assumption && r.Property != c.property {
		t.Errorf("outcome %s of %q, want %s of %q\n%s",
			r.Outcome, r.Property, c.outcome, c.property, r.Message)
	}
	if r.Distinct != c.distinct || r.Depth != c.depth {
		t.Errorf("%d states, depth %d, want %d, %d", r.Distinct, r.Depth, c.distinct, c.depth)
	}
	if c.trace >= 0 && len(r.Trace) != c.trace {
		t.Errorf("a trace of %d states, want %d: %+v", len(r.Trace), c.trace, r.Trace)
	}
	if !strings.Contains(r.Message, c.says) {
		t.Errorf("message %q does not say %q", r.Message, c.says)
	}
	if c.outcome == Failed && r.Message == "" {
		t.Error("an error without a message")
	}
	if !strings.Contains(r.Version, "TLC2 Version") {
		t.Errorf("version %q", r.Version)
	}
}

// outcomes are a run of each kind. The figures are those of a counter up to Max: Max+1 states
// and a depth of Max+1. A trace of -1 is not looked at.
var outcomes = []outcome{
	{"Tiny", "TinyOk.cfg", OK, "", 6, 6, 0, ""},
	{"Tiny", "TinyFair.cfg", OK, "", 3, 3, 0, ""},
	{"Tiny", "TinyInvariant.cfg", Invariant, "I2Small", 4, 4, 4, "I2Small is violated"},
	{"Tiny", "TinyInitial.cfg", Invariant, "I3NotZero", 0, 0, 1, "violated by the initial state"},
	{"Tiny", "TinyAction.cfg", Invariant, "NeverLeavesZero", 3, 3, 3, "Action property"},
	{"Tiny", "TinyDeadlock.cfg", Deadlock, "", 3, 3, 3, "Deadlock reached"},
	{"Tiny", "TinyUnfair.cfg", Liveness, "Reaches", 3, 3, -1, "Temporal properties"},
	{"Tiny", "TinyAssume.cfg", Assumption, "", 0, 0, 0, "is false"},
	{"Tiny", "TinyBroken.cfg", Failed, "", 2, 2, -1, "I4Broken failed"},
	{"Tiny", "TinyUnknown.cfg", Failed, "", 0, 0, 0, "Nowhere"},
	{"Tiny", "NoSuch.cfg", Failed, "", 0, 0, 0, ""},
	{"Unparsable", "TinyOk.cfg", Failed, "", 0, 0, 0, "Unparsable.tla"},
	{"NoSuch", "TinyOk.cfg", Failed, "", 0, 0, 0, "Cannot find source file"},
}

// TestTool_RunJudges runs every outcome that TLC can end with.
func TestTool_RunJudges(t *testing.T) {
	tool := needTLC(t)
	for _, c := range outcomes {
		t.Run(c.module+"/"+c.config, func(t *testing.T) {
			t.Parallel()
			r, err := tool.Run(context.Background(),
				Job{Dir: "testdata", Module: c.module, Config: c.config, Timeout: 10 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			c.check(t, r)
		})
	}
}

func TestTool_RunReadsTrace(t *testing.T) {
	r, err := needTLC(t).Run(context.Background(),
		Job{Dir: "testdata", Module: "Tiny", Config: "TinyInvariant.cfg"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []State{
		{1, "Initial predicate", "x = 0"}, {2, "Step", "x = 1"},
		{3, "Step", "x = 2"}, {4, "Step", "x = 3"},
	} {
		if i >= len(r.Trace) || r.Trace[i] != want {
			t.Fatalf("trace %+v, state %d must be %+v", r.Trace, i+1, want)
		}
	}
}

// TestTool_RunDistrustsExitStatus holds the trap that -continue ends with status 0 and the line
// "No error has been found" after a violation.
func TestTool_RunDistrustsExitStatus(t *testing.T) {
	r, err := needTLC(t).Run(context.Background(), Job{Dir: "testdata", Module: "Tiny",
		Config: "TinyInvariant.cfg", Args: []string{"-continue"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.ExitStatus != 0 {
		t.Logf("exit status %d: the trap is gone", r.ExitStatus)
	}
	if r.Outcome != Invariant || r.Property != "I2Small" || len(r.Trace) != 4 {
		t.Fatalf("outcome %s of %q, trace of %d states", r.Outcome, r.Property, len(r.Trace))
	}
}

// An error behind a violation leaves no verdict: here the state after the initial one, which is violated,
// cannot be judged.
func TestTool_RunErrorBehindViolation(t *testing.T) {
	r, err := needTLC(t).Run(t.Context(), Job{Dir: "testdata", Module: "Tiny",
		Config: "TinyPair.cfg", Args: []string{"-continue"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != Failed || !strings.Contains(r.Message, "I4Broken failed") {
		t.Errorf("outcome %s of %q: %s; want that I4Broken failed", r.Outcome, r.Property, r.Message)
	}
}

func TestTool_RunCoverageAndDump(t *testing.T) {
	dump := filepath.Join(t.TempDir(), "states")
	r, err := needTLC(t).Run(context.Background(), Job{Dir: "testdata", Module: "Tiny",
		Config: "TinyOk.cfg", Coverage: true, Args: []string{"-dump", dump}})
	if err != nil {
		t.Fatal(err)
	}
	want := []ActionCount{{"Init", "Tiny", 1, 1}, {"Step", "Tiny", 5, 5}, {"Done", "Tiny", 0, 1}}
	if len(r.Coverage) != len(want) {
		t.Fatalf("coverage %+v, want %+v", r.Coverage, want)
	}
	for i := range want {
		if r.Coverage[i] != want[i] {
			t.Errorf("coverage %+v, want %+v", r.Coverage[i], want[i])
		}
	}
	text, err := os.ReadFile(dump + ".dump")
	if err != nil || !strings.Contains(string(text), "x = 5") {
		t.Errorf("dump: %v, %q", err, text)
	}
}

func TestTool_RunTimeout(t *testing.T) {
	r, err := needTLC(t).Run(context.Background(), Job{Dir: "testdata", Module: "Endless",
		Config: "Endless.cfg", Timeout: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != TimedOut {
		t.Fatalf("outcome %s (%s), want timeout", r.Outcome, r.Message)
	}
	e := Entry{Name: "x", Kind: Safety, Expect: OK, Distinct: r.Distinct, Depth: r.Depth}
	if problems, unknown := Compare(e, r); !unknown || len(problems) != 1 {
		t.Errorf("a timeout must be unknown: %v %v", problems, unknown)
	}
}

// TestTool_RunChecksLivenessAtTheEnd: a run that TLC's clock comes into is searched to its end all the
// same. Checked by the clock, it would end with the four states of that moment, and on another machine
// with another count.
func TestTool_RunChecksLivenessAtTheEnd(t *testing.T) {
	tool := needTLC(t)
	t.Parallel()
	r, err := tool.Run(t.Context(), Job{Dir: "testdata", Module: "Slow", Config: "Slow.cfg",
		Timeout: 10 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != Liveness || r.Property != "Reaches" || r.Distinct != 6 || r.Wall < 8*time.Second {
		t.Errorf("%s of %q with %d states after %v; want that Reaches is violated in the graph of all 6, "+
			"after 8 seconds", r.Outcome, r.Property, r.Distinct, r.Wall)
	}
}

func TestTool_RunStopsWithContext(t *testing.T) {
	tool := needTLC(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	start := time.Now()
	_, err := tool.Run(ctx, Job{Dir: "testdata", Module: "Endless", Config: "Endless.cfg"})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("error %v, want the context's", err)
	}
	if d := time.Since(start); d > time.Minute { // by itself it never ends
		t.Errorf("the JVM was still there after %s", d)
	}
}

func TestTool_RunEntriesAgreesWithManifest(t *testing.T) {
	tool := needTLC(t)
	m, err := LoadManifest("testdata")
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	verdicts := tool.RunEntries(context.Background(), m.Entries, RunOptions{
		Observe: func(e Event) {
			if e.Verdict != nil {
				ended++
			}
		}})
	for i, v := range verdicts {
		if !v.Pass() || v.Entry.Name != m.Entries[i].Name {
			t.Errorf("%s: %v %v", v.Entry.Name, v.Problems, v.Err)
		}
	}
	if ended != len(m.Entries) {
		t.Errorf("%d ends observed, want %d", ended, len(m.Entries))
	}
}

// A safety run that is a liveness run at the same time: without fairness it must be red, by the name
// of what is violated.
func TestTool_RunEntriesTemporal(t *testing.T) {
	tool := needTLC(t)
	configuration := func(file string) string {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	e := Entry{Name: "both", Module: "Tiny", text: configuration("TinyFair.cfg"), Kind: Safety, Expect: OK,
		Temporal: "Reaches", Distinct: 3, Depth: 3, dir: "testdata"}
	unfair := e
	// With another property TLC does not say which one is violated.
	unfair.text = configuration("TinyBoth.cfg")
	verdicts := tool.RunEntries(t.Context(), []Entry{e, unfair}, RunOptions{})
	if v := verdicts[0]; !v.Pass() || v.Result.CPU <= 0 {
		t.Errorf("with fairness: %v %v, CPU time %v", v.Problems, v.Err, v.Result.CPU)
	}
	if said := strings.Join(verdicts[1].Problems, "; "); !strings.Contains(said, "Reaches is violated") {
		t.Errorf("without fairness: %q, want that Reaches is violated", said)
	}
}

func TestTool_RunEntriesStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	tool := &Tool{Java: "/no/such/java"}
	for _, v := range tool.RunEntries(ctx, []Entry{{Name: "a"}, {Name: "b"}}, RunOptions{}) {
		if v.Pass() || !v.Unknown || v.Err == nil {
			t.Errorf("%s: a run that never started must be unknown: %+v", v.Entry.Name, v)
		}
	}
}
