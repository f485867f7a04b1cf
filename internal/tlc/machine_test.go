package tlc

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// inMachines returns machines that have a program, and ends them with the test.
func inMachines(t *testing.T, tool *Tool) *Machines {
	t.Helper()
	s := tool.Machines(context.Background())
	if s.driver == "" {
		t.Fatal("the machines' program cannot be compiled: is this Java a JDK?")
	}
	t.Cleanup(s.Close)
	return s
}

// waiting is the only machine, or nil.
func (s *Machines) waiting() *machine {
	if len(s.idle) == 0 {
		return nil
	}
	return s.idle[0]
}

var tinyFamily = Family{Folder: "testdata"}

func tinyJob(config string) Job { return Job{Dir: "testdata", Module: "Tiny", Config: config} }

// TestMachines_SameJudgementsInOneMachine runs every outcome in one machine, twice and backwards, and
// expects what a JVM of its own says: what a violation leaves behind must not change a later run.
func TestMachines_SameJudgementsInOneMachine(t *testing.T) {
	s := inMachines(t, needTLC(t))
	check := func(c outcome) {
		t.Helper()
		job := tinyJob(c.config)
		job.Module = c.module
		got, err := s.Run(context.Background(), job, tinyFamily)
		if err != nil {
			t.Fatalf("%s/%s: %v", c.module, c.config, err)
		}
		t.Logf("%s/%s", c.module, c.config)
		c.check(t, got)
	}
	for _, c := range outcomes {
		check(c)
	}
	for _, c := range slices.Backward(outcomes) {
		if c.outcome != Failed { // judged in a JVM of its own
			check(c)
		}
	}
}

// TestMachines_KeepsItsMachine says when a machine goes on and when it must not.
func TestMachines_KeepsItsMachine(t *testing.T) {
	s := inMachines(t, needTLC(t))
	steps := []struct {
		config string
		kept   bool
	}{
		{"TinyOk.cfg", true}, {"TinyInvariant.cfg", true}, {"TinyAction.cfg", true},
		{"TinyDeadlock.cfg", true},
		{"TinyOk.cfg", true}, {"TinyUnfair.cfg", false}, {"TinyFair.cfg", true}, {"TinyUnknown.cfg", false},
	}
	for _, x := range steps {
		before := s.waiting()
		if _, err := s.Run(context.Background(), tinyJob(x.config), tinyFamily); err != nil {
			t.Fatal(err)
		}
		after := s.waiting()
		if before != nil && after != nil && before != after || len(s.idle) > 1 {
			t.Errorf("%s ran in another machine; %d wait", x.config, len(s.idle))
		}
		if (after != nil) != x.kept {
			t.Errorf("after %s the machine is kept: %v, want %v", x.config, after != nil, x.kept)
		}
	}
	for _, folder := range []string{"testdata", "driver"} {
		if _, err := s.Run(context.Background(), tinyJob("TinyOk.cfg"), Family{Folder: folder}); err != nil {
			t.Fatal(err)
		}
		if len(s.idle) != 1 || s.waiting().family.Folder != folder {
			t.Errorf("%d machines wait, the first of %q, want one of %q", len(s.idle),
				s.waiting().family.Folder, folder)
		}
	}
}

// TestMachines_NewDefinitions runs a module that has more definitions than its family had so far: none of
// them takes the place of one that was there before.
func TestMachines_NewDefinitions(t *testing.T) {
	s := inMachines(t, needTLC(t))
	job := tinyJob("TinyOk.cfg")
	if _, err := s.Run(context.Background(), job, tinyFamily); err != nil {
		t.Fatal(err)
	}
	before := s.waiting()
	old := job.Dir
	job.Dir = t.TempDir()
	for _, name := range []string{"Tiny.tla", "TinyMap.tla", "TinyOk.cfg"} {
		text, err := os.ReadFile(filepath.Join(old, name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "Tiny.tla" {
			var more strings.Builder
			for i := range 200 {
				fmt.Fprintf(&more, "New%d == x = 99\n", i)
			}
			text = []byte(strings.Replace(string(text), "\n====\n", "\n"+more.String()+"====\n", 1))
		}
		if err := os.WriteFile(filepath.Join(job.Dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Run(context.Background(), job, tinyFamily)
	if err != nil || got.Outcome != OK || got.Distinct != 6 || s.waiting() != before {
		t.Errorf("with new definitions: %s %s %s, %d states, error %v, in the same machine: %v",
			got.Outcome, got.Property, got.Message, got.Distinct, err, s.waiting() == before)
	}
}

// TestMachines_SurviveOne ends the JVM, runs out of time, and is stopped.
func TestMachines_SurviveOne(t *testing.T) {
	s := inMachines(t, needTLC(t))
	if _, err := s.Run(context.Background(), tinyJob("TinyOk.cfg"), tinyFamily); err != nil {
		t.Fatal(err)
	}
	s.waiting().kill() // as if the system had killed it
	got, err := s.Run(context.Background(), tinyJob("TinyOk.cfg"), tinyFamily)
	if err != nil || got.Outcome != OK || got.Distinct != 6 {
		t.Errorf("after the machine had died: %+v, error %v", got, err)
	}

	endless := Job{Dir: "testdata", Module: "Endless", Config: "Endless.cfg", Timeout: 3 * time.Second}
	family := tinyFamily
	got, err = s.Run(context.Background(), endless, family)
	if err != nil || got.Outcome != TimedOut || s.waiting() != nil {
		t.Errorf("endless run: %s, error %v, machine kept %v", got.Outcome, err, s.waiting() != nil)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if _, err = s.Run(ctx, endless, family); !errors.Is(err, context.DeadlineExceeded) || s.waiting() != nil {
		t.Errorf("stopped run: error %v, machine kept %v", err, s.waiting() != nil)
	}
	if _, err = s.Run(ctx, endless, family); err == nil {
		t.Error("it runs after it was stopped")
	}
}

// inFrontOf is a program that runs a few lines of shell before Java.
func inFrontOf(t *testing.T, java, lines string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "java")
	script := "#!/bin/sh\n" + lines + "\nexec '" + java + "' \"$@\"\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMachines_FingerprintsInMemory: a machine's TLC says that it keeps its fingerprints in memory, in the
// set that is wanted. The files of the one on disk are closed twice when it is collected, in a later run or
// none.
func TestMachines_FingerprintsInMemory(t *testing.T) {
	s := inMachines(t, needTLC(t))
	m, err := s.take(tinyFamily)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	var said bytes.Buffer
	m.output = bufio.NewReader(io.TeeReader(m.output, &said))
	got, err := judged(t.Context(), tinyJob("TinyOk.cfg"), m.execute)
	if err != nil || got.Outcome != OK || got.Distinct != 6 {
		t.Fatalf("%s %s, %d states, error %v", got.Outcome, got.Message, got.Distinct, err)
	}
	if !strings.Contains(said.String(), ", MemFPSet1, ") {
		t.Errorf("TLC has another set of fingerprints:\n%s", said.String())
	}
}

// TestMachines_SharedBuffers has TLC keep its fingerprints on disk, and little memory for what is new: then
// their files are closed again in later runs, and a machine has to end, with each run judged all the same.
func TestMachines_SharedBuffers(t *testing.T) {
	tool := *needTLC(t)
	tool.Java = inFrontOf(t, tool.Java, `
for a; do
	shift
	case "$a" in -Dtlc2*) continue;; -Xmn*) a=-Xmn16m;; -Xmx*) a=-Xmx200m;; esac
	set -- "$@" "$a"
done`)
	s := inMachines(t, &tool)
	ended := 0
	for range 30 {
		before := s.waiting()
		got, err := s.Run(context.Background(), tinyJob("TinyFair.cfg"), tinyFamily)
		if err != nil || got.Outcome != OK || got.Distinct != 3 {
			t.Fatalf("%s %s, %d states, error %v", got.Outcome, got.Message, got.Distinct, err)
		}
		if before != nil && s.waiting() != before {
			ended++
		}
	}
	if ended == 0 {
		t.Error("files are closed twice, and no machine ends")
	}
}

// TestMachines_MeetNames: strings are in the order of the alphabet, in whatever order they were written, so
// that no run depends on those that the machine had before.
func TestMachines_MeetNames(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"Names.tla": "---- MODULE Names ----\nVARIABLE x\nInit == x = \"zebra\"\nNext == x' = x\n" +
			"Least == (CHOOSE s \\in {x, \"an ape\"} : TRUE) = \"an ape\"\n====\n",
		"Names.cfg": "INIT Init\nNEXT Next\nINVARIANT Least\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := inMachines(t, needTLC(t))
	job := Job{Dir: dir, Module: "Names", Config: "Names.cfg"}
	for folder, want := range map[string]Outcome{dir: OK, "": Invariant} {
		got, err := s.Run(context.Background(), job, Family{Folder: folder})
		if err != nil || got.Outcome != want {
			t.Errorf("folder %q: %s %s, want %s (%v)", folder, got.Outcome, got.Message, want, err)
		}
	}
}

// TestRunTasks_WithoutCompiler gives each run a JVM of its own when the machine's program cannot be made.
func TestRunTasks_WithoutCompiler(t *testing.T) {
	tool := *needTLC(t)
	tool.Java = inFrontOf(t, tool.Java, `case "$*" in *javac*) exit 1;; esac`)
	results := make([]Result, 2)
	tasks := []task{{job: tinyJob("TinyOk.cfg")}, {job: tinyJob("TinyInvariant.cfg")}}
	tool.runTasks(context.Background(), tasks, 1, func(int) {}, func(i int, r Result, err error) {
		if err != nil {
			t.Error(err)
		}
		results[i] = r
	})
	if results[0].Outcome != OK || results[1].Outcome != Invariant {
		t.Errorf("outcomes %s and %s, want ok and invariant", results[0].Outcome, results[1].Outcome)
	}
}

// TestTask_RunsAlone: what is to violate liveness gets a JVM of its own, and what needs more than a machine
// has.
func TestTask_RunsAlone(t *testing.T) {
	for _, c := range []struct {
		entry Entry
		alone bool
	}{
		{Entry{Expect: OK, Temporal: "Ends"}, false}, {Entry{Expect: Invariant}, false},
		{Entry{Expect: Liveness}, true}, {Entry{Expect: OK, Workers: 2}, true},
		{Entry{Expect: OK, MemoryMB: DefaultMemoryMB + 1}, true},
	} {
		if got := c.entry.task().alone; got != c.alone {
			t.Errorf("%+v: alone %v, want %v", c.entry, got, c.alone)
		}
	}
}

// TestFolders_IsTemporal: what says that something happens is temporal, by whatever name, and what says that
// nothing else happens is not.
func TestFolders_IsTemporal(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"Root.tla": "---- MODULE Root ----\nEXTENDS Base\nStays == [][x' >= x]_x\n====\n",
		"Base.tla": "---- MODULE Base ----\nEnds == \\* <> in a comment\n  <>Done\n" +
			"Leads == a ~> b\n====\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	known := folders{}
	for property, want := range map[string]bool{"Stays": false, "Ends": true, "Leads": true, "None": false} {
		if got := known.isTemporal(dir, property); got != want {
			t.Errorf("%s is temporal: %v, want %v", property, got, want)
		}
	}
}

// TestMachines_SameDump: a machine prints each value only once, and writes what a JVM of its own does.
func TestMachines_SameDump(t *testing.T) {
	tool := needTLC(t)
	s := inMachines(t, tool)
	dumped := func(run func(context.Context, Job) (Result, error), job Job) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "states")
		job.Args = []string{"-dump", path}
		got, err := run(t.Context(), job)
		if err != nil || got.Outcome != OK {
			t.Fatalf("%s: %s %s, error %v", job.Module, got.Outcome, got.Message, err)
		}
		text, err := os.ReadFile(path + ".dump")
		if n := strings.Count(string(text), "State "); err != nil || int64(n) != got.Distinct {
			t.Fatalf("%s: %d states in the dump of %d, error %v", job.Module, n, got.Distinct, err)
		}
		return string(text)
	}
	for _, job := range []Job{
		tinyJob("TinyOk.cfg"), // one variable
		{Dir: "testdata", Module: "Values", Config: "Values.cfg"},
	} {
		inMachine := dumped(func(ctx context.Context, job Job) (Result, error) {
			return s.Run(ctx, job, Family{}) // another family's names come in another order
		}, job)
		if want := dumped(tool.Run, job); inMachine != want {
			t.Errorf("%s: the dump of a machine is\n%s\nwant\n%s", job.Module, inMachine, want)
		}
	}
}
