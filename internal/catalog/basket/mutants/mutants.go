// Package mutants says into which packages of the records and of the quotas of a cache faults are seeded, and
// what judges them.
package mutants

import "github.com/samecycle/samecycle/internal/catalog"

const (
	engineDir = "impl/basket"
	quotaDir  = "impl/quota" // how often who asks, beside the records
)

// Mutation returns the registration of the mutants. The programs search what actors do to the records of one
// store. They do not search the policies that ship, the marks of recency and what learns from them, and what
// only reports: the tests of the package judge these files alone.
func Mutation() *catalog.Mutation {
	return &catalog.Mutation{
		Targets: []catalog.MutationTarget{
			{Folder: engineDir, Searched: true, Reporters: []string{"ageing.go", "check.go", "ghosts.go",
				"info.go", "layout.go", "mark.go", "policy.go", "sketch.go", "stats.go", "tinylfu.go",
				"tuning.go"}},
			{Folder: quotaDir},
		},
		Tests: []catalog.MutationTests{
			explored(quotaDir, "^TestExplored_(Charge|Calls|Canary|MarkCanary)",
				"charges in every order, and calls under contention"),
			explored(quotaDir, "^TestExplored_MarkCountsOnce$/^shared",
				"penalties of two identities in every order"),
			explored(engineDir, "^Test(Writer_Killed(Behind|NowAndThen)|Requests_)",
				"writers that are killed, and what is asked for"),
			{Folder: "impl/cache", Tags: "explore", Run: "^TestExploredC01_Glance$", Target: engineDir,
				About: "gets without a handle, in every order"},
		},
		Ledger:     "results/basket/mutants.json",
		Equivalent: "internal/catalog/basket/mutants/equivalent.txt",
	}
}

// explored are tests of the target's own package that need the explored build.
func explored(target, run, about string) catalog.MutationTests {
	return catalog.MutationTests{Folder: target, Tags: "explore", Run: run, Target: target, About: about}
}
