// Package mutants says into which package of the public interface of the cache faults are seeded, and what
// judges them.
package mutants

import "github.com/samecycle/samecycle/internal/catalog"

const cacheDir = "impl/cache"

// Mutation returns the registration of the mutants. No program of a scenario is about the interface: it is
// judged by its own tests, in their short form, and by those of them that need the explored build.
func Mutation() *catalog.Mutation {
	return &catalog.Mutation{
		Targets: []catalog.MutationTarget{{Folder: cacheDir}},
		Tests: []catalog.MutationTests{{Folder: cacheDir, Tags: "explore", Run: "^TestExplored",
			Target: cacheDir, Files: []string{"ask.go", "asker.go", "clock.go", "counts.go", "params.go",
				"pool.go"},
			About: "marks of suspects, handles, lines of counts, changes of parameters, the first clock, " +
				"in every order"}},
		Ledger:     "results/cache/mutants.json",
		Equivalent: "internal/catalog/cache/mutants/equivalent.txt",
	}
}
