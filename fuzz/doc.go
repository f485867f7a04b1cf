// Package fuzz feeds bytes that nobody has thought of to the engine and to the readers of
// files and tokens. It is tests only; plain "go test" runs what testdata/fuzz holds and the seeds in the
// code, "make fuzz" looks for more.
//
//	FuzzOperations  bytes are a geometry and calls: the table against a plain map
//	FuzzWords       bytes are packed words: what the layout tables say, there and back
//	FuzzToken       replay tokens, FuzzHistory histories, FuzzManifest lists of runs: an error that
//	                wraps the sentinel of the package, or the whole text is understood
//
// Each target is a function from bytes to an error. Its canary runs the same function over the same
// seeds and the same files of testdata with a fault between it and what it judges, and wants an
// error.
package fuzz
