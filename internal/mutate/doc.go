// Package mutate seeds faults into the engine, and into what it rests on, and asks the judges of the chain of
// evidence to find each.
//
// A mutant is one small change of the source, made from the syntax tree with types: a statement
// dropped or swapped, a compare-and-swap weakened to a store, a condition negated, a generation not
// bumped. [Load] enumerates them in a fixed order under stable names such as
//
//	help.go:operation.undo#2 drop-statement
//
// that is file, function, operator, and the number among those of this operator in the function.
//
// All mutants of functions are compiled into one program, each behind a switch at the head of its function
// (mutant schemata). The branch that no mutant takes has the statements of the file unchanged. The switch
// is a plain word that no explorer sees. So steps keep the names of their functions and nothing is built
// twice. A mutant of a declaration, such as a constant, is built by itself. Originals are never written:
// the go command is given an overlay.
//
// Judges run in the order of their cost, and the first that refuses the mutant has killed it. First come
// the programs of the scenarios under ascending bounds (step validation, structural check, histories,
// contents, deadlock, livelock, panic), then the tests of the engine's own package. A mutant whose
// statement no judge has executed is not covered. A search whose time is over is unknown and kills nothing,
// with one exception that is proof: a loop that has made more rounds than any loop of the engine may. Tests
// that have not ended in many times what they take without the mutant say that it hangs. A test of the
// package that fails is asked again, alone, and kills only if it fails again: a busy machine kills nothing.
//
// The programs judge what they search ([Engine.Searched]): the engine without the files that only report. The
// other packages of [Engine.Targets] are judged by their own tests, and by tests of the scenarios that name
// their files.
//
// An engine registers what is mutated, and what else judges it ([NewEngine], catalog.Mutation). This package
// knows no engine.
//
// A mutant of one's own is a patch ([Packages.Patch], [Packages.RunPatches]): any change of the files of one
// package, built by itself, with the judges of those files.
//
// A mutant that survives shows a gap in the judges, unless it is equivalent to the original. Then it is
// listed with the reason, by its name and the hash of its function, so that the entry becomes stale when
// the function changes.
package mutate
