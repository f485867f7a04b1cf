// Package hooktest has what tests need that take the place of the explorer for one actor.
package hooktest

import (
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// Alone is a scheduler of one actor, beside which nobody runs. A test embeds it, and adds Before.
type Alone struct{}

// Wait panics: nobody else could end the wait.
func (Alone) Wait(hook.Kind, unsafe.Pointer, hook.Condition) { panic("nobody waits") }

// After does nothing.
func (Alone) After(hook.Kind, unsafe.Pointer, uint64, uint64, bool) {}

// AfterPointer does nothing.
func (Alone) AfterPointer(_ hook.Kind, _, _, _ unsafe.Pointer, _ bool) {}

// Choose takes the first choice.
func (Alone) Choose(int) int { return 0 }

// Yield panics: there is nobody to go on instead.
func (Alone) Yield() { panic("nobody waits") }

// Ahead is another actor that does something ahead of each access of the one that runs.
type Ahead func(k hook.Kind, p unsafe.Pointer)

// Scheduler is what hook.Active is set to.
func (f Ahead) Scheduler() hook.Scheduler { return ahead{f: f} }

type ahead struct {
	Alone
	f Ahead
}

func (a ahead) Before(k hook.Kind, p unsafe.Pointer) { a.f(k, p) }
