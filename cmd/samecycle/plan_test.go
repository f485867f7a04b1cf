package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
)

// TestCheck_OutdatedProgram: a program that is not of the files of now judges nothing, whatever the link, and
// leaves records that are green as they are.
func TestCheck_OutdatedProgram(t *testing.T) {
	for _, link := range []string{"spec", "model", "mutants"} {
		ran := 0
		root := repositoryWith(t, testLink{link, func(_ evidence.Env, s catalog.State) evidence.Record {
			ran++
			return evidence.Record{State: s.ID, Status: evidence.Pass, Figure: 1, Unit: "runs", Bound: "one",
				Command: "c"}
		}})
		put(t, root, "cmd/samecycle/main.go", "package main\n\nfunc main() {}\n")
		judgingProgram = filepath.Join(t.TempDir(), "judge")
		t.Cleanup(func() { judgingProgram = "" })
		build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", judgingProgram,
			"./cmd/samecycle")
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if code, out, errOut := call("check", "--root", root); code != exitOK || ran != 2 {
			t.Fatalf("%s: status %d, %d runs\n%s%s", link, code, ran, out, errOut)
		}
		record := evidence.Path(root, "hopscotch", link, "S01AddEmpty")
		before, err := os.ReadFile(record)
		if err != nil {
			t.Fatal(err)
		}
		put(t, root, "cmd/samecycle/main.go", "package main\n\nfunc main() { println() }\n")
		code, out, errOut := call("check", "--all", "--root", root)
		for _, want := range []string{"nothing was judged", "make build"} {
			if code != exitRed || !strings.Contains(errOut, want) {
				t.Errorf("%s: status %d, want %q\n%s%s", link, code, want, out, errOut)
			}
		}
		after, err := os.ReadFile(record)
		if ran != 2 || err != nil || string(after) != string(before) {
			t.Errorf("%s: %d runs, %v; the record is now\n%s", link, ran, err, after)
		}
		if code, _, errOut = call("check", "--root", root); code != exitOK || ran != 2 {
			t.Errorf("%s: with nothing to run it is status %d, %d runs: %s", link, code, ran, errOut)
		}
	}
}

// TestCheck_RunsWhatIsNotGreen: check keeps what is green and of the files of now; --all runs it again.
func TestCheck_RunsWhatIsNotGreen(t *testing.T) {
	var ran []string
	fail := "S04AddCollisionEmpty"
	root := repositoryWith(t, testLink{"model", func(_ evidence.Env, s catalog.State) evidence.Record {
		ran = append(ran, s.ID[:3])
		r := evidence.Record{State: s.ID, Status: evidence.Pass, Figure: 1, Unit: "runs", Bound: "one",
			Command: "c"}
		if s.ID == fail {
			r.Status, r.Detail = evidence.Fail, []string{"wrong"}
		}
		return r
	}})
	for _, c := range []struct {
		what, args string
		do         func()
		want, says string
		code       int
	}{
		{"no record", "check", func() {}, "S01 S04", "running 2 cells of 1 link", exitRed},
		{"a failure", "check", func() {}, "S04", "keeping 1 that", exitRed},
		{"repaired", "check", func() { fail = "" }, "S04", "keeping 1 that", exitOK},
		{"all green", "check", func() {}, "", "nothing to run: 2 cells green", exitOK},
		{"--all", "check --all", func() {}, "S01 S04", "running 2 cells", exitOK},
		{"one state", "check --all --state S04", func() {}, "S04", "running 1 cell", exitOK},
		{"two states", "check --all --state S04,S01 --link spec,model", func() {}, "S01 S04",
			"running 2 cells", exitOK},
		{"a missing record", "check", func() {
			if err := os.Remove(evidence.Path(root, "hopscotch", "model", "S01AddEmpty")); err != nil {
				t.Fatal(err)
			}
		}, "S01", "keeping 1 that", exitOK},
		{"stale", "check", func() { put(t, root, "judged.txt", "another") }, "S01 S04",
			"running 2 cells", exitOK},
	} {
		ran = nil
		c.do()
		code, out, errOut := call(append(strings.Fields(c.args), "--root", root)...)
		got := strings.Join(ran, " ")
		if got != c.want || code != c.code || !strings.Contains(errOut, c.says) {
			t.Errorf("%s: ran %q, status %d, want %q, %d and %q\n%s%s", c.what, got, code, c.want, c.code,
				c.says, out, errOut)
		}
	}
}

// TestEstimate: what runs beside one another counts once, as long as the longer lane, and what is alone comes
// on top; of a link that has not run here before no time is told.
func TestEstimate(t *testing.T) {
	root := t.TempDir()
	c := &checkRun{env: evidence.Env{Root: root}}
	engine := &catalog.Engine{Name: "toy"}
	states := []catalog.State{{ID: "T01One"}, {ID: "T02Two"}}
	for _, link := range []string{"spec", "model", "engine", "histories", "volume"} {
		c.jobs = append(c.jobs, job{engine, testLink{link, nil}, states})
	}
	put(t, root, "bin/durations-toy.json", `{"spec":{"seconds":20,"cells":4},"model":{"seconds":5,"cells":1},
		"engine":{"seconds":60,"cells":2},"histories":{"seconds":1,"cells":1}}`)
	const order = "toy spec, toy model; beside them toy engine, toy histories; then alone toy volume; "
	if got := c.estimate(); got != order+"how long it takes is not known: toy volume has not run on this "+
		"machine before" {
		t.Errorf("with an unknown link: %q", got)
	}
	put(t, root, "bin/durations-toy.json", `{"spec":{"seconds":20,"cells":4},"model":{"seconds":5,"cells":1},
		"engine":{"seconds":60,"cells":2},"histories":{"seconds":1,"cells":1},
		"volume":{"seconds":8,"cells":1}}`)
	if got := c.estimate(); got != order+"about 1m18s, by the last runs" {
		t.Errorf("all known: %q", got)
	}
	c.jobs = c.jobs[4:]
	if got := c.estimate(); got != "toy volume; about 16s, by the last runs" {
		t.Errorf("one link: %q", got)
	}
}
