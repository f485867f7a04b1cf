// Package hidden makes steps of what shims keep for all actors beside the objects of the explored code: the
// state of a test, the number of goroutines, the order of pointers.
//
// A search of all interleavings needs no such steps. It switches between actors at their other steps, so the
// order of two accesses that are no steps is that of the steps around them. A reduced search
// (explore.Options.Reduce) takes steps for independent that have no object in common, and searches one order
// of them. So there each access to something that actors share has to be a step.
package hidden

import (
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// Reduced says that the search is a reduced one, so that accesses to a State are steps. Code that sets it
// sets it before each execution.
var Reduced bool

// A State stands for something that actors share. Its methods are called right before the access, by the
// running actor, which holds no lock of the shim then. They order nothing for the search of races. Outside
// reduced searches they do nothing.
type State struct {
	changes uint64
	epoch   uint64 // the execution that changes belongs to
}

// Read says that it is read.
func (x *State) Read() { x.step(0) }

// Change says that it is changed.
func (x *State) Change() { x.step(1) }

func (x *State) step(change uint64) {
	s := hook.Active
	if s == nil || !Reduced {
		return
	}
	s.Before(hook.Runtime, unsafe.Pointer(x))
	if x.epoch != hook.Epoch {
		x.epoch, x.changes = hook.Epoch, 0
	}
	x.changes += change
	s.After(hook.Runtime, unsafe.Pointer(x), x.changes-change, x.changes, true)
}
