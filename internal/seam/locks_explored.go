//go:build explore

package seam

import (
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// TryLock takes a lock that the system keeps for a process, which at names: one of a file. It is one
// step, which finds 1 if another process has the lock. The word at the address is not touched.
func TryLock(at *Uint64, take func() (bool, error)) (bool, error) {
	s := hook.Active
	if s == nil {
		return take()
	}
	s.Before(hook.TryLock, unsafe.Pointer(at))
	ok, err := take()
	s.After(hook.TryLock, unsafe.Pointer(at), bit(!ok), 1, ok)
	return ok, err
}

// Locked asks whether another process has such a lock. It is one step, a load.
func Locked(at *Uint64, ask func() (bool, error)) (bool, error) {
	s := hook.Active
	if s == nil {
		return ask()
	}
	s.Before(hook.Load, unsafe.Pointer(at))
	held, err := ask()
	s.After(hook.Load, unsafe.Pointer(at), bit(held), bit(held), true)
	return held, err
}

// Unlock gives such a lock up. It is one step.
func Unlock(at *Uint64, give func() error) error {
	s := hook.Active
	if s == nil {
		return give()
	}
	s.Before(hook.Unlock, unsafe.Pointer(at))
	err := give()
	s.After(hook.Unlock, unsafe.Pointer(at), 1, 0, true)
	return err
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
