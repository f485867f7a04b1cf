package flow

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/samecycle/samecycle/internal/hook"
)

// leaving are the goroutines that leave by a panic which stands in for runtime.Goexit.
var leaving struct {
	n atomic.Int32 // nobody looks while it is 0
	sync.Mutex
	of map[uintptr]leave // by what goroutine returns: an actor has one from its start to its end
}

type leave struct {
	why   any
	epoch uint64 // of an earlier execution it is over
}

// exit is why a goroutine leaves that has called Goexit.
const exit = hook.Refusal("runtime.Goexit was called where it would end the caller's own goroutine: use a " +
	"program that does not come here")

// Goexit ends the goroutine behind its deferred functions, in which recover returns nil. Inside an
// exploration that is a panic, which the actor recovers from at its end; code that is not copied can stop it.
func Goexit() {
	if hook.Active == nil {
		runtime.Goexit()
	}
	Leave(exit)
}

// Leave panics with why, and lets no copied code recover from it, up to who asks Leaving.
func Leave(why any) {
	me := goroutine()
	leaving.Lock()
	if leaving.of == nil {
		leaving.of = map[uintptr]leave{}
	}
	leaving.of[me] = leave{why, hook.Epoch}
	leaving.n.Store(int32(len(leaving.of)))
	leaving.Unlock()
	panic(why)
}

// Leaving is why the goroutine leaves, nil if it does not. Who then recovers from that panic calls Left.
func Leaving() any {
	if leaving.n.Load() == 0 {
		return nil
	}
	leaving.Lock()
	defer leaving.Unlock()
	l := leaving.of[goroutine()]
	if l.why != nil && l.epoch != hook.Epoch {
		return nil
	}
	return l.why
}

// Exits reports whether the goroutine leaves because it has called Goexit.
func Exits() bool { return Leaving() == any(exit) }

// Left says that the goroutine has stopped to leave.
func Left() {
	leaving.Lock()
	defer leaving.Unlock()
	delete(leaving.of, goroutine())
	leaving.n.Store(int32(len(leaving.of)))
}

// Body is the body of an actor that is made now, which may call Goexit.
func Body(f func()) func() {
	return Begins(func() {
		defer func() {
			if Exits() {
				_ = recover()
				Left()
			}
		}()
		f()
	})
}

// kept is what Keep was given, under a lock until Recovered takes it.
var kept struct {
	sync.Mutex
	v any
}

// Keep keeps what recover returned for Recovered. In copied code recover() is
//
//	Recovered(Leaving() == nil && Keep(recover()))
//
// so that it is not called while the goroutine leaves.
func Keep(v any) bool {
	kept.Lock()
	kept.v = v
	return true
}

// Recovered is what Keep was given, nil if it was not called.
func Recovered(is bool) any {
	if !is {
		return nil
	}
	defer kept.Unlock()
	v := kept.v
	kept.v = nil
	return v
}

// ExitCode is that with which the process may end by now, negative if it may not end. Who sets it sets it in
// each execution; unset is where no tests are explored, and Exit ends the process.
var ExitCode = unset

const unset = -2

// Exit ends the process. Inside an exploration it ends the actor if the process may end with that code, and
// else it panics: what is explored would have ended with it.
func Exit(code int) {
	switch {
	case hook.Active == nil || ExitCode == unset:
		os.Exit(code)
	case code == ExitCode:
		Leave(exit)
	}
	panic(fmt.Sprintf("os.Exit(%d) was called", code))
}
