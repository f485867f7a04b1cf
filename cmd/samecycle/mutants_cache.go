package main

import (
	"os"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	cache "github.com/samecycle/samecycle/internal/catalog/cache/mutants"
	"github.com/samecycle/samecycle/internal/mutate"
	"github.com/samecycle/samecycle/scenarios/engines"
)

// cacheCode is the public interface of the cache. No scenario is about it and no cell of the matrix has it,
// so it is none of the engines. Its mutants are judged like theirs, by its tests alone.
func cacheCode() *harness.Engine {
	return &harness.Engine{Engine: &catalog.Engine{Name: "cache"}, Mutation: cache.Mutation()}
}

// mutables is all code whose mutants are judged, by the names that --engine takes.
func mutables() []*harness.Engine { return append(engines.All(), cacheCode()) }

// mutableByName is the one of that name.
func mutableByName(name string) (*harness.Engine, bool) {
	all := mutables()
	i := slices.IndexFunc(all, func(e *harness.Engine) bool { return e.Name == name })
	if i < 0 {
		return nil, false
	}
	return all[i], true
}

// programless reports whether no program judges the mutants of an engine.
func programless(e *harness.Engine) bool {
	return !slices.ContainsFunc(e.Mutation.Targets, func(t catalog.MutationTarget) bool { return t.Searched })
}

// judgeBriefly tells the tests that a judge runs from their beginning, also those that are run once without a
// mutant: tests of a package may then take their short form, as those of impl/cache do.
func judgeBriefly() error {
	if os.Getenv(mutate.EnvMutant) != "" {
		return nil
	}
	return os.Setenv(mutate.EnvMutant, "0")
}

// withoutPrograms is the page of an engine of which no program searches anything: it leaves out the judges
// that are programs, and what is said of them.
func withoutPrograms(page string) string {
	lines := strings.SplitAfter(page, "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool {
		return strings.HasPrefix(line, "- program") ||
			strings.HasPrefix(line, "The programs and the tests ") ||
			strings.HasPrefix(line, "These bounds are smaller than ")
	})
	const before = "## By operator\n"
	for i, line := range lines {
		if line == before {
			lines[i] = "No program of a scenario searches this code: its tests alone judge it, in their " +
				"short form. A mutant hangs when they have not ended in many times what they take without " +
				"it.\n\n" + before
		}
	}
	page = strings.Join(lines, "")
	for strings.Contains(page, "\n\n\n") { // where a paragraph was
		page = strings.ReplaceAll(page, "\n\n\n", "\n\n")
	}
	return page
}
