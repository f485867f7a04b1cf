// Package foreign explores concurrent code from outside this repository: a module by its version, a folder
// of the user, or the sync.Map of the user's Go toolchain.
//
// Prepare copies the target's source to a temporary folder and changes import paths in it: sync, sync/atomic,
// time, context, math/rand, crypto/rand, hash/maphash and maps become the shims of explore, and so does io in
// files that use its Pipe. If the source has go statements, channels, Gosched or loops over maps, or if
// [Options.Races] is set, it is type-checked and changed further: go statements make actors, uses of channels
// become calls of explore/shim/flow, loops over maps get the order of explore/shim/order, and with Races each
// access to memory that others may see is reported. Each line keeps its number. When a type is explored,
// Prepare also copies the modules that the target requires, if the type uses packages of theirs that share
// memory or start goroutines. Next to the copies Prepare writes a driver program, made from the target's
// adapter or from a type, and a go.mod that replaces the modules by the copies and this project by its
// folder. Then it builds the driver. The driver explores small concurrent programs on the target, judges what
// their clients saw, and reports. Neither the module cache nor GOROOT is changed. Close removes the folder.
// If a go.work uses the module, it decides about the other modules. If the go command uses a vendor folder
// for the module, what the module requires is copied from there, as go test builds it, and nothing else is
// looked for; with GOFLAGS=-mod=mod the folder is not used.
//
// # What was found
//
// In haxmap v1.4.1 two GetOrSet of one key both store, and two GetAndDel both get the value. The sync.Map of
// go1.26 and the Map of xsync v4.5.0 are clean. For the latter all 12,904 schedules of seven programs with at
// most two preemptions were run, with and without races; in two of the programs the table grows. With at most
// three preemptions there were 381,593 schedules. The tests check these results, and break each map to verify
// that the programs notice.
//
// Without an adapter, by type alone, these faults were found. In haxmap: the two above, and others of Clear,
// Grow and Set while the table grows. In xsync v4.5.0: a TryEnqueue of MPMCQueue returns false although there
// is room, and results of Size and Stats of Map that no order explains. In cornelk/hashmap v1.0.8: two Del of
// one key both return true, and a Set is lost beside GetOrInsert.
//
// In types that communicate by channels, with --time 20s --seed 1, executions were found that no order
// explains. Those that were examined are intended, or are misuse. In golang.org/x/sync v0.24.0,
// errgroup.Group: SetLimit while a goroutine is active, which its documentation forbids and --races reports
// as a race. semaphore.Weighted: a Release of more than is held panics, and afterwards the semaphore has more
// than before, but wakes nobody. (If no more is released than is held, 705,622 schedules of 3,480 programs
// are clean.) singleflight.Group: two Do of one key both report the result as shared. In sourcegraph/conc
// v0.3.0, stream.Stream: Go beside Wait, although Wait promises that everything was submitted; Go panics, and
// Wait waits for ever.
//
// # Tests
//
// [Options.Test] explores test functions without changes: the function is one actor, and each go statement
// makes another one. The test files of the package are copied under other names, and package testing becomes
// explore/shim/testing. An execution is wrong if the test fails, panics, or does not return although no
// goroutine can continue; with Races also if plain accesses race. What goroutines do after the end of the
// test counts, such as a call of t.Log. If some goroutines then do not end, the report says so; with Leaks
// this is a failure. They do not end if they wait for ever, or if they still work after 10,000 further
// accesses, or after four times as many as the test has made. With Leaks sleeps and timers end as before,
// but only a hundred of them; otherwise none ends after the test.
//
// The clock stands still while any goroutine can continue. When none can, the wait that ends first is ended,
// as in testing/synctest, whose bubble is the whole execution. So a timeout that is long enough never
// expires, and one that is too short always does. A test that sleeps until others have done their part sleeps
// long enough. Reading the clock lets time pass, too. If a reading would return a time after the end of some
// wait, this wait ends first. A timer that is set to no time, or to less, fires at once. The clock begins at
// a midnight (UTC) that is at most 25 hours away. So it is ahead of the files of the day by little, and a
// deadline that is told to code without this clock, such as package net, is not over.
//
// A call of synctest.Wait outside of a bubble panics, and so does the use of a channel outside of the bubble
// in which it was made; in the runtime the latter ends the process. The second is not noticed if the channel
// is made by a type with a name, by a timer, or by the standard library.
//
// Goroutines may work until another one stops them, or until some time is over. Then there are schedules
// without an end, in which that other goroutine, or the clock, never gets its turn. So a goroutine that can
// continue goes next when it has waited for four times as many accesses of others as the first execution of
// the test has, or 1000 if these are more; the clock does so, too, while somebody waits for it. If that
// happens, the report says which schedules were left out. If the first execution does not end otherwise, the
// limit is 1000.
//
// Each execution begins with the variables of the packages as they were when the program was loaded (see
// Limits), as if the test were the first of its process. The test runs twice before the search. If only the
// second run fails, because the test does something that can be done only once, all executions begin with the
// state that the first run has left. A test that does something else at the next run is not explored, and the
// report says so. If a test fails in its first execution, and others were explored in the same process
// before, what they have left may be the reason, such as a port that is still open. It is explored once more
// in a process of its own, and that result counts. TestMain is called in each execution, where its Run runs
// the one test. Before it the flags of package flag and os.Args are as when the program was loaded: the flags
// of package testing are registered, no flag is set or parsed, and os.Args has the name of the program alone.
// Parallel subtests run beside one another, up to 8 of a test at a time. If a test makes more steps than an
// execution may have, its short form (testing.Short) is explored. If it has none, or skips itself in this
// form, each of its subtests is explored alone. So are the subtests that Test names behind a slash. Package
// go.uber.org/goleak finds nothing: see Leaks. A call of os.Exit is a failure, unless it ends TestMain with
// the result of Run.
//
// A test may have any number of goroutines. A test with more than seven is searched first with one delay (see
// package explore), because even the orders without a preemption are too many. The same holds for each test
// that cannot be searched to the end within its bound; it is searched with as many delays as the bound has
// preemptions. At most 32 goroutines can go on at a time, including timers. If more could, the others have to
// wait until one of these waits or ends. If the test fails after the clock advanced while some had to wait
// so, the result is unknown.
//
// With Races all interleavings of a test are also searched, as far as its time allows: one execution of each
// class of those that differ only in the order of independent steps (Options.Reduce of package explore).
// Many tests have some thousand classes or fewer, so they are searched to the end. Failures are found that
// need many preemptions. Two steps depend on one another if one of them changes something that both use. In
// these searches each access to what goroutines share in the runtime and in package testing is a step, too:
// the state of the test, the clock and the waits for it, the number of goroutines, the order in which
// pointers came into maps. The kind of such a step is Runtime, and tokens of these searches name the test
// "test,reduced". What code shares that is not copied, such as package net/http, is not seen: if the order in
// which goroutines come there matters to the test, the search within the bound finds that, and this one may
// not. A test with a ticker, or with executions that are far longer than the first one, is not searched so.
//
// A test that is clean within the bound of two preemptions is searched with higher bounds if the user has
// asked for an amount of time and for no bound. A report that is clean within a bound says so.
//
// In cskr/pubsub v2.0.2 14 of 15 tests are clean in all their interleavings (--test . --races). The other
// one, TestTryPub, fails in some: it takes a message, and expects that the next one, which was sent without a
// wait, was dropped before. In golang.org/x/sync v0.24.0 the tests of errgroup, semaphore and singleflight
// that could be searched to the end with at most two preemptions, 16 of 26, are clean (--test . --seed 1). In
// the others no execution failed: seven were searched in part; one has more than 32 goroutines at a time, of
// which none can end; and two, which start their own program again, skip themselves.
//
// # Types
//
// [Options.Subject] names an exported type. Its constructor and methods are found by go/types; generic types
// are used with uint32, int, uint64, string or any: the first one that their constraints allow. Each
// execution begins with the variables of the packages as they were when the program was loaded. Arguments are
// of these kinds: a few numbers, texts and booleans; durations of a few seconds; the constants of their type,
// if it has some; lists, maps, pointers and structures of these; two contexts, one of which has ended; nil
// and one error; a reader, a writer and two Stringers; functions that return fixed values, written returns(2,
// false); channels to receive from, which are closed and have one value or none; an empty channel with room
// for 4, to send on.
//
// Of the pointers, channels and maps that calls return it counts which are the same, and what a pointer
// leads to if that is numbers, texts and booleans that other packages may read.
//
// Besides the values that a call returns, these count as its results: the arguments with which it called a
// function (their order does not count, because most types promise none); what an iterator yields; and what
// is written to a writer. If a call returns a channel within its result, only whether the channel is nil
// counts. The contents of a channel that a call was given are no result of the call, because others may send
// on it or close it before the call returns and later. They are compared at the end, like what the probe
// sees, if all calls have returned: the contents of the channels of all calls when no goroutine can continue,
// by call and in order, and which of them are closed.
//
// A method that takes anything else is left out. So is a method that returns a function or a channel, one
// that uses code which is not explored, and one whose sequential runs differ. The report says why. Nothing is
// called of what a method returns; the report names the methods that return another type of the package.
//
// There is no specification. Instead the same calls are run on the same code in all sequential orders. An
// execution is right if one of these orders agrees with real time and gives the same results, and if a probe
// (a fixed sequence of calls at the end) sees the same as after that order. Panics are results. Lincheck
// judges in the same way (Koval, Fedorov, Sokolova, Tsitelov, Alistarh: CAV 2023).
//
// A call that would wait for ever at its place in an order is overtaken: other calls are made while it waits.
// A call that stops waiting returns before the next call is made. So two calls never run at the same time in
// an order, but others may see that a call is waiting. Such a call has two places in the order: where it
// begins to wait and where it returns. Both lie between its call and its return. An execution in which some
// calls never return is right under two conditions: exactly these calls wait for ever in an order that
// explains the others, and each of them also waits if it is made after all others. Otherwise the call was
// forgotten. So if each call returns when it is made last, no deadlock is right. A fault may be missed if a
// call would also wait when it is made last, because the results of the others are not checked in that case:
// they may get what they could not get while that call was waiting.
//
// A call that waits for the clock, in a select with a timer or in a sleep, is overtaken in the same way if no
// other call can continue before its time is over. So two calls that meet just in time are right, although in
// a sequence each would wait in vain. A fault that happens when the time is over and another call comes at
// the same moment is still found, because then both calls are running. The judgement does not cover how long
// calls wait, nor whether they give up when they need not.
//
// A type may start a goroutine that serves others and runs for ever. Its tickers, and timers that it sets
// again and again, wake it only a bounded number of times. From the second time on it sleeps until no other
// actor can continue. The report says so. If none of the first sequential runs explains an execution, more
// runs are searched: those that agree with it call by call, with up to two preemptions more than the search
// has. If none of these explains it, and there may be further ones, the execution is unknown, and not a
// failure.
//
// This way of judging has limits:
//
// It does not find a fault that the sequential code has as well, nor a fault that no result shows. If no
// method that is called shows anything, nor what is seen afterwards, the verdict is not plainly clean.
//
// The programs are small. With a time, longer ones follow when hardly any new one can be drawn: with two
// calls more of an actor, one if there are more than two actors, and a few more before. The report says how
// many actors and calls they had at most, and with which values the methods were called: a fault that needs
// more calls, or another value, is not found.
//
// It reports methods that are weaker on purpose, such as a size that is counted while others add. Leave them
// out with --call. It also reports what others see of a call that was woken and has not returned, for example
// when each call subtracts itself from the number of waiting calls.
//
// Code in packages that are not copied is one step. These are the packages of the standard library, and
// packages of modules that use C, that the driver itself uses, that do not build with the shims, or whose
// goroutines still run when they have been loaded. The report names those packages of modules
// that share memory (Outside), and its verdict is then not plainly clean. If a goroutine that they start
// comes to a step, the search ends. A finalizer that comes to a step waits for ever.
//
// Sequential runs may be missing: those in which goroutines of the type are preempted while a call waits, and
// some in which such goroutines read plain memory that calls write (--races reports that first). If a type
// has many goroutines, most of their sequential runs are missing, and executions that only these runs explain
// are not judged, as with alitto/pond v1.9.2, {New(2, 2)} CompletedTasks() || Submit(f). A call that panics
// in a way in which it panics in no sequential run is a failure in any case.
//
// A program in which a goroutine panics in a sequential order is not searched. Such programs are reported
// (Crashes), and the verdict is then not plainly clean. A type whose goroutines make more accesses than a run
// may have is refused with the reason.
//
// Goroutines that the module itself starts when it is loaded do not run, unless it waits for them then; the
// default pool of panjf2000/ants/v2 v2.12.1 is an example. The report names them (NotRun), and its verdict is
// then not plainly clean. A test of such a module that waits for ever is unknown, because it may wait for one
// of them. A module with an adapter is refused if it has such goroutines.
//
// # Writing an adapter
//
// An adapter adds what the explorer cannot guess: a specification, programs that matter, and states that take
// many calls to reach.
//
// It is a file in adapters/ and a row in the table of adapters.go. The file is a Go main program, kept as
// text: a type with a method Do, which performs a driver.Call on the target, and the programs to explore. It
// calls driver.Main. A copy that imports a source of random numbers without a seed is refused. Other sources
// of nondeterminism are listed in Report.Notes. The explorer runs some executions twice to find the rest.
//
// # Limits
//
// Interleavings are those of sequentially consistent atomics, locks and channels.
//
// A loop over a map has one order: that of its keys, or for pointers the order in which the code put them
// into maps. Faults that only other orders show are not found. The order of package reflect differs each
// time. So does the order of loops in packages that are not copied, or that have an adapter and neither go
// statements nor channels.
//
// Goroutines and processes that packages without a copy start or wait for, such as net/http, os/exec and
// os/signal, are in no schedule. The report names the imports that do so, and functions that wait unseen or
// let the runtime call others (Notes). It also names the code that has started goroutines which ran beside
// the actors, if they were seen at some steps of the first runs of a test or at the end of a search (Beside).
// The verdict is then not plainly clean.
//
// A failure of a test may come from such code: a deadline of package net/http passes, or a signal comes, and
// the explorer does not see it. So the schedule of a test's failure is run once more, and whenever no actor
// can go on it waits a while for such code. If that uses a channel at which an actor waits, or if a call
// waits outside the explored code, the result is unknown. So it is for a test that waits for a finalizer or
// a cleanup, and for one that asks a server, another process or the profiles of this one, by the same call
// again and again: the answer takes time that does not pass on the clock of the explored code. So is a test
// that starts the program of the test again, which is another program here. A test that fails after it has
// looked at the stacks of all goroutines, or at their profile, is unknown as well, because the explorer has
// goroutines, too. Contexts of signal.NotifyContext are explored; in no schedule does a signal come. A call
// of runtime.LockOSThread does nothing.
//
// Some names differ in the copy: those of the functions that call a test, and of what stands on a stack
// between two functions of the code. So a test that fails in its first execution, and whose module has asked
// there for names (runtime.Caller, CallersFrames, FuncForPC, Stack, debug.Stack, the PkgPath of a
// reflect.Type), is unknown.
//
// Locks in packages that are not copied are not explored. For a search of tests, packages log and log/slog
// are copied, too, so their locks are; their clock takes no time, and their pools keep nothing. The originals
// stay if a package that is not copied uses them, such as net/http, because it has the types and variables of
// the originals. A race is unknown if one of its accesses is in a function that such a package calls, because
// the package may hold a lock then; a few packages are known to hold none, such as sort, fmt and
// encoding/json. An actor that waits for such a lock, while another one was interrupted below it, ends the
// search of its test, and the result names the function that waits.
//
// A sync.Pool is a stack that keeps each item until a Get takes it, and that is empty when an execution
// begins. The original may drop any item at any time, and does so at random in go test -race. So code that
// relies on what it has put is clean. A dropped item is no choice of the search, because each Get would
// double the number of executions, and because tests that expect the item often leave themselves out of
// go test -race only.
//
// In package reflect, Select is explored like the statement, and so are Recv, Send, TryRecv, TrySend, Close
// and Len of a Value. The loops that Seq makes are not explored, nor is a Value that is embedded in a
// structure.
//
// Variables of the copied packages are restored between executions, with everything to which they lead; a
// channel is replaced by another one wherever variables lead to it. Not restored are channels that had
// elements when the program was loaded, what a function has captured, values of a type of the standard
// library that may lead elsewhere, and values that are larger than 1,024 elements or 16 KiB. A receive whose
// second value has a boolean type defined by the program panics with its place when an actor comes to it.
//
// Data races are found only with Races, and only between accesses in the copies, among which are then
// packages slices and sort; package maps reports the maps that it uses. (A test that sorts some 100,000
// elements at once is therefore unknown: it seems to compute without end.) A call of a method counts as an
// access of its receiver if that is a bytes.Buffer, a strings.Builder, an http.Header or another value of the
// standard library that goroutines may not use at the same time; calls by go and defer do not count. A read
// or a write of such a stream through an interface counts, and so does its use by fmt.Fprint, io.Copy,
// io.ReadAll, io.WriteString, binary.Write, a template's Execute and their like. Variables of packages
// without a copy are seen where copies access them. What Read, ReadAt and io.ReadFull put into a slice counts
// as written, and what is given to Write of a buffer, a file or a sum of the standard library as read. These
// functions count as reads of all elements of a slice that they are given: bytes.Clone, Count, Equal,
// ReplaceAll, Runes, ToLower and ToUpper, strings.Join, hex.EncodeToString, and those that compute a sum at
// once. What package fmt prints, and json.Marshal writes, counts as read if it is a map or a slice, and if no
// method can be called before. A method of reflect.Value that reads or sets a variable or a map counts as an
// access of it, and reflect.Copy as one of what it copies.
//
// As for the race detector of the go command, a send counts as a race with a close that nothing orders,
// because it would panic behind it; a step on a sync.Mutex, an RWMutex, a Once or a WaitGroup is one with a
// plain access, as of mu = sync.Mutex{}; and what was done before a write to an os.File happens before what
// is done behind a read of any file.
//
// Not seen are other accesses in packages that are not copied: those of the other functions of bytes, strings
// and encoding/json (Unmarshal writes what its pointer leads to), of encoding/binary, of what a printed
// pointer leads to, and of a buffer whose method Bytes was called earlier. A verdict does not say that a test
// makes such accesses. Not seen either are local variables that do not escape, first values of variables,
// embedded pointers of types that the package cannot name, and the read of a named result behind deferred
// calls. Finalizers and cleanups do not run.
//
// A clean result covers the programs that were run, at the bounds that it names, and no others.
package foreign
