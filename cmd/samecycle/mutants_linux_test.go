package main

import (
	"strings"
	"testing"
)

// TestMutants_NowhereToWrite: what could not be kept is not begun. Nobody makes a file in the
// folder, which only Linux has.
func TestMutants_NowhereToWrite(t *testing.T) {
	const out = "/proc/self/mutants.json"
	code, text, errOut := call("mutants", "--root", repositoryRoot, "--only",
		"update.go:cell.updateSwap#1 cas-to-store", "--out", out)
	if code != exitRed || text != "" || !strings.Contains(errOut, "--out: "+out+" cannot be written: ") ||
		!strings.Contains(errOut, "make its folder writable") {
		t.Errorf("exit %d: %s%s", code, text, errOut)
	}
}
