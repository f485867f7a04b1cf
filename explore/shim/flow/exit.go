package flow

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/samecycle/samecycle/explore/shim/hidden"
	"github.com/samecycle/samecycle/internal/hook"
)

// leaving are the goroutines that leave by a panic which replaces runtime.Goexit.
var leaving struct {
	n atomic.Int32 // while it is 0, the map is not read
	sync.Mutex
	of map[uintptr]leave // by the result of goroutine: an actor has one from its start to its end
}

type leave struct {
	why   any
	epoch uint64 // in a later execution it is over
}

// exit is the reason why a goroutine leaves that has called Goexit.
const exit = hook.Refusal("runtime.Goexit was called where it would end the caller's own goroutine: use a " +
	"program that does not come here")

// Goexit ends the goroutine after its deferred functions, in which recover returns nil. Inside an
// exploration it is a panic, from which the actor recovers at its end. Code that is not copied can stop it.
func Goexit() {
	if hook.Active == nil {
		runtime.Goexit()
	}
	Leave(exit)
}

// Leave panics with why. Copied code cannot recover from this panic, except code that asks Leaving.
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

// Leaving returns why the goroutine leaves, or nil if it does not leave. Code that then recovers from the
// panic calls Left.
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

// Left says that the goroutine no longer leaves.
func Left() {
	leaving.Lock()
	defer leaving.Unlock()
	delete(leaving.of, goroutine())
	leaving.n.Store(int32(len(leaving.of)))
}

// Body returns the body of an actor that is being made, which may call Goexit. It is one of the goroutines
// for which a bubble has to wait.
func Body(f func()) func() {
	b := mine()
	b.add(1)
	begins()
	return Begins(func() {
		defer b.add(-1)
		defer func() {
			if Exits() {
				_ = recover()
				Left()
				count(-1)
			}
		}()
		f()
		ending()
	})
}

// kept is the argument of Keep. It is under a lock until Recovered takes it.
var kept struct {
	sync.Mutex
	v any
}

// Keep keeps the result of recover for Recovered. In copied code recover() becomes
//
//	Recovered(Leaving() == nil && Keep(recover()))
//
// so that it is not called while the goroutine leaves.
func Keep(v any) bool {
	kept.Lock()
	kept.v = v
	return true
}

// Recovered returns the argument of Keep, or nil if Keep was not called.
func Recovered(is bool) any {
	if !is {
		return nil
	}
	defer kept.Unlock()
	v := kept.v
	kept.v = nil
	return v
}

// ExitCode is the code with which the process may end at present. It is negative if the process may not end.
// Code that sets it sets it in each execution. If no tests are explored, it is unset, and Exit ends the
// process.
var ExitCode = unset

const unset = -2

// Code is the state of ExitCode.
var Code hidden.State

// Exit ends the process. Inside an exploration it ends the actor if the process may end with that code.
// Otherwise it panics, because the explored program would have ended there.
func Exit(code int) {
	if hook.Active == nil || ExitCode == unset {
		os.Exit(code)
	}
	if Code.Read(); code == ExitCode {
		Leave(exit)
	}
	panic(fmt.Sprintf("os.Exit(%d) was called", code))
}
