package flow

import (
	"runtime"

	"github.com/samecycle/samecycle/internal/hook"
)

// LockOSThread replaces runtime.LockOSThread. Inside an exploration it does nothing: actors are coroutines,
// which share threads, and the runtime ends the process if one of them is locked to its thread.
func LockOSThread() {
	if hook.Active == nil {
		runtime.LockOSThread()
	}
}

// UnlockOSThread replaces runtime.UnlockOSThread, and does nothing inside an exploration.
func UnlockOSThread() {
	if hook.Active == nil {
		runtime.UnlockOSThread()
	}
}
