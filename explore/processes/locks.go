package processes

import "github.com/samecycle/samecycle/impl/region"

// Locks are the locks of a process table as an operating system keeps them: a lock has one holder, and
// a holder that dies has none any more. They are no part of the shared memory; a copy is a state.
type Locks struct {
	holder [region.Processes]int // number of the handle, 0: nobody
}

// A System is what one handle asks of the locks.
type System struct {
	region.Futex // which an exploration does not come to: there nobody sleeps
	Locks        *Locks
	Self         int              // number of the handle, from 1
	Gone         func(i int) bool // whether the holder of that number has died
}

var _ region.System = System{}

func (s System) held(index uint32) bool {
	h := s.Locks.holder[index]
	return h != 0 && h != s.Self && !s.Gone(h)
}

// Lock implements region.System.
func (s System) Lock(index uint32) (bool, error) {
	if s.held(index) {
		return false, nil
	}
	s.Locks.holder[index] = s.Self
	return true, nil
}

// Unlock implements region.System.
func (s System) Unlock(index uint32) error {
	if s.Locks.holder[index] == s.Self {
		s.Locks.holder[index] = 0
	}
	return nil
}

// Locked implements region.System.
func (s System) Locked(index uint32) (bool, error) { return s.held(index), nil }

// Pid is the number of the handle: what a person would look up, and the same in each execution.
func (s System) Pid() uint64 { return uint64(s.Self) }

// Now is always the same time.
func (s System) Now() uint64 { return 0 }
