package flow

import (
	"testing"

	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/hook/hooktest"
)

// inside calls f as inside an exploration.
func inside(t *testing.T, f func()) {
	t.Helper()
	hook.Active = hooktest.Ahead(nil).Scheduler()
	defer func() { hook.Active = nil }()
	f()
}

// TestGoexit: recover returns nil while the goroutine leaves, whose deferred functions run, and what it
// recovers from otherwise.
func TestGoexit(t *testing.T) {
	inside(t, func() {
		order := ""
		recovers := func(name string) {
			if v := Recovered(Leaving() == nil && Keep(recover())); v != nil {
				order += name + v.(string)
			} else {
				order += name
			}
		}
		Body(func() {
			defer recovers("a")
			defer recovers("b")
			Goexit()
			order += "on"
		})()
		func() {
			defer recovers("c")
			panic("d")
		}()
		if order != "bacd" || Leaving() != nil || Exits() {
			t.Errorf("%q, leaving for %v", order, Leaving())
		}
	})
}

// TestLeave_Epochs: who left in an earlier execution does not leave in this one, and Body lets other panics
// pass.
func TestLeave_Epochs(t *testing.T) {
	before := hook.Epoch
	t.Cleanup(func() { hook.Epoch = before; Left() })
	inside(t, func() {
		func() {
			defer func() {
				if v := recover(); v != "why" || Leaving() != "why" {
					t.Errorf("%v, leaving for %v", v, Leaving())
				}
			}()
			Body(func() { Leave("why") })()
		}()
		if hook.Epoch++; Leaving() != nil {
			t.Errorf("it still leaves for %v", Leaving())
		}
	})
}

// TestExit: the process may end with one status only.
func TestExit(t *testing.T) {
	before := ExitCode
	t.Cleanup(func() { ExitCode = before })
	inside(t, func() {
		ExitCode = 1
		Body(func() { Exit(1) })()
		ExitCode = -1
		defer func() {
			if v := recover(); v != "os.Exit(1) was called" {
				t.Errorf("%v", v)
			}
		}()
		Body(func() { Exit(1) })()
	})
}
