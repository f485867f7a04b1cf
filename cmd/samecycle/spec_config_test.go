//go:build !explore

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestSpecConfig: the configuration of a run is printed as TLC gets it, with where its parts come from.
func TestSpecConfig(t *testing.T) {
	code, out, errOut := call("spec", "--root", repositoryRoot, "--config", "Written_M08CleanupPut")
	if code != exitOK {
		t.Fatalf("status %d\n%s", code, errOut)
	}
	for _, line := range []string{
		`\* Written_M08CleanupPut, a must-fail run of the module MCShardMap in spec/tla/shardmap.`,
		`\* 1. Phase 1 collects key 1, value 10. 2. A put stores 11. 3. Phase 2 erases 11.`,
		`SPECIFICATION Spec \* map`, `Program = "M08CleanupPut" \* state`,
		`Check = "nothing" \* Written_M08CleanupPut`, `S1FreshStays \* Written_M08CleanupPut`,
	} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), line) {
			t.Errorf("it does not say %s:\n%s", line, out)
		}
	}
	code, out, errOut = call("spec", "--root", repositoryRoot, "--config", "M10CursorWrap_Four", "--json")
	var c configOutput
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != exitOK || c.Module != "MCShardMap" ||
		!strings.HasPrefix(c.Configuration, "SPECIFICATION FairSpec\nCONSTANTS\n  Program = ") {
		t.Errorf("status %d, %v: %s%s", code, err, out, errOut)
	}
	for _, x := range []struct{ names, says string }{
		{"Gone", `run "Gone" is not in the manifest; list them: samecycle spec --list`},
		{"M09", "M09 is a state with several runs: name one of Bug_M09Flag, M09TwoCleanups, "},
		{"", "--config wants the name of one run, not 0; list them"},
		{"M09TwoCleanups M10CursorWrap", "the name of one run, not 2"},
		{"M09TwoCleanups --trace", "--config prints a configuration and runs nothing: leave out"},
	} {
		args := append([]string{"spec", "--root", repositoryRoot, "--config"}, strings.Fields(x.names)...)
		if code, _, errOut := call(args...); code != exitUsage || !strings.Contains(errOut, x.says) {
			t.Errorf("%s: status %d, %s; want %q", x.names, code, errOut, x.says)
		}
	}
}
