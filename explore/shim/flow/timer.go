package flow

import (
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// The following functions are for the timers of shim/time. Whether a timer will send belongs to its channel,
// so changes of that, and what depends on it, are steps on the channel. The functions are called only inside
// explorations, except Empty, which may also be called at the end of an execution.

// ForTimer makes the channel of a timer. The runtime makes the value of a timer when somebody asks for it.
// Here that value waits in the buffer of one place, which explored code cannot see.
func ForTimer[T any]() chan T {
	c := make(chan T, 1)
	meet(newCase(c, true)).timer = true
	return c
}

// ForTicker makes the channel of a ticker.
func ForTicker[T any]() chan T {
	if Clock == nil || !Clock.Ordered {
		counts.tickers++
	}
	return ForTimer[T]()
}

func ofTimer(p unsafe.Pointer) bool {
	ch := lookUp(p)
	return ch != nil && ch.timer
}

// Waited returns the condition that an actor waits to receive from c, the channel of a timer, and the object
// of the condition.
func Waited[T any](c chan T) (object unsafe.Pointer, is hook.Condition) {
	ch := meet(newCase(c, true))
	return ch.p, hook.Condition{Word: &ch.waited, Mask: 1, Want: 1}
}

// Fire sends a value on c, unless there is no room, or fires, which is called in the same step, returns
// false. It returns the result of fires.
func Fire[T any](c chan T, value func() T, fires func() bool) bool {
	s, op := messenger(), newCase(c, true)
	s.Before(hook.Send, meet(op).p)
	return fire(s, op, value, fires)
}

// FireAgain is Fire, but waits for room.
func FireAgain[T any](c chan T, value func() T, fires func() bool) bool {
	s, op := messenger(), newCase(c, true)
	ch := meet(op)
	s.Wait(hook.Send, ch.p, hook.Condition{Word: &ch.word, Mask: uint64(hook.CannotSend)})
	return fire(s, op, value, fires)
}

// FireAt is Fire on an ordered clock. It asks for its time as soon as there is room on c, at the latest in
// the step that makes room.
func FireAt[T any](c chan T, until func() time.Duration, value func() T, fires func() bool) bool {
	s, op, clock, me := messenger(), newCase(c, true), Clock, &sleeper{sends: true}
	ch := meet(op)
	ch.roomy = func() { clock.enter(me, until()) }
	ch.tell()
	s.Wait(hook.Send, ch.p, me.called())
	clock.leave(me)
	return fire(s, op, value, fires)
}

func fire[T any](s hook.Messenger, op *Case[T], value func() T, fires func() bool) bool {
	ch := op.ch
	old, fired := ch.word, fires()
	if fired && ch.ready(true) {
		op.v = value()
		ch.complete(s, op)
	}
	ch.after(s, hook.Send, old)
	return fired
}

// Empty takes the value out of c, whose buffer has one place, and calls change in the same step. It reports
// whether there was a value.
func Empty[T any](c chan T, change func()) bool {
	s, op := messenger(), newCase(c, false)
	if s == nil {
		change()
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	ch := meet(op)
	s.Before(hook.Receive, ch.p)
	old, found := ch.word, ch.length > 0
	if found {
		ch.complete(s, op)
	}
	change()
	ch.turn ^= hook.Turn
	ch.after(s, hook.Receive, old)
	return found
}
