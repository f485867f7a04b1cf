// Package foreign explores code that nobody here wrote: a module by its version, or the sync.Map
// of the user's own Go toolchain.
//
// Prepare copies the target's source to a temporary folder and changes import paths in it: sync,
// sync/atomic, time, math/rand and hash/maphash become the shims of scenarios/explore. If the source has go
// statements, channels or Gosched, or if [Options.Races] is set, it is type-checked and changed
// further, each line keeping its number: go statements make actors, a channel panics with its place
// when an actor comes to it and, with Races, each access to memory that others may see is reported.
// Next to the copy it writes a driver program, made from the target's adapter, and a go.mod that
// replaces the module by the copy and this project by its folder, and builds it. The driver
// explores small concurrent programs on the target, judges what their clients saw, and reports.
// Neither the module cache nor GOROOT is changed; the folder is removed by Close.
//
// # What was found
//
// In haxmap v1.4.1 two GetOrSet of one key both store, and two GetAndDel both get the value. sync.Map of
// go1.26 and the Map of xsync v4.5.0 are clean: of the latter 12,904 schedules of seven programs, all with
// at most two preemptions, with and without races, while the table grows in two of them; with at most
// three, 381,593 schedules. The tests hold these results, and break each map to see the suites notice.
//
// # Writing an adapter
//
// An adapter is a file in adapters/ and a row in the table of adapters.go. The file is a Go main
// program, kept as text: a type with a method Do, which performs a driver.Call on the target, and
// the programs to explore. It calls driver.Main. The target must not use channels, or timers
// that send on one, on the paths that the programs take; a copy that imports a source of random
// numbers which no seed makes equal is refused, other doubts are listed in Report.Notes, and the
// explorer runs some executions twice to find the rest.
//
// # Limits
//
// Interleavings are those of sequentially consistent atomics and locks. Plain accesses that race are
// seen with Races only, and then those of the copy alone: not what it has others do, such as the
// standard library, nor locals that do not escape, first values of variables, embedded pointers on the
// way to a promoted member, and elements that clear touches. A clean
// result covers the programs that were run, at the bounds that it names, and no others.
package foreign
