// Package fuzz feeds bytes that nobody has thought of to the engine, the explorer and the readers of
// text. It is tests only; plain "go test" runs what testdata/fuzz holds and the seeds in the code,
// "make fuzz" looks for more.
//
//	FuzzOperations  bytes are a geometry and calls: the table against a plain map
//	FuzzSchedules   bytes are a program and who goes on at each step: the judges of the scenarios
//	FuzzRegion      bytes are damage, at rest and while others work: an error, soon
//	FuzzWords       bytes are packed words: what the layout tables say, there and back
//	FuzzToken       replay tokens, FuzzHistory histories, FuzzManifest lists of runs, FuzzRecord records
//	                of evidence: an error that wraps the sentinel of the package, or the whole text is
//	                understood
//	FuzzHandover    refused histories: an error, or programs that the explorer can search
//
// FuzzSchedules needs the build tag explore. FuzzCommands, of the command line on damaged files, is
// in cmd/samecycle; FuzzCheckpoint, of searches that go on from a file, in explore.
//
// Each target is a function from bytes to an error. Its canary runs the same function over the same
// seeds and the same files of testdata with a fault between it and what it judges, and wants an
// error.
//
// A failing input fails again, but for two kinds of FuzzRegion: words that are overwritten, and a
// file that is truncated, while another goroutine is at work.
package fuzz
