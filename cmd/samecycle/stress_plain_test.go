//go:build !explore

package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/stress"
)

// TestStress_Resumes runs goroutines for a moment, and goes on from the file. In the explorer's build
// stress would build the plain program and start that.
func TestStress_Resumes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "stress.json")
	args := []string{"stress", "--root", "../..", "--state", "S02", "--processes", "0", "--threads", "4",
		"--operations", "1", "--out", out, "--json"}
	var last uint64
	for batch := 1; batch <= 2; batch++ {
		code, text, errOut := call(args...)
		var r stress.Report
		if err := json.Unmarshal([]byte(text), &r); err != nil || code != exitOK {
			t.Fatalf("status %d, %v: %s%s", code, err, text, errOut)
		}
		if strings.Contains(text, `"faults": null`) || strings.Contains(text, `"undecided": null`) {
			t.Errorf("a list with nothing in it is null: %s", text)
		}
		if !strings.HasPrefix(errOut, "seed 1\n") {
			t.Errorf("the seed does not come first: %s", errOut)
		}
		if r.Done != batch || r.States[0].Operations <= last {
			t.Errorf("batch %d: %d done, %d operations after %d", batch, r.Done, r.States[0].Operations, last)
		}
		last = r.States[0].Operations
		args = append(args, "--resume")
	}
	for flag, values := range map[string]string{"--seed 2": "--seed 1", "--processes 1": "--processes 0",
		"--threads 3": "--threads 4"} {
		code, _, errOut := call(append(args, strings.Fields(flag)...)...)
		want := "was made with " + values + ", and this is " + flag + ": "
		if code != exitRed || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d: %s, want %q", flag, code, errOut, want)
		}
	}
	if err := continues(out, true, "samecycle stress --deaths 2", "samecycle stress --deaths 1"); err == nil {
		t.Error("another number of deaths continues")
	}
	if err := os.WriteFile(out, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut := call(args...); code != exitRed || !strings.Contains(errOut, "no file of figures") {
		t.Errorf("a damaged file: status %d: %s", code, errOut)
	}
}

// TestStress_Interrupted: what was done until then is told, and that it ended by an interrupt.
func TestStress_Interrupted(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errInterrupted)
	code, out, errOut := callWith(ctx, "stress", "--state", "S01", "--processes", "0", "--root",
		repositoryRoot)
	if code != exitInterrupted || !strings.Contains(out, "ended: interrupted\n") {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
}
