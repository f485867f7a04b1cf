// Package mutate seeds faults into the engine, and into the packages that it depends on, and checks whether
// the judges of the chain of evidence find each fault.
//
// A mutant is one small change of the source, made from the syntax tree with types: a statement dropped or
// swapped, a compare-and-swap weakened to a store, a condition negated, a generation not incremented. [Load]
// enumerates the mutants in a fixed order under stable names such as
//
//	help.go:operation.undo#2 drop-statement
//
// The name has the file, the function, the number among the mutants of this operator in the function, and
// the operator.
//
// All mutants of functions are compiled into one program, each behind a switch at the begin of its function
// (mutant schemata). The branch without a mutant has the statements of the file unchanged. The switch is a
// plain word that no explorer sees. So steps keep the names of their functions, and nothing is built twice.
// A mutant of a declaration, such as a constant, is built alone. Source files are never changed: the go
// command gets an overlay.
//
// The judges run in the order of their cost, and the first judge that refuses the mutant has killed it.
// First come the programs of the scenarios under ascending bounds (step validation, structural check,
// histories, contents, deadlock, livelock, panic), and then the tests of the engine's own package. A mutant
// is not covered if no judge has executed its statement. A search that runs out of time is unknown, and
// kills nothing, with one exception that is a proof: a loop that has made more rounds than any loop of the
// engine may make. Tests that have not ended in many times the time that they take without the mutant show
// that the mutant hangs. A test of the package that fails is run again, alone, and kills the mutant only if
// it fails again, so a busy machine kills nothing.
//
// The programs judge the searched files ([Engine.Searched]): the engine without the files that only report.
// The other packages of [Engine.Targets] are judged by their own tests, and by tests of the scenarios that
// name their files.
//
// An engine registers what is mutated, and which further judges there are ([NewEngine], catalog.Mutation).
// This package does not depend on an engine.
//
// A patch is a mutant that the user writes ([Packages.Patch], [Packages.RunPatches]): any change of the
// files of one package. It is built alone, and the judges of those files run.
//
// A mutant that survives shows a gap in the judges, unless it is equivalent to the original. An equivalent
// mutant is listed with the reason, by its name and the hash of its function, so the entry becomes stale
// when the function changes.
package mutate
