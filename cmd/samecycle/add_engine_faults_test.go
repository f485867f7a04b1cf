//go:build !explore

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutantsOfCounter is what section 5 of the page wants for faults of the code, beside an empty list of
// equivalent ones.
const mutantsOfCounter = `// Package mutants says into which packages of the counter faults are seeded.
package mutants

import "github.com/samecycle/samecycle/internal/catalog"

// Mutation returns the registration of the mutants.
func Mutation() *catalog.Mutation {
	return &catalog.Mutation{
		Targets:    []catalog.MutationTarget{{Folder: "impl/counter", Searched: true}},
		Ledger:     "results/counter/mutants.json",
		Equivalent: "internal/catalog/counter/mutants/equivalent.txt",
	}
}
`

// faultsOfCode seeds faults into the code of the new engine, as section 5 of the page says, and wants each of
// them found. The engine has no deaths, and a search with kills says so.
func faultsOfCode(t *testing.T, root string) {
	t.Helper()
	text := runCopy(t, root, "explore", toyLetter+"01", "--kills", "1")
	if !strings.Contains(text, "leave kills out") || strings.Contains(text, "FAILURE") {
		t.Errorf("a search with kills of an engine without deaths:\n%s", text)
	}
	const register, folder = "scenarios/counter/register.go", "internal/catalog/counter/mutants/"
	put(t, root, folder+"mutants.go", mutantsOfCounter)
	put(t, root, folder+"equivalent.txt", "")
	with := strings.NewReplacer("\tmodel \"", "\t\"github.com/samecycle/samecycle/internal/catalog/counter/"+
		"mutants\"\n\tmodel \"", "\t\tSpecs: ", "\t\tMutation: mutants.Mutation(),\n\t\tSpecs: ").
		Replace(textOf(t, filepath.Join(root, filepath.FromSlash(register))))
	put(t, root, register, with)
	buildCopy(t, root)
	text = runCopy(t, root, "mutants", "--engine", "counter", "--out", "results/counter/mutants.json")
	if !strings.Contains(text, " 0 survived, 0 not covered, 0 unknown; outcomes in") ||
		strings.Contains(text, "mutants: 0 killed") {
		t.Errorf("faults of the code of the new engine:\n%s", text)
	}
}

// runCopy runs the program of the copy, and returns all that it prints, whatever its status.
func runCopy(t *testing.T, root string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(root, "bin", "samecycle"), args...)
	cmd.Dir = root
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(text)
}
