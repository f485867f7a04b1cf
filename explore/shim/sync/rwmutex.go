package sync

import (
	"sync"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// The word of an RWMutex inside an exploration. A writer first becomes pending, which keeps new
// readers out, and then waits for the readers that are in: two steps, as in the original. So a
// reader that asks again while a writer is pending is found to deadlock.
const (
	rwReader  = 1 // one reader; the count fills the bits below rwPending
	rwReaders = 1<<32 - 1
	rwPending = 1 << 32 // a writer waits or writes
	rwWriter  = 1 << 33 // a writer writes
)

// An RWMutex has the methods of the standard RWMutex and reports each of its steps.
type RWMutex struct {
	real sync.RWMutex // used outside explorations
	word uint64
}

// Lock locks rw for writing; it blocks while rw is locked for reading or writing.
func (rw *RWMutex) Lock() {
	s := hook.Active
	if s == nil {
		rw.real.Lock()
		return
	}
	p := unsafe.Pointer(rw)
	s.Wait(hook.Await, p, hook.Condition{Word: &rw.word, Mask: rwPending})
	changes(rw, "Lock of an RWMutex")
	rw.step(s, hook.Await, rw.word|rwPending)
	s.Wait(hook.Lock, p, hook.Condition{Word: &rw.word, Mask: rwReaders})
	rw.step(s, hook.Lock, rw.word|rwWriter)
}

// TryLock locks rw for writing if that is possible at once and reports whether it did.
func (rw *RWMutex) TryLock() bool {
	s := hook.Active
	if s == nil {
		return rw.real.TryLock()
	}
	s.Before(hook.TryLock, unsafe.Pointer(rw))
	changes(rw, "TryLock of an RWMutex")
	old := rw.word
	if old == 0 {
		rw.word = rwPending | rwWriter
	}
	s.After(hook.TryLock, unsafe.Pointer(rw), old, rwPending|rwWriter, old == 0)
	return old == 0
}

// Unlock unlocks rw for writing. It panics if rw is not locked for writing.
func (rw *RWMutex) Unlock() {
	s := hook.Active
	if s == nil {
		rw.real.Unlock()
		return
	}
	s.Before(hook.Unlock, unsafe.Pointer(rw))
	if rw.word&rwWriter == 0 {
		panic("sync: Unlock of unlocked RWMutex")
	}
	changes(rw, "Unlock of an RWMutex")
	rw.step(s, hook.Unlock, rw.word&^(rwPending|rwWriter))
}

// RLock locks rw for reading; it blocks while a writer writes or waits.
func (rw *RWMutex) RLock() {
	s := hook.Active
	if s == nil {
		rw.real.RLock()
		return
	}
	c := hook.Condition{Word: &rw.word, Mask: rwPending}
	s.Wait(hook.RLock, unsafe.Pointer(rw), c)
	changes(rw, "RLock of an RWMutex")
	rw.step(s, hook.RLock, rw.word+rwReader)
}

// TryRLock locks rw for reading if that is possible at once and reports whether it did.
func (rw *RWMutex) TryRLock() bool {
	s := hook.Active
	if s == nil {
		return rw.real.TryRLock()
	}
	s.Before(hook.TryRLock, unsafe.Pointer(rw))
	changes(rw, "TryRLock of an RWMutex")
	old := rw.word
	ok := old&rwPending == 0
	if ok {
		rw.word += rwReader
	}
	s.After(hook.TryRLock, unsafe.Pointer(rw), old, old+rwReader, ok)
	return ok
}

// RUnlock undoes one RLock. It panics if rw is not locked for reading.
func (rw *RWMutex) RUnlock() {
	s := hook.Active
	if s == nil {
		rw.real.RUnlock()
		return
	}
	s.Before(hook.RUnlock, unsafe.Pointer(rw))
	if rw.word&rwReaders == 0 {
		panic("sync: RUnlock of unlocked RWMutex")
	}
	changes(rw, "RUnlock of an RWMutex")
	rw.step(s, hook.RUnlock, rw.word-rwReader)
}

// RLocker returns a Locker whose Lock and Unlock are rw's RLock and RUnlock.
func (rw *RWMutex) RLocker() Locker { return (*rlocker)(rw) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }

// step writes the word and reports it.
func (rw *RWMutex) step(s hook.Scheduler, k hook.Kind, word uint64) {
	old := rw.word
	rw.word = word
	s.After(k, unsafe.Pointer(rw), old, word, true)
}
