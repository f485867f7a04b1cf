// Package foreign explores code that nobody here wrote: a module by its version, a folder of the user's
// own, or the sync.Map of the user's Go toolchain.
//
// Prepare copies the target's source to a temporary folder and changes import paths in it: sync,
// sync/atomic, time, context, math/rand, crypto/rand and hash/maphash become the shims of explore.
// If the source has go statements, channels or Gosched, or if [Options.Races] is set, it is type-checked and
// changed further, each line keeping its number: go statements make actors, uses of channels become calls
// of explore/shim/flow and, with Races, each access to memory that others may see is reported.
// Of a target that is explored by a type, modules that it requires are copied as well, if the type comes to
// packages of theirs that share memory or start goroutines.
// Next to the copies it writes a driver program, made from the target's adapter or from a type, and a
// go.mod that replaces the modules by the copies and this project by its folder, and builds it. The driver
// explores small concurrent programs on the target, judges what their clients saw, and reports. Neither
// the module cache nor GOROOT is changed; the folder is removed by Close.
//
// # What was found
//
// In haxmap v1.4.1 two GetOrSet of one key both store, and two GetAndDel both get the value. sync.Map of
// go1.26 and the Map of xsync v4.5.0 are clean: of the latter 12,904 schedules of seven programs, all with
// at most two preemptions, with and without races, while the table grows in two of them; with at most
// three, 381,593 schedules. The tests hold these results, and break each map to see the suites notice.
//
// Without their adapters, by type alone, the two faults of haxmap are found again, among others of its
// Clear, Grow and Set while the table grows; in xsync v4.5.0 a TryEnqueue of MPMCQueue that says no
// although there is room, and a Size and Stats of Map that no order explains; in cornelk/hashmap v1.0.8 two
// Del of one key that both say true, and a Set that is lost beside GetOrInsert.
//
// Of types that talk by channels, with --time 20s --seed 1, executions were found that no order explains;
// those that were judged are meant, or misuse. In golang.org/x/sync v0.24.0: of errgroup.Group, SetLimit
// while a goroutine is active, which its documentation forbids and --races reports as a race; of
// semaphore.Weighted, a Release of more than is held, after whose panic there is more than before, but nobody
// is let go (with no more released than is held, 705,622 schedules of 3,480 programs are clean); of
// singleflight.Group, two Do of one key that both say shared. In sourcegraph/conc v0.3.0, of stream.Stream,
// Go beside Wait, which says that all was submitted: Go panics, and Wait waits for ever.
//
// # Types
//
// [Options.Subject] names an exported type. Its constructor and methods are found by go/types; generic
// types are used with uint32, int, uint64, string or any, whichever their constraints allow first.
// Arguments are a few numbers, texts and booleans, the constants of their type if it has some, and lists,
// maps, pointers and structures of them; two contexts, one at its end; no error and one; a reader, a writer
// and two Stringers; functions, each of which returns fixed values: returns(2, false); and channels, to
// receive from a closed one with a value and one with none, to send on an empty one with room. What a
// function was called with is a result of the call, without an order, for most types promise none; so is what
// an iterator gives, what is written to a writer, and what is in a channel with room when the call returns.
// A method that wants anything else is left out, as are those that give a function or a channel, those that
// come to what is not explored, and those whose sequential runs differ; the report says why.
//
// There is no specification: an execution is right if its calls returned what they return in some
// sequential order of the same calls, run on the same code, that agrees with the time, and if the probe
// that follows, a fixed row of calls, sees what it sees after that order. Panics are results. This is how
// Lincheck judges (Koval, Fedorov, Sokolova, Tsitelov, Alistarh: CAV 2023).
//
// A call that would wait for ever at its place in an order is overtaken: others are made while it waits, and
// whoever is let go returns before the next call is made. So two calls are at work at the same time in no
// order, but one may stand in a row and be seen to. It has its place when it begins to wait and another one
// when it returns, both between its call and its return. An execution in which calls never return is
// right if just these wait for ever in an order that explains the others, and if each of them waits, too,
// where it is made after all others: else it was forgotten. So where each call returns when it is the last
// one, no deadlock is right. What may be missed is one of a call that would wait when it is made last, too,
// for what the others return then is not asked: they may get what they did not while it stood in their way.
//
// A call that waits for the clock, in a select with a timer or a sleep, is overtaken in the same way where
// nobody goes on before its time is over. So two that meet just in time are right, though in a row each would
// wait in vain; what goes wrong when the time is over and somebody comes at once is found still, for then
// both are at work. Not judged is how long they wait, nor whether they give up when they might not have to.
//
// Who serves others, a goroutine that a type starts, may go on for ever: tickers tick, and timers that such
// a one sets again and again wake it, a bounded number of times, and from the second time on it sleeps until
// nobody else can go on. The report says so. What no run explains of those that are made at first is looked
// at again: runs are sought that agree with it call by call, with up to two preemptions more than the search
// has.
//
// What it cannot tell: a fault that the sequential code has as well; what no result shows; and a method
// that is meant to be weaker, such as a size that is counted while others add, is reported with the rest:
// leave it out with --call. So is what others see of a call that was let go and has not returned, as when
// each takes itself off the number of those who wait. What a type does by means of packages that are in no
// copy is one step: those of the standard library, and those of modules that use C, that a driver is made
// with, that do not build with the shims or that start goroutines when they are loaded. Of the latter the
// report names those that share memory (Outside), and is not plainly clean. A goroutine that they start and
// that comes to a step ends the search; a finalizer that does waits for ever. Where goroutines of the type's
// own read plain memory that calls write, some runs of an order may be missing, --races tells that first; and
// runs in which they are preempted while a call waits are. Programs of which a goroutine panics in a
// sequential order are not searched, but told (Crashes), and keep a report from being plainly clean. Refused,
// with the reason, are a module that starts goroutines when it is loaded (panjf2000/ants/v2 v2.12.1), and a
// type whose goroutines take more accesses than a run may have. Where a type has many goroutines most of
// their sequential runs are missing, and what they alone explain is not judged: so with alitto/pond v1.9.2,
// {New(2, 2)} CompletedTasks() || Submit(f). A call that panics as none does in the sequential runs that were
// made is a failure in any case.
//
// # Writing an adapter
//
// An adapter knows more: a specification, programs that matter, states that take many calls to reach.
//
// It is a file in adapters/ and a row in the table of adapters.go. The file is a Go main
// program, kept as text: a type with a method Do, which performs a driver.Call on the target, and
// the programs to explore. It calls driver.Main. A copy that imports a source of
// random numbers which no seed makes equal is refused, other doubts are listed in Report.Notes, and the
// explorer runs some executions twice to find the rest.
//
// # Limits
//
// Interleavings are those of sequentially consistent atomics, locks and channels. What packages that are
// in no copy do to a channel is not seen (os/signal, reflect); a receive whose second
// value has a boolean type of the program's own panics with its place when an actor comes to it. Plain
// accesses that race are seen with Races only, and then those of the copies alone: not what it has others
// do, such as the standard library, nor locals that do not escape, first values of variables, embedded
// pointers on the way to a promoted member, and elements that clear touches. A clean result covers the
// programs that were run, at the bounds that it names, and no others.
package foreign
