// Package mutants says into which packages of the words by which processes steer one another faults are
// seeded, and what judges them.
package mutants

import "github.com/samecycle/samecycle/internal/catalog"

const (
	engineDir = "impl/control"
	quotaDir  = "impl/quota"    // the states P06 to P08 are races there
	handsDir  = "impl/handover" // P09 is one there
)

// Mutation returns the registration of the mutants. Of the quotas the programs search what changes a word.
// Bounds, and what follows from them, are judged by tests alone.
func Mutation() *catalog.Mutation {
	return &catalog.Mutation{
		Targets: []catalog.MutationTarget{
			{Folder: engineDir, Searched: true},
			{Folder: quotaDir, Searched: true, Reporters: []string{"limits.go", "sketch.go"}},
			{Folder: handsDir, Searched: true},
		},
		Tests: []catalog.MutationTests{
			explored(engineDir, "^TestExplored_", "leases in every order, and changes under contention"),
			explored(quotaDir, "^TestExplored_(Charge|Calls|Canary|MarkCanary)",
				"charges in every order, and calls under contention"),
		},
		Ledger:     "results/control/mutants.json",
		Equivalent: "internal/catalog/control/mutants/equivalent.txt",
	}
}

// explored are tests of the target's own package that need the explored build.
func explored(target, run, about string) catalog.MutationTests {
	return catalog.MutationTests{Folder: target, Tags: "explore", Run: run, Target: target, About: about}
}
