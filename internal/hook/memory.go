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

// Plains is who is told of plain accesses, nil when nobody asks. Only the explorer sets it.
var Plains Memory

// A Spawner is a [Scheduler] that can make actors while actors run.
type Spawner interface {
	// Spawn makes an actor of f. What the running actor did so far happens before it.
	Spawn(f func())
}

// Access reports a plain access of explored code. Outside explorations it does nothing.
func Access(a Plain) {
	if Plains != nil && Active != nil && a.Size > 0 {
		Plains.Plain(a)
	}
}
