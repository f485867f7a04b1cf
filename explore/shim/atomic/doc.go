// Package atomic is sync/atomic with each access reported to the explorer.
//
// Code that nobody here wrote is explored by building a copy of it in which the import path
// sync/atomic is replaced by this one. It has every function and type of sync/atomic; outside an
// exploration each does exactly what the original does.
//
// Differences inside an exploration: a Store reports the value that it replaces, and the values
// of Pointer and Value are reported by name, not by address. A single actor runs at any time, and who
// runs next has seen all that it did, so that integers are accessed there like any variable.
package atomic

import (
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// noCopy makes go vet complain about copies, as the originals do.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// before announces an access and returns the scheduler to tell of its outcome, nil outside an
// exploration.
func before(k hook.Kind, p unsafe.Pointer) hook.Scheduler {
	s := hook.Active
	if s != nil {
		s.Before(k, p)
	}
	return s
}

func afterPointer(s hook.Scheduler, k hook.Kind, p, old, new unsafe.Pointer, ok bool) {
	if s != nil {
		s.AfterPointer(k, p, old, new, ok)
	}
}
