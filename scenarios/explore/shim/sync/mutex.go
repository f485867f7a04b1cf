package sync

import (
	"sync"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A Locker can be locked and unlocked.
type Locker = sync.Locker

// A Mutex has the methods of the standard Mutex and reports each of its steps.
type Mutex struct {
	real sync.Mutex // used outside explorations
	held uint64     // 1 while locked inside an exploration
}

// Lock locks m; it blocks while m is locked.
func (m *Mutex) Lock() {
	s := hook.Active
	if s == nil {
		m.real.Lock()
		return
	}
	s.Wait(hook.Lock, unsafe.Pointer(m), hook.Condition{Word: &m.held, Mask: 1})
	m.held = 1
	s.After(hook.Lock, unsafe.Pointer(m), 0, 1, true)
}

// TryLock locks m if it is not locked and reports whether it did.
func (m *Mutex) TryLock() bool {
	s := hook.Active
	if s == nil {
		return m.real.TryLock()
	}
	s.Before(hook.TryLock, unsafe.Pointer(m))
	old := m.held
	m.held = 1
	s.After(hook.TryLock, unsafe.Pointer(m), old, 1, old == 0)
	return old == 0
}

// Unlock unlocks m. It panics if m is not locked; the original ends the program.
func (m *Mutex) Unlock() {
	s := hook.Active
	if s == nil {
		m.real.Unlock()
		return
	}
	s.Before(hook.Unlock, unsafe.Pointer(m))
	if m.held == 0 {
		panic("sync: unlock of unlocked mutex")
	}
	m.held = 0
	s.After(hook.Unlock, unsafe.Pointer(m), 1, 0, true)
}
