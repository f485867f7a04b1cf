// Package foreign explores code that nobody here wrote: a module by its version, or the sync.Map
// of the user's own Go toolchain.
//
// Prepare copies the target's source to a temporary folder and changes nothing in it but import
// paths: sync and sync/atomic become the shims of scenarios/explore. Next to the copy it writes a
// driver program, made from the target's adapter, and a go.mod that replaces the module by the copy
// and this project by its folder, and builds it. The driver explores small concurrent programs on
// the target, judges what their clients saw, and reports. Neither the module cache nor GOROOT is
// changed; the folder is removed by Close.
//
// # Writing an adapter
//
// An adapter is a file in adapters/ and a row in the table of adapters.go. The file is a Go main
// program, kept as text: a type with a method Do, which performs a driver.Call on the target, and
// the programs to explore. It calls driver.Main. The target must not start goroutines, use
// channels or timers, or draw random numbers on the paths that the programs take; a copy that
// imports a source of random numbers is refused, other doubts are listed in Report.Notes, and the
// explorer runs some executions twice to find the rest.
//
// # Limits
//
// Interleavings are those of sequentially consistent atomics and locks, so plain accesses that race
// are not seen as such, and time, where Go's memory model promises no order, is not part of it. A
// clean result covers the programs that were run, at the bounds that it names, and no others.
package foreign
