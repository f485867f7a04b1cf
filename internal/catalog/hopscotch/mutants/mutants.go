// Package mutants says into which packages of the hopscotch table faults are seeded, and what judges them.
package mutants

import "github.com/samecycle/samecycle/internal/catalog"

const (
	engineDir    = "impl/hopscotch"
	regionDir    = "impl/region" // where the memory is mapped, and its processes are told from one another
	scenariosDir = "scenarios/hopscotch"
)

// Mutation returns the registration of the mutants.
func Mutation() *catalog.Mutation {
	return &catalog.Mutation{
		Targets: []catalog.MutationTarget{
			{Folder: engineDir, Searched: true, Reporters: []string{"check.go", "print.go"}},
			{Folder: regionDir},
			{Folder: "service"},
		},
		Tests: []catalog.MutationTests{
			explored(engineDir, "^TestWays_", "each way of a get and an update",
				"get.go", "glance.go", "search.go", "search_held.go", "search_steps.go", "ticket.go",
				"update.go"),
			explored(engineDir, "^Test(Reclaim|Clear|Readers|Adders|Progress)_",
				"reclaim, clear, walks, batches, progress",
				"batch.go", "clear.go", "get.go", "handle.go", "leaving.go", "prepared.go", "reclaim.go",
				"search.go", "walk.go"),
			explored(engineDir, "^TestLines$", "long rings, step by step", "room.go"),
			explored(engineDir, "^TestHostile_OneActor$", "one word overwritten, at each step",
				"crop.go", "handle.go", "help.go", "reclaim.go", "room.go", "search_held.go", "walk.go"),
			explored(regionDir, "^TestBell_", "the bell", "bell.go"),
			explored(regionDir, "^TestEntries_", "the process table", "process.go", "region.go",
				"system.go"),
		},
		Ledger:     "results/hopscotch/mutants.json",
		Equivalent: "internal/catalog/hopscotch/mutants/equivalent.txt",
		Open:       "the ledger is a sample, and judges for those of its survivors are to be written",
	}
}

// explored are tests of the scenarios, with the explorer.
func explored(target, run, about string, files ...string) catalog.MutationTests {
	return catalog.MutationTests{Folder: scenariosDir, Tags: "explore", Run: run, About: about,
		Target: target, Files: files}
}
