package main

import (
	"strings"
	"testing"
)

// repositoryRoot is this repository, seen from the package's folder.
const repositoryRoot = "../.."

func TestMutants_RefusesBadFlags(t *testing.T) {
	for want, args := range map[string][]string{
		"--limit -1":          {"--limit", "-1"},
		"--workers 0":         {"--workers", "0"},
		"--filter":            {"--filter", "("},
		"leave out --filter":  {"--filter", "a", "--only", "b"},
		"no mutant":           {"--filter", "^nowhere$", "--root", repositoryRoot},
		"no mutant has such ": {"--only", "add.go:nobody#1 literal", "--root", repositoryRoot},
	} {
		code, _, errOut := call(append([]string{"mutants"}, args...)...)
		if code != exitUsage || !strings.Contains(errOut, want) {
			t.Errorf("%v: exit %d, want %d and %q:\n%s", args, code, exitUsage, want, errOut)
		}
	}
}

func TestMutants_List(t *testing.T) {
	code, out, errOut := call("mutants", "--root", repositoryRoot, "--list", "--filter", "cell.updateSwap")
	if code != exitOK || !strings.Contains(out, "update.go:cell.updateSwap#1 cas-to-store (line ") {
		t.Errorf("exit %d:\n%s%s", code, out, errOut)
	}
	code, all, _ := call("mutants", "--root", repositoryRoot, "--list", "--json", "--limit", "3", "--all",
		"--filter", "^check.go:checker.enough")
	if code != exitOK || strings.Count(all, `"Name"`) != 3 {
		t.Errorf("exit %d, want three:\n%s", code, all)
	}
	code, out, _ = call("mutants", "--root", repositoryRoot, "--list", "--filter", "^check.go")
	if code == exitOK {
		t.Errorf("files that only report are for --all:\n%s", out)
	}
}
