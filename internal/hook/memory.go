package hook

import "unsafe"

// A Plain is one access to memory without an atomic.
type Plain struct {
	P     unsafe.Pointer
	Size  uintptr // in bytes; nothing is accessed if it is 0
	Write bool
	Name  string // what the source text calls the memory; empty if nobody knows

	// Within says that it is a part of the running step, between Before and After, and no step of its own.
	// It stands for a rule of the type that makes the step, and its name says what is done. With Beside it
	// may come beside others that have Beside, even if it writes.
	Within, Beside bool
}

// A Memory is told of plain accesses by the running actor, each right ahead of it.
type Memory interface{ Plain(a Plain) }

// Plains receives the plain accesses; nil: they are not reported. Only the explorer sets it.
var Plains Memory

// A Spawner is a [Scheduler] that can make actors while actors run.
type Spawner interface {
	// Spawn makes an actor of f. What the running actor did so far happens before it.
	Spawn(f func())

	// Serve is Spawn for an actor that nobody waits for, as the runtime's part in a ticker: an execution
	// is over when nobody can go on and only such actors are left.
	Serve(f func())

	// ServeWhen is Serve for an actor that begins when the condition holds. What it does first is then no
	// decision of its own.
	ServeWhen(c Condition, f func())

	// ServeLast is Serve for an actor that begins when nobody else can go on, as if it rested.
	ServeLast(f func())

	// Pause lets the running actor go on only when the condition holds, of an object at p. It is no step, and
	// what the actor does next is no decision of its own. A reduced search and one of states refuse it, and
	// actors that begin by ServeWhen or ServeLast: they tell steps by what these touch.
	Pause(p unsafe.Pointer, c Condition)

	// Rest says that the running actor goes on only when nobody else can, but those that have nothing to
	// do either. It is no step.
	Rest()

	// Waits counts a wait of the running actor for the clock, and returns how many waits came before. For
	// an actor that serves others (one that was made by another and has no operation of its own) they count
	// since its start, and the waits of its maker are included. For any other actor they count since its
	// operation began.
	Waits() (before int, serves bool)
}

// A Messenger is a [Scheduler] that can explore channels, whose steps may touch several objects and
// order accesses message by message.
type Messenger interface {
	Scheduler

	// Also says that the step that goes on touches the object at p, too, and whether it changes it. It
	// is called between Before and After.
	Also(p unsafe.Pointer, changed bool)

	// Tell returns what happens before whatever learns it: all that the running actor has done. It
	// is nil if nobody looks for races.
	Tell() unsafe.Pointer

	// Learn says that what was told happens before what the running actor does from here on. Nil is
	// ignored.
	Learn(told unsafe.Pointer)
}

// Access reports a plain access of explored code. Outside explorations it does nothing.
func Access(a Plain) {
	if Plains != nil && Active != nil && a.Size > 0 {
		Plains.Plain(a)
	}
}
