// Package foreign explores concurrent code from outside this repository: a module by its version, a folder
// of the user, or the sync.Map of the user's Go toolchain.
//
// Prepare copies the target's source to a temporary folder and changes import paths in it: sync, sync/atomic,
// time, context, math/rand, crypto/rand, hash/maphash and maps become the shims of explore. If the source has
// go statements, channels, Gosched or loops over maps, or if [Options.Races] is set, it is type-checked and
// changed further: go statements make actors, uses of channels become calls of explore/shim/flow, loops over
// maps get the order of explore/shim/order, and with Races each access to memory that others may see is
// reported. Each line keeps its number. When a type is explored, modules that the target requires are copied
// as well, if the type uses packages of theirs that share memory or start goroutines. Next to the copies
// Prepare writes a driver program, made from the target's adapter or from a type, and a go.mod that replaces
// the modules by the copies and this project by its folder. Then it builds the driver. The driver explores
// small concurrent programs on the target, judges what their clients saw, and reports. Neither the module
// cache nor GOROOT is changed. Close removes the folder. If a go.work uses the module, the other modules are
// taken as that has them.
//
// # What was found
//
// In haxmap v1.4.1 two GetOrSet of one key both store, and two GetAndDel both get the value. The sync.Map
// of go1.26 and the Map of xsync v4.5.0 are clean. For the latter all 12,904 schedules of seven programs
// with at most two preemptions were run, with and without races; in two of the programs the table grows.
// With at most three preemptions there were 381,593 schedules. The tests check these results, and break
// each map to see that the programs notice.
//
// Without an adapter, by type alone, these faults were found. In haxmap: the two above, and others of
// Clear, Grow and Set while the table grows. In xsync v4.5.0: a TryEnqueue of MPMCQueue returns false
// although there is room, and results of Size and Stats of Map that no order explains. In cornelk/hashmap
// v1.0.8: two Del of one key both return true, and a Set is lost beside GetOrInsert.
//
// In types that communicate by channels, with --time 20s --seed 1, executions were found that no order
// explains. Those that were looked at are intended, or are misuse. In golang.org/x/sync v0.24.0,
// errgroup.Group: SetLimit while a goroutine is active, which its documentation forbids and --races reports
// as a race. semaphore.Weighted: a Release of more than is held panics, and afterwards the semaphore has
// more than before, but wakes nobody. (If no more is released than is held, 705,622 schedules of 3,480
// programs are clean.) singleflight.Group: two Do of one key both report the result as shared. In
// sourcegraph/conc v0.3.0, stream.Stream: Go beside Wait, although Wait promises that everything was
// submitted; Go panics, and Wait waits for ever.
//
// # Tests
//
// [Options.Test] explores test functions as they are: the function is one actor, and each go statement
// makes another one. The test files of the package are copied under other names, and package testing
// becomes explore/shim/testing. An execution is wrong if the test fails, panics, or does not return
// although nobody can go on; with Races also if plain accesses race. What goroutines do after the end of
// the test counts, such as a call of t.Log. That some wait for ever then is told, and with Leaks a failure.
//
// The clock stands still while any goroutine can go on. Then the wait ends that is the next one to end, as
// in testing/synctest, whose bubble is the whole execution. So a timeout that is long enough never comes,
// and one that is too short always does. A test that sleeps until others have done their part sleeps long
// enough.
//
// Each execution begins with the variables of the packages as they were when the program was loaded (see
// Limits), as if the test were the first of its process. The test runs twice ahead of the search. If it fails
// at the second time only, because it does what can be done once, all executions begin with what the first
// run has left. A test that does something else at the next run is not explored: the report says so.
// TestMain is called in each execution, where its Run runs the one test. Parallel subtests, up to 8 of a
// test, run beside one another; the others run one after the other. Of a test that makes more steps than
// an execution may have each subtest is explored alone, as those are that Test names behind a slash.
// Package go.uber.org/goleak finds nothing: see Leaks. A call of os.Exit is a failure, unless it ends
// TestMain with what Run returns.
//
// A test may have any number of goroutines. One that has more than seven is searched first with one delay
// (see package explore), since their orders without a preemption are too many already. So is each test that
// cannot be searched to the end within its bound, with as many delays as that has preemptions. At most 32
// goroutines are there at a time, timers included: others begin when one of these has ended, as late as that.
// If none of them can end, or if the test fails after the clock went on while some had not begun, it is
// unknown.
//
// A test that is clean within the bound of two preemptions is searched with higher ones if there is time that
// was asked for, and no bound was. A report that is clean within a bound says so.
//
// In golang.org/x/sync v0.24.0 the tests of errgroup, semaphore and singleflight that could be searched to
// the end with at most two preemptions, 16 of 26, are clean (--test . --seed 1). Of the others no execution
// failed: seven were searched in part, one has more than 32 goroutines at a time of which none can end, and
// two, which start their own program again, skip themselves.
//
// # Types
//
// [Options.Subject] names an exported type. Its constructor and methods are found by go/types; generic
// types are used with uint32, int, uint64, string or any, whichever their constraints allow first.
// Each execution begins with the variables of the packages as they were when the program was loaded.
// Arguments are of these kinds: a few numbers, texts and booleans; a few seconds; the constants of their
// type, if it has some; lists, maps, pointers and structures of them; two contexts, one of which has
// ended; nil and one error; a reader, a writer and two Stringers; functions that return fixed values,
// written returns(2, false); channels to receive from, which are closed and have one value or none; an
// empty channel with room for 4, to send on.
//
// These count as results of a call, besides what it returns: the arguments with which it called a function
// (their order does not count, because most types promise none); what an iterator yields; and what is written
// to a writer. Of a channel in what a call returns only counts whether it is nil. What is in a channel that a
// call was given is no result of the call, because others may send on it or close it before the call returns
// and later. It is compared at the end, like what the probe sees, if all calls have returned: what is in the
// channels of all calls when nobody can go on, by call and in order, and which of them are closed.
//
// A method that takes anything else is left out. So is a method that returns a function or a channel, one
// that uses code which is not explored, and one whose sequential runs differ. The report says why.
//
// There is no specification. Instead the same calls are run on the same code in all sequential orders. An
// execution is right if one of these orders agrees with real time and gives the same results, and if a
// probe (a fixed sequence of calls at the end) sees the same as after that order. Panics are results. This
// is how Lincheck judges (Koval, Fedorov, Sokolova, Tsitelov, Alistarh: CAV 2023).
//
// A call that would wait for ever at its place in an order is overtaken: other calls are made while it
// waits. A call that stops waiting returns before the next call is made. So two calls never run at the same
// time in an order, but a call may be seen waiting by others. Such a call has two places in the order:
// where it begins to wait and where it returns. Both lie between its call and its return. An execution in
// which some calls never return is right under two conditions: exactly these calls wait for ever in an
// order that explains the others, and each of them also waits where it is made after all others. Otherwise
// the call was forgotten. So if each call returns when it is made last, no deadlock is right. A fault may
// be missed if a call would also wait when it is made last, because the results of the others are not
// checked in that case: they may get what they could not get while it stood in their way.
//
// A call that waits for the clock, in a select with a timer or in a sleep, is overtaken in the same way if
// no other call can continue before its time is over. So two calls that meet just in time are right,
// although in a sequence each would wait in vain. A fault that happens when the time is over and another
// call comes at the same moment is still found, because then both calls are running. It is not judged how
// long calls wait, nor whether they give up when they need not.
//
// A goroutine that a type starts to serve others may run for ever. Its tickers tick, and timers that it
// sets again and again wake it, only a bounded number of times. From the second time on it sleeps until no
// other actor can continue. The report says so. If none of the first sequential runs explains an execution,
// more runs are searched: those that agree with it call by call, with up to two preemptions more than the
// search has. If none of these does, and there may be others, the execution is unknown, not a failure.
//
// This way of judging has limits:
//
// It does not find a fault that the sequential code has as well, nor one that shows in no result.
//
// It reports methods that are weaker on purpose, such as a size that is counted while others add. Leave
// them out with --call. It also reports what others see of a call that was woken and has not returned, for
// example when each call subtracts itself from the number of waiting calls.
//
// Code in packages that are not copied is one step. These are the packages of the standard library, and
// those of modules that use C, that the driver itself uses, that do not build with the shims, or that start
// goroutines when they are loaded. The report names those packages of modules that share memory (Outside),
// and is then not plainly clean. If a goroutine that they start comes to a step, the search ends. A
// finalizer that comes to a step waits for ever.
//
// Sequential runs may be missing: those in which goroutines of the type are preempted while a call waits,
// and some in which such goroutines read plain memory that calls write (--races reports that first). If a
// type has many goroutines, most of their sequential runs are missing, and executions that only these runs
// explain are not judged, as with alitto/pond v1.9.2, {New(2, 2)} CompletedTasks() || Submit(f). A call
// that panics as it does in no sequential run is a failure in any case.
//
// Programs of which a goroutine panics in a sequential order are not searched. They are reported (Crashes),
// and the report is then not plainly clean. A type whose goroutines make more accesses than a run may have
// is refused with the reason.
//
// Goroutines that the module itself starts when it is loaded do not run, as those of the default pool of
// panjf2000/ants/v2 v2.12.1. The report names them (NotRun), and is then not plainly clean. A test of such a
// module that waits for ever is unknown, for it may wait for one of them. A module with an adapter is
// refused if it has some.
//
// # Writing an adapter
//
// An adapter adds what the explorer cannot guess: a specification, programs that matter, states that take
// many calls to reach.
//
// It is a file in adapters/ and a row in the table of adapters.go. The file is a Go main program, kept as
// text: a type with a method Do, which performs a driver.Call on the target, and the programs to explore.
// It calls driver.Main. A copy that imports a source of random numbers without a seed is refused. Other
// sources of nondeterminism are listed in Report.Notes. The explorer runs some executions twice to find the
// rest.
//
// # Limits
//
// Interleavings are those of sequentially consistent atomics, locks and channels. A loop over a map has one
// order: that of its keys, or for pointers that in which the code put them into maps. Faults that other
// orders show are not found. The order of package reflect, and of loops in packages that are not copied or
// that have an adapter and neither go statements nor channels, is another one each time. What packages start
// or wait for that are not copied, such as net/http, os/exec and os/signal, is in no schedule. The report
// names the imports of those that do so, and functions that wait unseen or let the runtime call others
// (Notes). It also names what has started goroutines that ran beside the actors, if they were seen at some
// steps of the first runs of a test or at the end of a search (Beside). It is then not plainly clean. Of
// package reflect, Select is explored as the statement is, and so are Recv, Send, TryRecv, TrySend, Close and
// Len of a Value, but not the loops that Seq makes, nor a Value that is embedded in a structure. Variables of
// the copied packages are put back between executions, with what they lead to; but not what is in a channel,
// what a function has captured, what is of a type of the standard library that may lead elsewhere, and what
// is larger than 1,024 elements or 16 KiB. A receive whose second value has a boolean type defined by the
// program panics with its place when an actor comes to it. Data races are found only with Races, and only
// between accesses in the copies. Not seen are accesses in other packages such as the standard library, local
// variables that do not escape, first values of variables, embedded pointers on the way to a promoted member,
// and elements that clear touches. A clean result covers the programs that were run, at the bounds that it
// names, and no others.
package foreign
