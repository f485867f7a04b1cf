package flow

import (
	"runtime"
	"slices"
	"time"

	"github.com/samecycle/samecycle/internal/hook"
)

// Finalized says that the running execution has asked for a call when the garbage collector finds that
// nothing refers to something. A goroutine of the runtime makes that call, which is no actor. Code that uses
// Finalized clears it before each execution.
var Finalized bool

// SetFinalizer does what runtime.SetFinalizer does.
func SetFinalizer(obj, finalizer any) {
	Finalized = true
	runtime.SetFinalizer(obj, finalizer)
}

// AddCleanup does what runtime.AddCleanup does.
func AddCleanup[T, S any](p *T, cleanup func(S), arg S) runtime.Cleanup {
	Finalized = true
	return runtime.AddCleanup(p, cleanup, arg)
}

// expected are what the running execution expects from outside the explored code.
var expected struct {
	epoch uint64
	came  []func() bool
}

// Expect says that the running execution expects something from outside the explored code. came reports
// whether it has come; other goroutines may call it.
func Expect(came func() bool) {
	if expected.epoch != hook.Epoch {
		expected.epoch, expected.came = hook.Epoch, nil
	}
	expected.came = append(expected.came, came)
}

// Disturbed waits until code that is not explored has sent on a channel, or has closed one, at which an
// actor of the running execution waits to receive, or until what was expected has come, and reports whether
// that has happened in time. The execution cannot go on as it would have afterwards.
func Disturbed(within time.Duration) bool {
	var awaited []*channel
	for _, ch := range known.channels {
		if !ch.closed && !ch.timer && (len(ch.receivers) > 0 || ch.rowed()) {
			awaited = append(awaited, ch)
		}
	}
	var came []func() bool
	if expected.epoch == hook.Epoch {
		came = expected.came
	}
	const pause = 2 * time.Millisecond
	for end := time.Now().Add(within); len(awaited)+len(came) > 0; time.Sleep(pause) {
		if slices.ContainsFunc(came, func(is func() bool) bool { return is() }) {
			return true
		}
		for _, ch := range awaited {
			if ch.met.disturbed(ch.length) {
				return true
			}
		}
		if time.Now().After(end) {
			break
		}
	}
	return false
}

// rowed reports whether single operations wait to receive.
func (ch *channel) rowed() bool {
	for _, r := range ch.rows {
		if !r.sends {
			return true
		}
	}
	return false
}
