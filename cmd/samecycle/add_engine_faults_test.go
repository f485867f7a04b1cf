//go:build !explore

package main

import (
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
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

// plainMemory gives the engine a race of plain memory, which no exploration sees: lint finds it, and so does
// the test of the engine with the race detector of Go, which finds nothing in the engine as it is.
func plainMemory(t *testing.T, root string, tree fstest.MapFS) {
	t.Helper()
	const file = "impl/counter/counter.go"
	text := textOf(t, filepath.Join(root, filepath.FromSlash(file)))
	fault := strings.NewReplacer("struct{ word seam.Uint64 }",
		"struct {\n\tword seam.Uint64\n\tlast uint64\n}",
		"return seen + 1", "c.last = seen + 1\n\t\t\treturn c.last").Replace(text)
	with := maps.Clone(tree)
	with[file] = &fstest.MapFile{Data: []byte(fault)}
	if found := nameFindings(t, with); len(found) != 1 ||
		!strings.HasPrefix(found[0], file+":16: Increment writes last, plain memory") {
		t.Errorf("of a race of plain memory lint finds %q", found)
	}
	t.Run("race", func(t *testing.T) {
		if cgo, err := exec.CommandContext(t.Context(), "go", "env", "CGO_ENABLED").Output(); err != nil ||
			strings.TrimSpace(string(cgo)) != "1" {
			t.Skip("NOT RUN: the race detector of Go needs a C compiler: install one")
		}
		judge := func() (string, error) {
			cmd := exec.CommandContext(t.Context(), "go", "test", "-race", "./impl/counter")
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		if out, err := judge(); err != nil {
			t.Errorf("the test of the engine with -race: %v\n%s", err, out)
		}
		put(t, root, file, fault)
		if out, err := judge(); err == nil || !strings.Contains(out, "DATA RACE") {
			t.Errorf("with a race of plain memory: %v\n%s", err, out)
		}
		put(t, root, file, text)
	})
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
