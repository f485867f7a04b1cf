package sync

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A Locker can be locked and unlocked.
type Locker = sync.Locker

// A Mutex has the methods of the standard Mutex and reports each of its steps. It has the size of the
// standard Mutex, because some code depends on that. So it has no room for a standard Mutex: outside
// explorations, a caller that finds it locked looks again later. The states inside and outside are separate:
// a lock that a killed actor has left can be locked by others after the exploration.
type Mutex struct {
	_    [0]atomic.Uint64 // aligned on every platform
	word uint64           // heldInside, heldOutside
}

const (
	heldInside  = 1 << 0
	heldOutside = 1 << 32
)

// Lock locks m; it blocks while m is locked.
func (m *Mutex) Lock() {
	s := hook.Active
	if s == nil {
		for wait := time.Microsecond; !m.tryOutside(); wait = min(2*wait, time.Millisecond) {
			time.Sleep(wait)
		}
		return
	}
	s.Wait(hook.Lock, unsafe.Pointer(m), hook.Condition{Word: &m.word, Mask: heldInside})
	changes(m, "Lock of a Mutex")
	m.word |= heldInside
	s.After(hook.Lock, unsafe.Pointer(m), 0, 1, true)
}

// TryLock locks m if it is not locked and reports whether it did.
func (m *Mutex) TryLock() bool {
	s := hook.Active
	if s == nil {
		return m.tryOutside()
	}
	s.Before(hook.TryLock, unsafe.Pointer(m))
	changes(m, "TryLock of a Mutex")
	old := m.word & heldInside
	m.word |= heldInside
	s.After(hook.TryLock, unsafe.Pointer(m), old, 1, old == 0)
	return old == 0
}

// Unlock unlocks m. It panics if m is not locked; the original ends the program.
func (m *Mutex) Unlock() {
	s := hook.Active
	if s == nil {
		if atomic.AndUint64(&m.word, ^uint64(heldOutside))&heldOutside == 0 {
			panic("sync: unlock of unlocked mutex")
		}
		return
	}
	s.Before(hook.Unlock, unsafe.Pointer(m))
	if m.word&heldInside == 0 {
		panic("sync: unlock of unlocked mutex")
	}
	changes(m, "Unlock of a Mutex")
	m.word &^= heldInside
	s.After(hook.Unlock, unsafe.Pointer(m), 1, 0, true)
}

// tryOutside locks m outside explorations, if no other caller there has it.
func (m *Mutex) tryOutside() bool { return atomic.OrUint64(&m.word, heldOutside)&heldOutside == 0 }

// changes tells the detector of races that the running step changes *p as an atomic operation does. So the
// step races with a plain access, such as mu = Mutex{}, that nothing orders.
func changes[T any](p *T, name string) {
	hook.Access(hook.Plain{P: unsafe.Pointer(p), Size: unsafe.Sizeof(*p), Write: true, Name: name,
		Within: true, Beside: true})
}
