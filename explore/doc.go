// Package explore runs a small concurrent program in every order of its shared accesses.
//
// A [Program] makes actors over shared objects whose accesses go through a shim (internal/seam
// built with the tag explore, or the packages under shim/). [Explore] runs the actors as
// coroutines on one goroutine at a time and searches, depth first, over all decisions: which
// actor performs its pending access next, where an actor is killed, and each data choice. Go's
// atomics are sequentially consistent, so the interleavings of the accesses are all behaviours
// of a program that shares nothing else without a lock.
//
// # Steps
//
// A step is one shared access and the local code after it, up to the actor's next access. The decision is
// taken before the access. The start of an actor, and each call of [Execution.Begin], is an operation
// boundary: the actor waits there, is picked, and then passes the boundary and performs its first access
// with no decision in between. So an operation is called as late as possible and returns as early as
// possible, which is the strictest history; the number of executions is the number of orders of the
// accesses alone. [Options.SplitBegin] makes each boundary a decision of its own.
//
// # Preemptions
//
// Taking the processor from an actor that could go on is a preemption. [Options.Preemptions]
// bounds them; [Ascending] runs bound 0, 1, 2, ... so that the first failure is one with the
// fewest, and [Climb] does so for a caller with a search of its own. Leaving an actor that is
// finished, blocked, spinning or killed is free.
//
// # Delays
//
// Within a bound on preemptions the actors that begin, end and wait may come in every order, which for many
// actors are too many to search. [Options.Delays] is a bound for such programs (Emmi, Qadeer, Rakamarić:
// Delay-bounded scheduling, POPL 2011). Without a delay the schedule is fixed: an actor runs until it ends or
// waits, and the next one in turn follows. The choice of the actor that is k places behind the one whose turn
// it is costs k delays, and a data choice other than the first one costs one. A program of n steps has about
// n^d executions with d delays, however many actors it has.
//
// # Kills
//
// With [Options.Kills] an actor may die at any of its scheduling points after its first access (earlier is
// the same as never running). A killed actor is not resumed before the verdict. Its stack is unwound
// afterwards; a shim call in its deferred code then unwinds again at once. Locks that it held stay locked.
// A kill is offered right after the actor's own step. A later death, between steps of others, differs only
// for code that asks [Execution.Killed]; [Options.AnyKill] offers these deaths too.
//
// # Processes
//
// Actors may belong to a [Process]. All actors of a process die at once, at any point of the schedule.
// Other actors can see whether a process lives ([Execution.Gone], which stands for the system's locks). So
// the death of a process is offered at each decision, and not only after its own steps. With
// [Process].ReadsDie it is offered only where it makes a difference: after a step of the process that
// changed or reported something, and after a step that looked whether the process lives. A death at any
// other point has the same effect as the one before it, except for what the dead process has read.
//
// Processes share one file, which is mapped once for each of them ([Mapping]). An access through any
// mapping is an access of the same object. Each mapping has its own base, so an address that one process
// stores means nothing to another. An actor that is about to access memory through the mapping of another
// process fails with [Fault]; this does not cover plain accesses that are not reported. Attaching,
// detaching and taking over from a dead process are code of the actors, step by step.
//
//	view := ... // the bytes of shared, mapped once more
//	p := &explore.Process{Name: "second", Mappings: []explore.Mapping{{At: view, Of: shared, Size: n}}}
//	actors = append(actors, explore.Actor{Name: "adds", Process: p, Body: body})
//
// explore/processes runs programs of this kind on a region, in the explorer and in processes of the operating
// system.
//
// # Fairness
//
// A loop that waits does not make the search infinite. An actor counts as spinning if it makes SpinLimit
// steps during which nobody changes a shared word, if it repeats the same steps for that long, or if it
// calls Gosched twice without a change by others in between. It is then set aside until another actor
// changes something or a process dies. This is no preemption. Progress is an operation boundary, a client
// event, an end or a death. When all actors that could run have been set aside three times each since the
// last progress, the execution is a livelock. When no actor can run and some are blocked, it is a deadlock.
//
// # Stateful search
//
// With [Options.Stateful] an execution is cut when it comes to a state seen before. The key of a state
// consists of the shared words; of what each actor has read since its start and which processes it was told
// are alive (its code is deterministic, so this stands for its stack); of which actors are enabled,
// finished and dead; of the client events in their order ([Execution.Mark]); of the kills left; and, with a
// preemption bound, of the actor that ran last. For each key the largest remaining budget is kept. Objects
// in a region are named by offset, others by the actor that accessed them first and a count of its own. The
// same state under two names is searched twice; two states are never taken for one.
//
// This is sound when actors share only (a) words that the shims see, (b) plain memory that is not written
// after an atomic word published it, (c) plain memory guarded by locks of shim/sync. It would be unsound
// for plain memory that is guarded by a lock made of atomics. A verdict in Step must depend only on what
// the key holds. Keys are hashes of 128 bits; two states share one with a probability below 2^-64 for any
// search that fits in memory.
//
// # Random executions
//
// [Options.Walks] draws random executions in place of the search, by one of the [Strategy] values: evenly
// at each step, evenly over the interleavings, or with the guarantee of PCT for bugs of a given depth. All
// of them come from one seed, and each has a token. With kills, the number of deaths is drawn evenly and
// the place of each evenly over the length of an execution, so that late deaths are as likely as early
// ones. [Report].Bound says what such executions prove.
//
// # Progress
//
// A livelock is reported with the steps that each actor repeats. [Options.Solo] checks obstruction freedom:
// from every state that the search reaches, each live actor alone ends its operation within a number of its
// own accesses. [Options.LockFree] checks that some operation ends within a number of accesses of all
// actors together, in every schedule, and [Actor].Always that an actor's operations do within a number of
// their own. A number that holds is a bound for the schedules that were searched. An operation that exceeds
// it is a failure with a token.
//
// # Long searches
//
// [EstimateSize] samples how many executions a search without the state cut and the reduction has.
// [Options.Shards] splits a search without the state cut among processes, exactly. [Options.Checkpoint]
// saves a search to a file and continues it from there, also exactly. [Portfolio] spends a budget on
// several ways to search. [Options.Coverage] lists the conflicting accesses that were seen in one order
// only.
//
// # Reduction
//
// With [Options.Reduce] one execution of each equivalence class is run. Two executions are equivalent if
// they differ only in the order of independent steps. Steps of two actors depend on one another when they
// access one object and one of the two changes it. A step that leaves its object as it was only reads: a
// load, a failed CompareAndSwap, a Store of the value that is there. Steps on a lock change the lock, and a
// step that would block is not possible. A data choice is a part of the step that asks for it. The death of
// an actor without a process is also a part of a step. The algorithm is that of optimal dynamic partial
// order reduction with wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, J. ACM 64(4), 2017).
// Without deaths and data choices it runs as many executions as there are classes. With them it begins a
// few percent more, with deaths of processes about a fifth more; these are cut ([Stats].SleepBlocked).
//
// The deaths of processes are searched set by set: for each set of at most Kills processes, beginning with
// the empty set, all executions in which exactly these processes die. A death is then a step that has to
// occur. It depends on each step of the process's actors; with [Process].ReadsDie only on those that change
// or report something, since the dead process might have read on. It also depends on each step that asks
// [Execution.Gone] or [Execution.Killed] of the process. The step that the death prevents may be any step,
// and could have come first. If deaths come when nothing is left to do, or if a process ends before its
// death, the execution belongs to a smaller set, and is cut.
//
// The reduced search finds every final state of the shared words, everything that the actors read and
// return, every panic and every deadlock. With [Options.Histories] it also finds every history, that is,
// which operation precedes which; then a step that returns and a step that calls depend on one another. It
// does not see the states between the steps of executions that are not run. So an error of Program.Step is
// certain to be found only if it depends on the past of the actor that made the step. Nor does it see what
// the order of independent steps leaves in memory that no shim sees, such as a list of the steps. The
// reduction is sound only if the actors share nothing but words that the shims see and plain memory whose
// accesses these words order.
//
// With Reduce an actor counts as waiting in three cases: it has looked SpinLimit times in a row at words
// that nobody changed since its previous look; it repeats its last SpinLimit steps; or it calls Gosched
// twice without learning anything new. It waits until another actor changes one of these words, or until no
// other actor can continue. So a loop that gives up after more than SpinLimit looks is seen to give up only
// at the end, after the deaths. Objects outside regions have no names that are the same in all executions.
// Where that matters the reduction assumes the worst case, which costs executions but misses none. A
// preemption bound, Stateful, Walks and AnyKill are refused.
//
// # Words
//
// Each execution of a search begins like the one before it. If the actors share only words of 64 bits, as
// [Program].Words promises, this common part is repeated actor by actor and not step by step. Before each
// access its word is set to the value that was found there the first time; the access and its result must
// then be the same as the first time. The executions, their order and the statistics are those of a search
// that repeats the steps in order, except for [Stats].Audited. Audits compare repeated executions with
// executions in order.
//
// With Reduce the sets of steps of a small program (up to 64 steps in an execution, 8 actors and 64 words)
// are kept as bits of one word. The search runs the same executions in the same order in a third of the
// time. If a program turns out to be larger, or does more than access words in some execution, it is
// searched again from the beginning as if it had promised nothing; [Stats].Repeated counts what was
// searched before. The turn of an actor that makes no access may be at another place.
//
// An exploration does one thing at a time. With GOMAXPROCS=1 many small programs, explored one after
// another, take two thirds of the time, because no other thread is woken in vain for each of them.
//
// # Goroutines and time
//
// A go statement of explored code becomes a call of shim/flow.Go, which makes an actor and takes no step.
// The new actor is ready at once, is named after the actor that made it, may be killed, and outlives its
// maker. Any number of actors may exist, but MaxActors of them have places. If one more can continue, it
// gets the place of one that has ended or waits, which gets a place again when it can continue: tokens call
// the two by one letter. Nothing is lost by that, unless more than MaxActors actors can continue at the same
// time: then those without places continue late ([Stats].Crowded). With Reduce, where the actors of all
// executions count together, and with Stateful, Solo, Coverage and processes each actor needs a place of its
// own, and one actor too many is a failure of kind [Unexplored]. With
// Reduce the steps that the maker made before precede those of the new actor. Independent makers make their
// actors in either order. An actor gets its name from its maker, but its number ([Execution.Actor],
// [Step].Actor, [Actor] by index) from the execution that is run; so a verdict should depend on names, or on
// what the actors did. A goroutine that is started by code without a shim is no actor. With Options.Strays
// its first step is a failure of kind [Stray]; otherwise it breaks the search. An execution ends when all
// actors have ended.
//
// shim/time has a virtual clock. A sleep of any length may end at any later point of the schedule, and each
// of these points is searched. Timers and tickers are actors that sleep and then send. An execution does not
// wait for a ticker to end; a ticker ticks only a few times, for the last time when no other actor can
// continue. On an ordered clock (shim/flow.Slow), which the tests of package foreign have, sleeps and timers
// end by their times instead, and only when no actor can continue. One more actor, which makes no step, lets
// that clock pass, and a timer becomes an actor when its time has come. A search with Stateful or Solo
// refuses such a clock; so does one with Reduce, unless shim/hidden makes each use of the clock a step. With
// [Options].Starvation it also passes while actors work on and on. shim/rand and shim/rand2 draw the same
// numbers in each execution; shim/maphash has one seed.
//
// # Fairness
//
// An actor that waits in a loop is set aside until another actor changes something. An actor that works in a
// loop is not: if another actor has to stop it, there are schedules in which that other one never gets its
// turn, and they end at MaxSteps. With [Options].Starvation an actor that can continue goes next as soon as
// it has waited for so many decisions of others ([Stats].Starved). This is no preemption and no delay, it
// needs no yields in the program, and it applies to the clock as well. Schedules in which somebody waits
// longer are not searched.
//
// # Channels
//
// The functions of shim/flow stand in for the uses of channels. A send, a receive, a close and a len are
// steps on their channel. An actor that has to wait at a channel without a buffer, or in a select, joins
// the queue of waiting actors by one step. When another actor has completed its operation, it continues by
// a second step (Resume), which accesses nothing. The first actor in the queue is served first. At a
// buffered channel a send or a receive waits until it is possible, and is one step. A select is a step on
// all of its channels. If none of its cases is possible it leaves the channels as they are. If several are
// possible, each of them is tried, by a data choice; the same holds if two cases wait for the same side of
// one channel. The steps read and leave a hook.Channel. An actor that is killed while it waits stays in the
// queue, and a value that is sent to it is lost.
//
// # Races
//
// With [Options.Races] the plain accesses that the code reports (by calls of shim/memory, which are written
// by hand or by package foreign) are checked for data races. Two accesses of the same bytes by two actors are
// a race if one of them is a write and neither happens before the other. A race is a failure of kind [Race]
// with both places and stacks. Happens-before is that of Go's memory model, as the shims see it. An atomic
// access that sees the effect of another one comes after it. A Store hides earlier stores from later loads. A
// failed compare-and-swap only reads. An RWMutex orders readers with writers only, a Pool each item, a Map
// all its keys, a channel each message. A step on what the runtime keeps for all goroutines (the clock,
// random numbers, the number of goroutines) orders nothing. Two rules have edges that the memory model does
// not have, which may hide a race: an Add of a WaitGroup counts as a Done, and the Wait of a Cond comes after
// all Signals before it. An atomic and a plain access to one word race as well; locks and the like are not
// compared with plain accesses. An Add that takes a WaitGroup from zero is a race with a Wait that it is not
// ordered with, because that Wait may be over too early.
//
// The race detector of the toolchain finds none of these races, because actors are coroutines and each
// switch between them orders everything. Equivalent executions have the same races, so [Options.Reduce]
// finds them all. Plain accesses are no steps. With [Options.PlainSteps] they are, so that the consequences
// of a race are explored, under sequential consistency. An access that is not reported, such as the
// initialisation of a local variable, is not seen.
//
// # Limits
//
// A process runs one exploration at a time. Explore waits for its turn, so it must not be called from
// inside a Program. No other goroutine may use a shim during an exploration. At most 32 actors
// can continue at a time. Channel operations outside of shim/flow are not seen while actors run. Goroutines,
// clocks and random sources other than those of shim/flow, shim/time and shim/rand are not controlled; the
// check for nondeterminism finds most of their effects.
package explore
