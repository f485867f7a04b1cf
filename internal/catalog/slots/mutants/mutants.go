// Package mutants says into which package of the slots of a communication buffer faults are seeded, and what
// judges them.
package mutants

import "github.com/samecycle/samecycle/internal/catalog"

const engineDir = "impl/slots"

// Mutation returns the registration of the mutants. No program has a file: those of the system, and what says
// that an option is out of bounds, are judged by tests alone.
func Mutation() *catalog.Mutation {
	return &catalog.Mutation{
		Targets: []catalog.MutationTarget{{Folder: engineDir, Searched: true,
			Reporters: []string{"errors.go", "file_linux.go", "options.go"}}},
		Tests: []catalog.MutationTests{
			{Folder: engineDir, Tags: "explore", Run: "^TestBetween_", Target: engineDir,
				About: "the other side between two steps"},
			{Folder: "impl/remote", Run: "^Test(Client|Service|Serve|Stranger|Batch|TooLarge|Closed)",
				Target: engineDir, About: "caches of other processes"},
		},
		Ledger:     "results/slots/mutants.json",
		Equivalent: "internal/catalog/slots/mutants/equivalent.txt",
	}
}
