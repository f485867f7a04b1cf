// Package mutants says into which packages of the sharded map faults are seeded, and what judges them.
package mutants

import "github.com/samecycle/samecycle/internal/catalog"

const engineDir = "impl/shardmap"

// Mutation returns the registration of the mutants.
func Mutation() *catalog.Mutation {
	return &catalog.Mutation{
		Targets: []catalog.MutationTarget{{Folder: engineDir, Searched: true}},
		Tests: []catalog.MutationTests{
			{Folder: engineDir, Tags: "explore", Run: "^Test(Order|Edges)_", Target: engineDir,
				About: "the build with the explorer"},
			{Folder: "scenarios/shardmap/volume", Run: "^TestCampaign_Passes$", Target: engineDir,
				About: "goroutines at full speed"},
		},
		Ledger:     "results/shardmap/mutants.json",
		Equivalent: "internal/catalog/shardmap/mutants/equivalent.txt",
	}
}
