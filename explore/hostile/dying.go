package hostile

import (
	"errors"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// errDied is what ends a call in which its client dies.
var errDied = errors.New("died")

// mortal schedules a client that dies after so many accesses.
type mortal struct {
	hook.Scheduler
	left int
}

func (m *mortal) Before(hook.Kind, unsafe.Pointer) {
	if m.left == 0 {
		panic(errDied)
	}
	m.left--
}

func (m *mortal) Wait(k hook.Kind, p unsafe.Pointer, _ hook.Condition)  { m.Before(k, p) }
func (m *mortal) After(hook.Kind, unsafe.Pointer, uint64, uint64, bool) {}
func (m *mortal) Choose(int) int                                        { return 0 }
func (m *mortal) Yield()                                                {}

// Dying runs f outside an exploration until f has made so many accesses, as if its process died then. It
// reports whether f came so far; the error is that of an f which ended earlier. A subject uses it to make
// the state that dead processes have left before a program begins.
func Dying(accesses int, f func() error) (died bool, err error) {
	hook.Active = &mortal{left: accesses}
	defer func() {
		hook.Active = nil
		if r := recover(); r != nil {
			if r != any(errDied) {
				panic(r)
			}
			died = true
		}
	}()
	return false, f()
}
