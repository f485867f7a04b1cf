//go:build explore

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/scenarios/engines"
)

// TestReplayReal runs tokens of a search by processes of the built program, and refuses what does not go
// with it.
func TestReplayReal(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "samecycle")
	out, err := exec.Command("go", "build", "-tags", "explore", "-o", bin, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(bin, args...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	var found []exploration
	text := run("explore", "S12", "--bound", "1", "--kills", "1", "--apart", "--json")
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		t.Fatal(err)
	}
	for outcome, token := range found[0].Tokens {
		if !strings.Contains(outcome, "killed") {
			continue
		}
		var done enacted
		if err := json.Unmarshal([]byte(run("replay", token, "--real", "--json")), &done); err != nil {
			t.Fatal(err)
		}
		if done.Processes != 2 || done.Deaths != 1 || done.Accesses == 0 || done.Differs != "" {
			t.Errorf("%s: %+v", outcome, done)
		}
		if text := run("replay", token, "--real"); !strings.Contains(text, "2 real processes, 1 killed") {
			t.Errorf("%s: %s", outcome, text)
		}
		code, _, errOut := call("replay", token, "--real", "--minimise")
		if code != exitUsage || !strings.Contains(errOut, "without --real") {
			t.Errorf("--real --minimise: status %d, %q", code, errOut)
		}
		return
	}
	t.Error("no token with a death")
}

// TestReplay_RealOfGoroutines: a program whose actors are goroutines has no processes, and the error says so.
func TestReplay_RealOfGoroutines(t *testing.T) {
	e, ok := engines.ByName("shardmap")
	if !ok {
		t.Fatal("no such engine")
	}
	p, _ := e.ProgramByName("M08CleanupPut")
	rep, err := p.Explore(harness.Options{})
	if err != nil || len(rep.Tokens) == 0 {
		t.Fatal(err, len(rep.Tokens))
	}
	for _, token := range rep.Tokens {
		code, _, errOut := call("replay", token, "--real")
		if code != exitUsage || !strings.Contains(errOut, "M08CleanupPut are goroutines") {
			t.Errorf("status %d, %q", code, errOut)
		}
	}
}
