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
// A step is one shared access and the local code after it, up to the actor's next access. The
// decision is taken ahead of the access. The start of an actor, and each call of
// [Execution.Begin], is an operation boundary: the actor waits there, is picked, and then passes
// the boundary and performs its first access with no decision in between. So an operation is
// called as late as possible and returns as early as possible, which is the strictest history;
// the number of executions is the number of orders of the accesses alone.
// [Options.SplitBegin] makes each boundary a decision of its own.
//
// # Preemptions
//
// Taking the processor from an actor that could go on is a preemption. [Options.Preemptions]
// bounds them; [Ascending] runs bound 0, 1, 2, ... so that the first failure is one with the
// fewest, and [Climb] does so for a caller with a search of its own. Leaving an actor that is
// finished, blocked, spinning or killed is free.
//
// # Kills
//
// With [Options.Kills] an actor may die at any of its scheduling points after its first access
// (earlier is the same as never running). It is never resumed before the verdict; its stack is
// unwound afterwards, when any shim call of its deferred code unwinds again at once. Locks that
// it held stay locked. A kill is offered right after the actor's own step: dying later, between
// steps of others, differs only for code that asks [Execution.Killed]; [Options.AnyKill] offers
// those too.
//
// # Processes
//
// Actors may belong to a [Process]. All its actors die at once, at any point of the schedule: others
// can see whether a process lives ([Execution.Gone], which stands for the system's locks), so its death
// is offered at each decision and not only after steps of its own. With [Process].ReadsDie it is offered
// where it is another one than before: after a step of the process that changed or told something, and
// after one that looked whether it lives. A death in between is the same as the one before it, but for what
// the dead has read. What processes share is one file
// mapped once for each of them ([Mapping]); an access through any mapping is one of the same object.
// Each has its own base, so an address that one stores means nothing to another: who is about to access
// memory through the mapping of another process fails with [Fault]. A plain access that nobody
// reports is not held against that. Attaching, detaching and taking over what a dead process has
// left are the code of the actors, step by step.
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
// A waiting loop is no infinite tree. An actor that makes SpinLimit steps during which nobody
// changes a shared word, or goes in a circle through the same steps for that long, or calls
// Gosched twice with no change by others in between, is set aside until another actor changes
// something or a process dies, without cost. When all actors that could run have been set aside three
// times each since the last progress (an operation boundary, a client event, an end or a death), the
// execution is a livelock. When none can run and some are blocked, it is a deadlock.
//
// # Stateful search
//
// With [Options.Stateful] an execution is cut at a state seen before. The key of a state holds
// the shared words, what each actor has read since its start, and who it was told lives (its code is
// deterministic, so this stands for its stack), which actors are enabled, finished and dead, the client
// events in their order ([Execution.Mark]), the kills left and, with a preemption bound, the actor that ran
// last; for each key the largest budget seen is kept. Objects in a region are named by offset, others
// by the actor which met them first and a count of its own; the same state under two names is
// searched twice, never confused. It is sound when actors share nothing but (a) words that the
// shims see, (b) plain memory that is not written after an atomic word published it, (c) plain
// memory guarded by locks of shim/sync. Plain memory guarded by a lock made of atomics is the
// case in which it would be unsound. A verdict in Step must depend only on what the key holds.
// Keys are hashes of 128 bits; two states share one with a probability below 2^-64 for any search
// that fits in memory.
//
// # Random executions
//
// [Options.Walks] draws executions in place of the search, by one of the [Strategy] values: plainly,
// evenly over the interleavings, or with the guarantee of PCT for bugs of a given depth. All
// come from one seed; each has a token. With kills, the number of deaths is drawn evenly and the
// place of each evenly over the length of an execution, so that late deaths are as likely as
// early ones. [Report].Bound says what the executions are worth.
//
// # Progress
//
// A livelock is told with the steps that each actor repeats. [Options.Solo] checks obstruction
// freedom: from every state that the search reaches, each live actor alone ends its operation
// within a number of its own accesses. [Options.LockFree] checks that some operation ends within a
// number of accesses of all actors together, in every schedule, and [Actor].Always that an
// actor's operations do within a number of their own. A number that holds is a bound for the
// schedules that were searched; what exceeds it is a failure with a token.
//
// # Long searches
//
// [EstimateSize] samples how many executions a search without the state cut and the reduction has.
// [Options.Shards] splits a search without the state cut among processes, exactly. [Options.Checkpoint] saves
// a search to a file and goes on from it, exactly, too. [Portfolio] spends a budget on several ways to
// search. [Options.Coverage] tells which conflicting accesses never changed places.
//
// # Reduction
//
// With [Options.Reduce] one execution is run of each class of equivalent ones: those that differ
// in the order of independent steps only. Steps of two actors depend on one another when they
// access one object and one of the two changes it. A step that leaves its object as it was only
// reads: a load, a failed CompareAndSwap, a Store of the value that is there. Steps on a lock
// change it, and a blocked one is not possible. A data choice is a part of the step that asks for
// it, and so is the death of an actor without a process. The algorithm is that of optimal dynamic
// partial order reduction with wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, J. ACM
// 64(4), 2017). Without deaths and data choices it runs as many executions as there are classes; with
// them a few percent more, with deaths of processes about a fifth, which are cut
// ([Stats].SleepBlocked).
//
// The deaths of processes are searched for each set of at most Kills processes, from none on: all
// executions in which just these die. There a death is a step that has to come. It depends on each step of
// the process's actors, with [Process].ReadsDie on each that changes or tells something (the dead might
// read on), and on each step that asks [Execution.Gone] or [Execution.Killed] of it; what it prevents is a
// step that may be anything, and could have come first. Where deaths come when nothing is left to do, or a
// process has ended before its death could come, the execution is one of a smaller set, and is cut.
//
// What is found: every final state of the shared words, everything that the actors read and
// return, every panic and deadlock, and with [Options.Histories] every history, that is which
// operation precedes which. For these a step that returns and one that calls depend on one
// another. What is not: the states between the steps of executions that are not run, so an error
// of Program.Step is found for sure only if it depends on the past of the actor that made the step;
// and what the order of independent steps leaves in memory that no shim sees, such as a list of
// the steps. The actors must share nothing but words that the shims see and plain memory that
// these order, or else the reduction is unsound.
//
// An actor waits when it has looked SpinLimit times in a row at words that nobody changed since it
// looked at them before, repeats its last SpinLimit steps, or calls Gosched twice without learning
// anything new. It waits until another actor changes one of the words that it looked at, or until
// nobody else can go on. A loop that gives up after more looks than SpinLimit is therefore seen to
// give up at the end only, after the deaths too. Objects outside regions have no names that hold across
// executions: where they matter the reduction assumes the worst, which costs executions and misses none.
// A preemption bound, Stateful, Walks and AnyKill are refused.
//
// # Words
//
// Each execution of a search has a part in common with the one before it. If the actors share nothing
// but words of 64 bits, as [Program].Words promises, that part is repeated actor by actor: ahead of each
// access its word is made to hold what was found there the first time, and each access must be and come to
// what it was. The executions, their order and the statistics are those of a search in order, but for
// [Stats].Audited: audits hold repeated executions against executions in order.
//
// With Reduce the steps of small programs, of up to 64 in an execution, 8 actors and 64 words, are sets in
// words besides, and the search of the same executions in the same order takes a third of the time. A larger
// program, or one that does more than to access words in some execution, is searched anew from there, as if
// it had promised nothing: [Stats].Repeated has what was searched before. An actor that makes no access may
// have its turn elsewhere.
//
// One thing goes on at a time in an exploration. Who explores many small programs one after another does so
// with GOMAXPROCS=1 in two thirds of the time: no other thread is woken for each, for nothing.
//
// # Goroutines and time
//
// A go statement of explored code becomes a call of shim/flow.Go, which makes an actor: it is ready at
// once, is named after its maker, may be killed, and outlives a maker that is killed. It takes no step.
// One too many for MaxActors is a failure of kind [Unexplored]; with Reduce the actors of all executions
// together count. With Reduce what its maker did until then precedes an actor, and makers that are
// independent make their actors in either order: those have their names from their makers, but their
// numbers ([Execution.Actor], [Step].Actor, [Actor] by index) from the execution that is run, so a verdict
// should go by names or by what the actors did. A goroutine that code starts which no shim sees is no actor:
// with Options.Strays its first step is a failure of kind [Stray], else it breaks the search. An execution
// ends when all actors have ended. shim/time
// has a virtual clock: a sleep ends at any later point of the schedule, each of which is searched,
// whatever its length. Timers and tickers are actors that sleep and then send; a ticker is none of those
// that an execution waits for, and ticks a few times only, the last one when nobody else can go on.
// shim/rand and shim/rand2 draw the same numbers in each execution; shim/maphash has one seed.
//
// # Channels
//
// The functions of shim/flow stand in for the uses of channels. A send, a receive, a close and a len are
// steps on their channel. Who has to wait at a channel without a buffer, or in a select, joins those that
// wait there by a step, and goes on by another one (Resume), which touches nothing, when somebody has
// completed its operation: who came first is served first. At a buffered channel a send or a receive
// waits until it is possible, and is one step. A select is a step on all of its channels: with none of
// its cases possible it leaves them as they are, and of those that are possible each is chosen, by a data
// choice; so is each of the cases with which one waits twice for the same side of a channel. What the steps
// read and leave is a hook.Channel. With deaths, who was killed while it waited goes on standing there, and
// what it is given is lost.
//
// # Races
//
// With [Options.Races] plain accesses that the code reports (shim/memory, by hand or by the rewriting of
// foreign) are held against one another: two of the same bytes by two actors, one of them a
// write, of which neither happens before the other, are a failure of kind [Race] with both places and
// stacks. Happens-before is that of Go's memory model, drawn from the shims: an atomic that sees
// another's effect comes after it, a Store hides from later loads who stored before, a failed swap only
// looks, an RWMutex orders readers with writers alone, a Pool each item, a Map all its keys, a channel
// each message, as the memory model has it; an Add of a WaitGroup counts as a Done, and the Wait of a
// Cond comes after all Signals before it, which are edges too many and may hide a race. An atomic and a
// plain access to one word race, too; locks and the like are not held against plain accesses. The race
// detector of the toolchain finds none of this, for actors are coroutines and each handover orders all.
// Equivalent executions have the same races, so [Options.Reduce] finds them all. Plain accesses are no
// steps; with [Options.PlainSteps] they are, and what comes of a race is explored, under sequential
// consistency. What nobody reports, such as the initialisation of a local variable, is not seen.
//
// # Limits
//
// One exploration runs at a time per process; Explore waits for its turn, so it must not be
// called from inside a Program. No other goroutine may use a shim meanwhile. At most 32 actors.
// What others than shim/flow do to a channel is not seen while actors run.
// Other goroutines, clocks and random sources than those of shim/flow, shim/time and shim/rand are not
// controlled; the nondeterminism check finds most of what they do.
package explore
