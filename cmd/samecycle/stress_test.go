package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/stress"
)

func TestStress_WrongCommandLines(t *testing.T) {
	for says, args := range map[string][]string{
		"--state":     {"--state", "S99"},
		"--processes": {"--processes", "17"},
		"--threads":   {"--threads", "-1"},
		"--deaths 0":  {"--deaths", "0"},
		"--kills -1: use 1 or more, or 0 for no limit": {"--kills", "-1"},
		"--duration -5s: use a duration like 5m":       {"--duration", "-5s"},
		"be killed":                                    {"--kills", "1", "--processes", "0"},
		"nobody":                                       {"--processes", "0", "--threads", "0"},
		"needs --out":                                  {"--resume"},
		"unknown flag":                                 {"--processors", "1"},
		"--state S04":                                  {"S04"},
	} {
		code, _, errOut := call(append([]string{"stress"}, args...)...)
		if code != exitUsage || !strings.Contains(errOut, says) {
			t.Errorf("%v: status %d: %s", args, code, errOut)
		}
	}
	if code, _, errOut := call(workerCommand, "{}"); code != exitRed ||
		!strings.Contains(errOut, "assignment") {
		t.Errorf("a worker without a run: status %d: %s", code, errOut)
	}
}

// TestStress_EngineOfState: the letter of a state names its engine; a bare number, or what names no state,
// does not.
func TestStress_EngineOfState(t *testing.T) {
	for state, want := range map[string]string{"": "x", "4": "x", "04": "x", "Q1": "x", "S04": "hopscotch",
		"m01": "shardmap", "C01GetReuse": "basket", "B02": "slots"} {
		if got := engineOfState(state, "x"); got != want {
			t.Errorf("%q is of %q, want %q", state, got, want)
		}
	}
}

// TestStress_HelpOfLimits: who asks for a second is told that it will be more.
func TestStress_HelpOfLimits(t *testing.T) {
	_, out, _ := call("stress", "--help")
	for _, flag := range []string{"--duration", "--operations", "--kills"} {
		said := false
		for line := range strings.Lines(out) {
			said = said || strings.Contains(line, flag+" ") &&
				strings.Contains(line, "but run each state once")
		}
		if !said {
			t.Errorf("%s is not said to wait for each state", flag)
		}
	}
}

// TestStress_NowhereToWrite: what could not be kept is not begun. The bound of ten minutes is for the
// run that must not be: it ends the test.
func TestStress_NowhereToWrite(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "figures")
	if err := os.WriteFile(file, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	for out, says := range map[string][]string{
		filepath.Join(file, "stress.json"): {" cannot be written: ", "not a directory",
			"make its folder writable"},
		folder: {" cannot be written: it is a folder", "name a file in it"},
		file:   {" is no file of figures, and would be lost", "name another one"},
	} {
		code, text, errOut := call("stress", "--root", "../..", "--duration", "10m", "--out", out)
		if code != exitRed || text != "" || !strings.Contains(errOut, "--out: "+out+says[0]) {
			t.Errorf("status %d: %s%s", code, text, errOut)
		}
		for _, s := range says {
			if !strings.Contains(errOut, s) {
				t.Errorf("%q does not say %q", errOut, s)
			}
		}
		if strings.Contains(errOut, "seed") {
			t.Errorf("a run has begun: %s", errOut)
		}
	}
	if got, err := os.ReadDir(folder); err != nil || len(got) != 1 { // and no lock
		t.Errorf("the folder has %v, %v", got, err)
	}
	if text, err := os.ReadFile(file); string(text) != "kept" {
		t.Errorf("the file has %q, %v", text, err)
	}
}

// TestVolumeRecord is the canary of the link: what is wrong, undecided, not seen or not killed does
// not pass.
func TestVolumeRecord(t *testing.T) {
	const state = "S06AddCollisionGet"
	f := stressFlags{state: "S06", processes: 4, threads: 6, perRound: 2, marks: 1, seed: 9}
	good := stress.StateReport{State: state, Marks: 5, Windows: 3, Operations: 100, Kills: 7}
	type report = stress.StateReport
	with := func(change func(*stress.StateReport)) *stress.Report {
		s := good
		change(&s)
		return &stress.Report{Seed: 9, States: []*stress.StateReport{&s}}
	}
	for name, c := range map[string]struct {
		r      *stress.Report
		status evidence.Status
		says   string
	}{
		"good":        {with(func(*report) {}), evidence.Pass, "survivors"},
		"not seen":    {with(func(s *report) { s.Marks = 0 }), evidence.Fail, "mark not seen"},
		"wrong":       {with(func(s *report) { s.Faults = []string{"bad"} }), evidence.Fail, "bad"},
		"undecided":   {with(func(s *report) { s.Undecided = []string{"long"} }), evidence.Unknown, "long"},
		"not run":     {with(func(s *report) { s.Windows = 0 }), evidence.Unknown, "not run"},
		"nobody dead": {with(func(s *report) { s.Kills = 0 }), evidence.Unknown, "killed"},
		"other state": {&stress.Report{}, evidence.Unknown, "other states"},
		"differs": {&stress.Report{Faults: []string{"two results"}, States: []*stress.StateReport{&good}},
			evidence.Fail, "two results"},
	} {
		rec := volumeRecord(state, c.r, f)
		if rec.Status != c.status || !strings.Contains(strings.Join(rec.Detail, "\n"), c.says) {
			t.Errorf("%s: %s: %v", name, rec.Status, rec.Detail)
		}
	}
	if rec := volumeRecord(state, with(func(*report) {}), f); rec.Figure != 5 || rec.Seed != 9 ||
		rec.Command != "samecycle stress --seed 9 --processes 4 --threads 6 --deaths 2 --state S06 "+
			"--marks 1" {
		t.Errorf("%+v", rec)
	}
}
