package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/mutate"
)

// mutationOf is what an engine registers of its mutants.
func mutationOf(e *harness.Engine) (*mutate.Engine, error) {
	return mutate.NewEngine(e.Name, e.Mutation, mutate.Programs{Deaths: e.Deaths(), Drawn: e.Drawn != nil})
}

// resolve finds what --engine names.
func (f mutantFlags) resolve() (*harness.Engine, *mutate.Engine, error) {
	e, ok := mutableByName(f.engine)
	if !ok {
		return nil, nil, fmt.Errorf("--engine %q: use one of %s", f.engine,
			strings.Join(mutableEngines(), ", "))
	}
	m, err := mutationOf(e)
	if err != nil {
		return nil, nil, fmt.Errorf("--engine %s: %w", f.engine, err)
	}
	return e, m, nil
}

// mutableEngines are the names of those that register packages whose mutants are judged.
func mutableEngines() (names []string) {
	for _, e := range mutables() {
		if e.Mutation != nil {
			names = append(names, e.Name)
		}
	}
	return names
}

// targetFolders names the packages whose mutants are judged, of each engine.
func targetFolders() string {
	var list []string
	for _, e := range mutables() {
		if m, err := mutationOf(e); err == nil {
			list = append(list, "  "+e.Name+": "+m.Folders())
		}
	}
	return strings.Join(list, "\n")
}

// ledgerInputs are the files that decide the outcome of a mutant of the engine. Behind the exclusion, tests
// count: those of the packages and of the scenarios are judges.
func ledgerInputs(of *harness.Engine, e *mutate.Engine) []string {
	list := []string{"internal/mutate/**", "internal/hook/*.go", "internal/catalog/*.go",
		"internal/history/*.go", "!*_test.go", "internal/seam/*.go", "explore/*.go", "harness/*.go"}
	if !programless(of) {
		list = append(list, "model/"+e.Name+"/*.go", "linearizability/*.go")
	}
	for _, folder := range e.Judges() {
		if programless(of) && strings.HasPrefix(folder, "scenarios/") {
			continue // there are none
		}
		list = append(list, folder+"/*.go")
	}
	return list
}

// judgedCommit is the last commit that touched what the verdicts rest on: the inputs, and whatever else the
// packages and their tests are made of.
func judgedCommit(ctx context.Context, root string, e *mutate.Engine, inputs []string) (string, error) {
	var scope closure.Scope
	for _, t := range e.Targets() {
		scope.Packages = append(scope.Packages, t.Dir)
		scope.Files = append(scope.Files, t.Dir+"/*_test.go")
	}
	code, err := closure.Open(root).Of(ctx, scope, "")
	if err != nil {
		return "", err
	}
	return evidence.CommitOf(root, slices.Concat(inputs, code.Files())), nil
}
