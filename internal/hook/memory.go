package hook

import "unsafe"

// A Plain is one access to memory without an atomic.
type Plain struct {
	P     unsafe.Pointer
	Size  uintptr // in bytes; nothing is accessed if it is 0
	Write bool
	Name  string // what the source text calls the memory; empty if nobody knows
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
