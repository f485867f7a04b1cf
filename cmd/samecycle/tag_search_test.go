//go:build explore

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	model "github.com/samecycle/samecycle/model/hopscotch"
)

// TestSearch_Strategies: each strategy runs, prints its seed first and says what it is worth.
func TestSearch_Strategies(t *testing.T) {
	root := repositoryWith(t)
	for line, want := range map[string]string{
		"--strategy pct --depth 2 --executions 200":     "PCT with depth d=2, n=2 actors",
		"--strategy uniform --executions 200 --kills 1": "accesses per actor: ",
		"--strategy plain --bound 1 --executions 200":   "at most 1 preemption",
		"--strategy portfolio --executions 800":         "covered: all schedules with at most ",
		"--strategy portfolio --executions 801":         "  pct 1      ",
		"--strategy reversing --executions 300":         "with a preference for orders not seen yet: ",
		"--coverage":                                    "pairs of conflicting accesses of two actors: ",
		"--strategy plain --coverage --executions 100":  "in one only:\n    2: [get(1)] at search_steps.go",
		"--bound 1 --kills 1 --solo 300":                "every live actor alone ended its operation within ",
		"--bound 1 --kills 1 --lock-free 300":           "lock-free: some operation ended within every ",
		"--bound 0": "\nnot covered: weak memory, races of plain memory, other programs and sizes, all " +
			"other schedules\n",
		// A search to the end leaves nothing to draw.
		"--strategy portfolio --time 5s --depth 1": "covered: all schedules of 2 programs; ",
		"--bound 1": "covered: all schedules with at most 1 preemption of 2 programs; up to 2 actors " +
			"with up to 1 operation each; no deaths; ",
		"--reduce": "covered: all schedules but for the order of independent steps of 2 programs; ",
		"--bound 1 --kills 1 --apart": "its own mapping; death of up to 1 of them, each from its " +
			"first step to its end; ",
		"--bound -1 --kills 1": "covered: all schedules of 2 programs; up to 2 actors with up to 1 " +
			"operation each; death of up to 1 actor, each after any step of its own; ",
	} {
		code, out, errOut := call(append(strings.Fields("explore S05 --seed 7 --root "+root),
			strings.Fields(line)...)...)
		if code != exitOK || !strings.Contains(out, want) || !strings.HasPrefix(errOut, "seed 7\n") {
			t.Errorf("%s: status %d, want %q\n%s%s", line, code, want, out, errOut)
		}
	}
}

// TestSearch_SameSeed: the seed decides what is drawn.
func TestSearch_SameSeed(t *testing.T) {
	draw := func(seed string) string {
		_, out, _ := call("explore", "S05", "--strategy", "plain", "--executions", "60", "--tokens",
			"--seed", seed, "--root", repositoryWith(t))
		return strings.ReplaceAll(out, "seed "+seed, "")
	}
	if a, b := draw("1"), draw("1"); a != b {
		t.Errorf("one seed, two results:\n%s%s", a, b)
	}
	if draw("1") == draw("2") {
		t.Error("two seeds, one result")
	}
}

// until calls then when the text has been written.
type until struct {
	bytes.Buffer
	text string
	then func()
}

func (u *until) Write(p []byte) (int, error) {
	n, err := u.Buffer.Write(p)
	if strings.Contains(u.String(), u.text) {
		u.then()
	}
	return n, err
}

// TestSearch_LongOne: a search that would take years says so first, and an interrupt ends it with
// a report of what was done.
func TestSearch_LongOne(t *testing.T) {
	root := repositoryWith(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var found bytes.Buffer
	told := &until{text: " years", then: cancel}
	line := []string{"explore", "S02", "--bound", "-1", "--stateless", "--root", root}
	code := run(ctx, &app{out: &found, err: told}, line)
	if code != exitInterrupted || !strings.Contains(told.String(), told.text) ||
		!strings.Contains(found.String(), "NOT FINISHED") ||
		!strings.Contains(found.String(), "part of the schedules of 1 program") {
		t.Errorf("status %d\n%s%s", code, found.String(), told.String())
	}
	code, out, errOut := call("explore", "S02", "--bound", "-1", "--stateless", "--time", "200ms", "--json",
		"--root", root)
	var all []exploration
	if err := json.Unmarshal([]byte(out), &all); err != nil || code != exitRed ||
		len(all) != len(model.ProgramsOf("S02AddCollision")) ||
		all[3].Exhaustive || all[3].Executions == 0 || all[3].Covered != aPart ||
		all[3].Estimate == nil || all[3].Estimate.Executions < 1e12 ||
		!strings.Contains(errOut, "the limit of 200ms ends it before it is complete") {
		t.Errorf("status %d, %v\n%s%s", code, err, out, errOut)
	}
}

// TestSearch_NoEstimate: a search that joins states, or leaves out equivalent executions, ends after a part
// of them which nobody knows before. It announces nothing, and no year.
func TestSearch_NoEstimate(t *testing.T) {
	root := repositoryWith(t)
	for _, flags := range []string{"", "--bound -1", "--reduce", "--kills 1",
		"--time 1h --executions 1000000"} {
		line := append([]string{"explore", "S05", "--json", "--root", root}, strings.Fields(flags)...)
		code, out, errOut := call(line...)
		if code != exitOK || strings.Contains(out+errOut, "estimate") || strings.Contains(errOut, "year") {
			t.Errorf("%q: status %d\n%s%s", line, code, out, errOut)
		}
	}
}

// TestSearch_EstimateHolds: a search has about as many executions as it announces.
func TestSearch_EstimateHolds(t *testing.T) {
	root := repositoryWith(t)
	for _, bound := range []string{"2", "3"} {
		code, out, errOut := call("explore", "S05", "--bound", bound, "--stateless", "--seed", "3", "--json",
			"--root", root)
		var all []exploration
		if err := json.Unmarshal([]byte(out), &all); err != nil || code != exitOK || len(all) == 0 {
			t.Fatalf("status %d, %v\n%s%s", code, err, out, errOut)
		}
		for _, e := range all {
			x := e.Estimate
			if x == nil || math.Abs(x.Executions-float64(e.Executions)) > 4*x.StdErr+1 ||
				!strings.Contains(errOut, "estimate: about ") || strings.Contains(errOut, "limit of") {
				t.Errorf("%s: %d executions, estimate %+v\n%s", e.Program, e.Executions, x, errOut)
			}
		}
	}
}

// TestSearch_DrawnAndInterrupted: there is no end to reach, and still it has not done what was asked for.
func TestSearch_DrawnAndInterrupted(t *testing.T) {
	root := repositoryWith(t)
	for _, strategy := range []string{"pct", "uniform", "portfolio"} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		var found, told bytes.Buffer
		code := run(ctx, &app{out: &found, err: &told}, []string{"explore", "S02", "--strategy", strategy,
			"--executions", "1000000000", "--root", root})
		cancel()
		if code != exitInterrupted || !strings.Contains(found.String(), "NOT FINISHED") {
			t.Errorf("%s: status %d\n%s%s", strategy, code, found.String(), told.String())
		}
	}
}

// TestSearch_Checkpoint: the same command goes on where it was stopped, and counts the same; a file
// of another search is refused with what to do.
func TestSearch_Checkpoint(t *testing.T) {
	root, folder := repositoryWith(t), t.TempDir()
	line := []string{"explore", "S05", "--bound", "-1", "--kills", "1", "--seed", "1", "--root", root}
	code, whole, errOut := call(line...)
	if code != exitOK {
		t.Fatalf("status %d\n%s", code, errOut)
	}
	saved := append(line, "--checkpoint", folder)
	code, out, errOut := call(append(saved, "--executions", "300")...)
	if code != exitRed || !strings.Contains(out, "NOT FINISHED") {
		t.Errorf("stopped: status %d\n%s%s", code, out, errOut)
	}
	if code, out, errOut = call(saved...); code != exitOK || out != whole {
		t.Errorf("resumed: status %d\n%s%s\nwant\n%s", code, out, errOut, whole)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*.checkpoint"))
	if len(files) != 2 { // S05 with homes apart, and with near ones
		t.Fatalf("files %v", files)
	}
	if err := os.WriteFile(files[0], []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut = call(saved...); code != exitRed ||
		!strings.Contains(errOut, "name another file or delete it") {
		t.Errorf("foreign file: status %d\n%s", code, errOut)
	}
}

// TestSearch_Obstruction: a limit that no implementation can hold is red, and its token leads to the
// same verdict.
func TestSearch_Obstruction(t *testing.T) {
	root := repositoryWith(t)
	for _, flag := range []string{"--solo", "--lock-free"} {
		code, out, errOut := call("explore", "S05", "--bound", "0", flag, "3", "--json", "--root", root)
		var all []exploration
		if err := json.Unmarshal([]byte(out), &all); err != nil || code != exitRed || all[0].Failure == nil {
			t.Fatalf("status %d, %v\n%s%s", code, err, out, errOut)
		}
		want := all[0].Failure
		code, out, errOut = call("replay", want.Token, "--root", root)
		if code != exitRed || !strings.Contains(out, want.Message) {
			t.Errorf("%s: status %d, want %q\n%s%s", flag, code, want.Message, out, errOut)
		}
	}
}

func TestCounts_EndWithTheLast(t *testing.T) {
	for want, m := range map[string]map[string]uint64{
		"none": nil, "S01 2": {"S01": 2}, "S01 2  S04 1": {"S04": 1, "S01": 2},
	} {
		if got := counts(m); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
