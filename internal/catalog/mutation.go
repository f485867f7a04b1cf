package catalog

// Mutation says into which packages of an engine faults are seeded, and what judges them. The names of an
// engine's packages, files and tests stand in internal/catalog/NAME/mutants.
type Mutation struct {
	// Targets are the packages, those in which a fault costs the most first. The first one is the engine's
	// code, which the chain of evidence is about.
	Targets []MutationTarget

	// Tests judge mutants besides the programs and the tests of a target's own package: the cheapest first.
	Tests []MutationTests

	Ledger     string // file with the outcome of each mutant: results/NAME/mutants.json
	Equivalent string // file with the mutants that no judge can refuse, and why; empty: there are none

	// Open says why mutants of the ledger that nobody has noticed, and that Equivalent does not list, are
	// left open: the bound of the link mutants gives their number. Empty: such a mutant fails the link.
	Open string
}

// MutationTarget is a package whose mutants are judged.
type MutationTarget struct {
	Folder string // in the repository: impl/NAME

	// Searched says that the programs of the scenarios judge it, and not its own tests alone. They search
	// what actors do to one another, and would not notice a fault of what only reports, or is done before
	// and after.
	Searched bool

	// Reporters are the files of a package that is searched which change nothing, and only report.
	Reporters []string
}

// MutationTests are tests of another package that judge mutants of a target.
type MutationTests struct {
	Folder string // of the tests: scenarios/NAME
	Tags   string // build tags, such as explore
	Run    string // regular expression on the names of the tests
	About  string // what they are about, in a few words

	// Target is the folder of the package that they judge, and Files are those of its files that have what
	// only these tests come to. No files: all of them.
	Target string
	Files  []string
}
