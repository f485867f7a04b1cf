package tlc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
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

var tinyFamily = Family{Name: "Tiny"}

func tinyJob(config string) Job { return Job{Dir: "testdata", Module: "Tiny", Config: config} }

// TestMachines_SameJudgementsInOneMachine runs every outcome in one machine, twice and backwards, and
// expects what a JVM of its own says: what a violation leaves behind must not change a later run.
func TestMachines_SameJudgementsInOneMachine(t *testing.T) {
	s := inMachines(t, needTLC(t))
	check := func(c outcome) {
		t.Helper()
		job := tinyJob(c.config)
		job.Module = c.module
		got, err := s.Run(context.Background(), job, Family{Name: c.module})
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
	for _, name := range []string{"Tiny", "another"} {
		if _, err := s.Run(context.Background(), tinyJob("TinyOk.cfg"), Family{Name: name}); err != nil {
			t.Fatal(err)
		}
		if len(s.idle) != 1 || s.waiting().family.Name != name {
			t.Errorf("%d machines wait, the first of %q, want one of %q", len(s.idle),
				s.waiting().family.Name, name)
		}
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
	family := Family{Name: "Endless"}
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

// TestTask_RunsAlone: what says that something happens gets a JVM of its own, by whatever name, and what says
// that nothing else happens does not.
func TestTask_RunsAlone(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"Root.tla":  "---- MODULE Root ----\nEXTENDS Base\nStays == [][x' >= x]_x\n====\n",
		"Base.tla":  "---- MODULE Base ----\nEnds == \\* <> in a comment\n  <>Done\nLeads == a ~> b\n====\n",
		"none.cfg":  "INVARIANT Ends",
		"stays.cfg": "PROPERTY Stays \\* not Ends",
		"ends.cfg":  "INVARIANT I\nPROPERTIES\n  Stays\n  Ends",
		"leads.cfg": "PROPERTY Leads",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	known := folders{}
	for config, want := range map[string]bool{"none.cfg": false, "stays.cfg": false, "ends.cfg": true,
		"leads.cfg": true, "missing.cfg": false} {
		e := Entry{dir: dir, Cfg: config, Expect: OK}
		if got := e.task(known.saysHappens(dir, config)).alone; got != want {
			t.Errorf("%s: alone %v, want %v", config, got, want)
		}
	}
	if !(Entry{dir: dir, Cfg: "none.cfg", Expect: Liveness}).task(false).alone {
		t.Error("a run that must violate liveness is not alone")
	}
}
