// Package atomic is sync/atomic with each access reported to the explorer.
//
// To explore foreign code, a copy of it is built in which the import path sync/atomic is replaced by this
// one. The package has every function and type of sync/atomic. Outside an exploration each does exactly what
// the original does.
//
// Inside an exploration there are these differences: a Store reports the value that it replaces, and the
// values of Pointer and Value are reported by name, and not by address. Only one actor runs at any time, and
// each actor that runs next has seen everything that the earlier one did, so integers are accessed there
// like ordinary variables.
package atomic

import (
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// noCopy makes go vet complain about copies, as the originals do.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// before announces an access, and returns the scheduler to which its outcome is reported, or nil outside an
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
