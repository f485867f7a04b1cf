package explore

import (
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// MaxActors bounds the number of actors with which a program starts, and the number that can continue at a
// time. If more could, the others have to wait until one of these waits or ends ([Stats].Crowded).
const MaxActors = 32

// An Actor is one sequential part of a program: a client, a service, a thread of a process.
type Actor struct {
	Name string
	Body func()

	// Process, if not nil, is the one that the actor belongs to.
	Process *Process

	// Alone, if not 0, is a claim: from any state, an operation of the actor needs at most so many accesses
	// if the actor runs alone. Options.Solo > 0 checks it, and applies to the other actors.
	Alone int

	// Always, if not 0, is a claim: in every schedule an operation needs at most so many accesses of the
	// actor itself. A search checks it at each step.
	Always int
}

// A Program is what is explored. Its functions are called for every execution and must be deterministic: the
// same decisions lead to the same accesses. They are also called for the second run of an audit and for the
// rerun of a failure, which the statistics do not count. A program that counts something in its functions
// must set Options.Audit to -1.
type Program struct {
	// Name identifies the program in replay tokens.
	Name string

	// Words says that the actors share nothing but words of 64 bits in regions (see [Execution.Region]),
	// each accessed as an integer through a shim. What an actor does depends only on the results of its own
	// accesses. Finish depends on the words, and on nothing else that shows the order of steps of two
	// actors. Then a search without bounds, deaths and the like repeats what executions have in common
	// actor by actor, which takes less time than in order; a reduced one does so as well. It is a promise.
	// An actor that breaks it and so does something else than before is found, as nondeterminism.
	// Differences later, or in the verdict alone, are found by audits (see [Options].Audit) of early
	// executions and then of every n-th: each is run as the search does, and once more in order. A
	// difference that no audit meets is not found. Where an actor does something else than to access words
	// (it waits, yields, chooses, starts another, marks an event or passes a boundary) the search goes on
	// in order, a reduced one from its beginning.
	Words bool

	// Start puts all shared objects into their initial state and returns the actors. It runs before each
	// execution, so it should be cheap. Its accesses are not steps.
	Start func(x *Execution) []Actor

	// Step, if not nil, is called right after each step. An error ends the search as an invariant failure.
	// Its accesses are not steps.
	Step func(x *Execution, s Step) error

	// Finish, if not nil, gives the verdict when all actors have ended or died. An error ends
	// the search. It is not called for executions that were cut.
	Finish func(x *Execution) error

	// Stuck, if not nil, judges an execution that ended in a deadlock or a livelock. Nil means that the
	// remaining actors wait as they should: the execution counts as Stats.Blocked, and the search continues.
	// An error becomes a part of the failure.
	Stuck func(x *Execution) error

	// Tell, if not nil, describes in the program's own terms what a step read and changed, on one line; it
	// returns "" if there is nothing to say. It is called after each step of a run that is recorded for a
	// failure's report, before Program.Step, and at no other time. Its accesses are not steps.
	Tell func(x *Execution, s Step) string
}

// A Step is one step of an execution.
type Step struct {
	Index int // position in the execution, from 0, boundaries, choices and kills included
	Actor int // the actor that made it
	Kind  hook.Kind

	// Object names what was accessed: the offset in the region (for region i: i<<48 + offset),
	// or 1<<63 + actor<<32 + n for the n-th other object that this actor was the first to meet.
	Object uint64

	// Old is the value found. New is the value left or, when OK is false, the value that a
	// failed CompareAndSwap or TryLock wanted to leave. Pointers appear as names.
	Old, New uint64
	OK       bool

	// Func, File and Line tell where the access is in the code that is explored. They are
	// filled only with Options.Sites.
	Func, File string
	Line       int
}

// An Execution is the running execution as a program's functions see it. An exploration has one Execution,
// which all its executions use.
type Execution struct{ e *engine }

// Region names the objects in the size bytes from p by their offset. Call it in Start; at most
// 16 regions per execution, numbered in the order of the calls.
func (x *Execution) Region(p unsafe.Pointer, size int) { x.e.addRegion(p, size) }

// Begin marks an operation boundary of the running actor. Call it before the client's call event. The start
// of an actor is a boundary without a call, and a call there has no effect.
func (x *Execution) Begin() {
	if x.e.cur >= 0 {
		x.e.boundary()
	}
}

// Mark adds an ordered client event to the state, so that two executions with different
// histories are never taken for the same. It counts as progress. Call it in actors only;
// elsewhere it has no effect.
func (x *Execution) Mark(v uint64) {
	if x.e.cur >= 0 {
		x.e.mark(v)
	}
}

// Cut ends the execution without a verdict, because nothing that follows is of interest: neither the rest of
// this execution nor the executions that continue from here in another way. Call it only in actors, and not
// in a search with Options.Reduce, which learns from what follows how other executions differ.
func (x *Execution) Cut() {
	if e := x.e; e.cur >= 0 && !e.unwinding {
		e.outcome = pruned
		e.stop(e.actors[e.cur])
	}
}

// Ends says that the actors have done what they are explored for, and that the execution ends after so many
// further accesses, from 1. Actors that still work then count as actors that wait for ever, which
// Program.Stuck judges. Call it in actors, and once, and not in a search with Options.Reduce, which learns
// from what follows.
func (x *Execution) Ends(accesses int) {
	x.e.ends = x.e.steps + max(1, accesses)
	x.e.most = min(x.e.ends, x.e.o.MaxSteps)
}

// Actor returns the index of the running actor, -1 in Start and Finish.
func (x *Execution) Actor() int {
	if x.e.cur < 0 {
		return -1
	}
	return x.e.actors[x.e.cur].number
}

// Killed reports whether actor i was killed in this execution.
func (x *Execution) Killed(i int) bool {
	if i >= 0 && i < len(x.e.born) {
		x.e.look(x.e.actors[x.e.born[i].place].process)
	}
	return i >= 0 && i < len(x.e.born) && x.e.dead>>uint(x.e.born[i].place)&1 == 1 &&
		x.e.actors[x.e.born[i].place].number == i
}

// Token returns a token that replays this execution. Call it in Finish. In a replay it is empty, because the
// caller already has a token.
func (x *Execution) Token() string {
	if x.e.script != nil {
		return ""
	}
	switch {
	case x.e.words != nil:
		return x.e.words.token()
	case x.e.red != nil:
		return x.e.red.token()
	}
	return sparseToken(x.e.p.Name, x.e.o, x.e.trail[:x.e.pos])
}

// Again reports whether this execution was run before, and is repeated for [Options].Audit or to describe its
// failure. Code that counts executions in Finish must not count it.
func (x *Execution) Again() bool { return x.e.again }

// Unwinding reports whether the running code is the deferred code of an actor that was killed or cut. Such
// code must not change anything that Step, Finish or another actor reads.
func (x *Execution) Unwinding() bool { return x.e.unwinding }

// Steps returns the number of shared accesses of this execution so far.
func (x *Execution) Steps() int { return x.e.steps }
