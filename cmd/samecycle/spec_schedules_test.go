//go:build !explore

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
)

// TestSchedules_AreOfRuns: each schedule of the specification is of a run that violates a property, or
// of a mutant.
func TestSchedules_AreOfRuns(t *testing.T) {
	folders, err := schedulings(repositoryRoot, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) != 2 || len(folders[0].mutants) < 100 || len(folders[1].entries) < 40 {
		t.Fatalf("%d folders have schedules", len(folders))
	}
	for _, s := range folders {
		names := map[string]bool{}
		for _, e := range s.entries {
			names[e.Name] = true
		}
		for _, x := range s.mutants {
			names[x.Name] = true
		}
		for name := range s.schedules.Moves {
			if !names[name] {
				t.Errorf("%s: %s is neither: samecycle spec --schedules takes it out", s.dir, name)
			}
		}
		if len(s.schedules.Moves) < 20 {
			t.Errorf("%s has %d schedules", s.dir, len(s.schedules.Moves))
		}
	}
}

func TestSpecSchedules_Refuses(t *testing.T) {
	for line, says := range map[string]string{
		"--schedules Bug_Gone":           "Bug_Gone is no run that violates a property, and no mutant",
		"--schedules S04":                "S04 is no run that violates",
		"--schedules S01AddEmpty":        "S01AddEmpty is no run that violates",
		"--schedules --list":             "leave out --list",
		"--schedules --large":            "leave out --list, --table, --large",
		"--schedules --update Bug_FixFr": "leave out --list, --table, --large, --update",
	} {
		args := append([]string{"spec", "--root", repositoryRoot}, strings.Fields(line)...)
		code, out, errOut := call(args...)
		if code != exitUsage || out != "" || !strings.Contains(errOut, says) {
			t.Errorf("%s: status %d, want %q:\n%s%s", line, code, says, out, errOut)
		}
	}
}

// TestSpecSchedules_Writes: a run and a mutant that are named are searched, what is found is written, and
// the others' schedules stay. Then the run takes the schedule.
func TestSpecSchedules_Writes(t *testing.T) {
	samestates.Tool(t)
	root := repositoryWith(t)
	dir := filepath.Join(root, specDir)
	spec := os.DirFS(filepath.Join(repositoryRoot, "spec"))
	if err := os.CopyFS(filepath.Join(root, "spec"), spec); err != nil {
		t.Fatal(err)
	}
	before := tlc.Schedules{Local: "loc",
		Moves: map[string]string{"Bug_FixRetry": "1", "Bug_FixFrozenValue": "12"}}
	if err := before.Save(dir); err != nil {
		t.Fatal(err)
	}
	runs := []string{"Bug_FixFrozenValue", "SearchVersionUnchecked"}
	code, out, errOut := call(append([]string{"spec", "--root", root, "--json", "--schedules"}, runs...)...)
	lines := asJSON[[]specLine](t, out)
	if code != exitOK || len(lines) != 2 || lines[0].Name != runs[0] || lines[1].Name != runs[1] ||
		lines[0].Distinct < 1500 || lines[1].Status != "pass" {
		t.Fatalf("status %d, %+v\n%s", code, lines, errOut)
	}
	after, err := tlc.LoadSchedules(dir)
	if err != nil || after.Moves["Bug_FixRetry"] != "1" || len(after.Moves) != 3 {
		t.Fatalf("%v, %+v", err, after)
	}
	for i, name := range runs {
		if lines[i].Scheduled {
			t.Errorf("%s is searched along its schedule: %+v", name, lines[i])
		}
		if n := len(after.Moves[name]); n+1 != lines[i].Depth || n != len(lines[i].Trace)-1 ||
			!strings.Contains(errOut, name+": ") {
			t.Errorf("%s: %q, a counterexample in depth %d\n%s", name, after.Moves[name],
				lines[i].Depth, errOut)
		}
	}
	code, out, errOut = call("spec", "--root", root, "--json", runs[0])
	if code != exitOK || !strings.Contains(errOut, "I12ResultsAllowed is violated in ") ||
		!strings.Contains(errOut, " steps, by its schedule") ||
		!asJSON[[]specLine](t, out)[0].Scheduled {
		t.Errorf("status %d:\n%s%s", code, out, errOut)
	}
	after.Moves[runs[0]] = "2"
	if err := after.Save(dir); err != nil {
		t.Fatal(err)
	}
	code, _, errOut = call("spec", "--root", root, runs[0])
	says := "its schedule leads there no more: samecycle spec --schedules " + runs[0]
	if code != exitOK || !strings.Contains(errOut, says) {
		t.Errorf("status %d, want %q:\n%s", code, says, errOut)
	}
}

// TestSpec_TracesAreTheResult: what was asked for is on the standard output, with its name, and the lines of
// progress are not.
func TestSpec_TracesAreTheResult(t *testing.T) {
	const name = "Owner_Witness_ComesBy"
	code, out, errOut := call("spec", "--trace", name, "--root", "../..")
	first, rest, _ := strings.Cut(out, "\n")
	if code != exitOK || !strings.HasPrefix(first, name+": as it must: ") ||
		!strings.Contains(first, " is violated in ") || !strings.Contains(rest, "Initial predicate") ||
		!strings.Contains(rest, "ProcessClearState") || strings.Contains(errOut, "Initial predicate") ||
		strings.Count(rest, `/\ `) == 0 || strings.Contains(rest[strings.Index(rest, "\n   2  "):], `/\ `) ||
		!strings.Contains(errOut, "as it must: ") {
		t.Errorf("status %d\n%.300s\n%.300s", code, out, errOut)
	}
	if code, _, _ := call("spec", name, "--root", "../.."); code != exitOK {
		t.Errorf("status %d", code)
	}
}
