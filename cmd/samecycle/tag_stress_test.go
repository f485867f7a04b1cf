//go:build explore

package main

import (
	"strings"
	"testing"
)

// TestStress_SaysThatItBuilds: in the explorer's build stress builds the program that ships before it
// starts, which takes a while, and says so at once. Without Go it ends there.
func TestStress_SaysThatItBuilds(t *testing.T) {
	t.Setenv("PATH", "")
	code, out, errOut := call("stress", "--root", repositoryRoot, "--duration", "1s")
	if code != exitRed || out != "" || !strings.HasPrefix(errOut, "building the program that ships") ||
		!strings.Contains(errOut, "install Go") {
		t.Errorf("status %d: %s%s", code, out, errOut)
	}
}
