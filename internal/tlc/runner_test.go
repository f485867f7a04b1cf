package tlc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"
)

// inMachine returns a runner with a machine's program, and ends it with the test.
func inMachine(t *testing.T, tool *Tool) *runner {
	t.Helper()
	driver := t.TempDir()
	if err := tool.compileDriver(context.Background(), driver); err != nil {
		t.Fatalf("the machine's program cannot be compiled: %v", err)
	}
	r := &runner{tool: tool, driver: driver}
	t.Cleanup(r.end)
	return r
}

func tinyTask(config string) task {
	return task{job: Job{Dir: "testdata", Module: "Tiny", Config: config}, family: "testdata/Tiny"}
}

// TestRunner_SameJudgementsInOneMachine runs every outcome in one machine, twice and backwards, and
// expects what a JVM of its own says: what a violation leaves behind must not change a later run.
func TestRunner_SameJudgementsInOneMachine(t *testing.T) {
	r := inMachine(t, needTLC(t))
	check := func(c outcome) {
		t.Helper()
		w := tinyTask(c.config)
		w.job.Module, w.family = c.module, "testdata/"+c.module
		got, err := r.run(context.Background(), w)
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

// TestRunner_KeepsItsMachine says when a machine goes on and when it must not.
func TestRunner_KeepsItsMachine(t *testing.T) {
	r := inMachine(t, needTLC(t))
	steps := []struct {
		config string
		kept   bool
	}{
		{"TinyOk.cfg", true}, {"TinyInvariant.cfg", true}, {"TinyAction.cfg", true},
		{"TinyDeadlock.cfg", true},
		{"TinyOk.cfg", true}, {"TinyUnfair.cfg", false}, {"TinyFair.cfg", true}, {"TinyUnknown.cfg", false},
	}
	for _, s := range steps {
		before := r.machine
		if _, err := r.run(context.Background(), tinyTask(s.config)); err != nil {
			t.Fatal(err)
		}
		if before != nil && r.machine != nil && before != r.machine {
			t.Errorf("%s ran in another machine", s.config)
		}
		if (r.machine != nil) != s.kept {
			t.Errorf("after %s the machine is kept: %v, want %v", s.config, r.machine != nil, s.kept)
		}
	}
	if _, err := r.run(context.Background(), tinyTask("TinyOk.cfg")); err != nil {
		t.Fatal(err)
	}
	if first := r.machine; true {
		w := tinyTask("TinyOk.cfg")
		w.family = "another"
		if _, err := r.run(context.Background(), w); err != nil || r.machine == first {
			t.Errorf("another family has the same machine (error %v)", err)
		}
	}
}

// TestRunner_SurvivesItsMachine ends the JVM, runs out of time, and is stopped.
func TestRunner_SurvivesItsMachine(t *testing.T) {
	tool := needTLC(t)
	r := inMachine(t, tool)
	if _, err := r.run(context.Background(), tinyTask("TinyOk.cfg")); err != nil {
		t.Fatal(err)
	}
	r.machine.kill() // as if the system had killed it
	got, err := r.run(context.Background(), tinyTask("TinyOk.cfg"))
	if err != nil || got.Outcome != OK || got.Distinct != 6 {
		t.Errorf("after the machine had died: %+v, error %v", got, err)
	}

	endless := task{job: Job{Dir: "testdata", Module: "Endless", Config: "Endless.cfg",
		Timeout: 3 * time.Second}, family: "testdata/Endless"}
	got, err = r.run(context.Background(), endless)
	if err != nil || got.Outcome != TimedOut || r.machine != nil {
		t.Errorf("endless run: %s, error %v, machine kept %v", got.Outcome, err, r.machine != nil)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if _, err = r.run(ctx, endless); !errors.Is(err, context.DeadlineExceeded) || r.machine != nil {
		t.Errorf("stopped run: error %v, machine kept %v", err, r.machine != nil)
	}
	if _, err = r.run(ctx, endless); err == nil {
		t.Error("it runs after it was stopped")
	}
}

// TestRunTasks_WithoutCompiler gives each run a JVM of its own when the machine's program cannot be made.
func TestRunTasks_WithoutCompiler(t *testing.T) {
	tool := *needTLC(t)
	refuses := filepath.Join(t.TempDir(), "java")
	script := "#!/bin/sh\ncase \"$*\" in *javac*) exit 1;; esac\nexec '" + tool.Java + "' \"$@\"\n"
	if err := os.WriteFile(refuses, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	tool.Java = refuses
	results := make([]Result, 2)
	tool.runTasks(context.Background(), []task{tinyTask("TinyOk.cfg"), tinyTask("TinyInvariant.cfg")}, 1,
		func(int) {}, func(i int, r Result, err error) {
			if err != nil {
				t.Error(err)
			}
			results[i] = r
		})
	if results[0].Outcome != OK || results[1].Outcome != Invariant {
		t.Errorf("outcomes %s and %s, want ok and invariant", results[0].Outcome, results[1].Outcome)
	}
}

// TestInOrder puts lone runs first, keeps families together, and large before small.
func TestInOrder(t *testing.T) {
	tasks := []task{
		{family: "a", weight: 1}, {family: "b", weight: 9}, {family: "a", weight: 5},
		{family: "b", weight: 2, alone: true}, {family: "b", weight: 3},
		{family: "a", weight: 7, alone: true},
	}
	got := inOrder(tasks, map[string]int64{"a": 6, "b": 12})
	if want := []int{5, 3, 1, 4, 2, 0}; !reflect.DeepEqual(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}
