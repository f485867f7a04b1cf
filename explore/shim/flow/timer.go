package flow

import (
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// What follows is for the timers of shim/time: whether one will send belongs to its channel, so that what
// changes it and what depends on it are steps on the channel. They are called inside explorations only, but
// for Empty, which whoever looks at the end of an execution may come to.

// ForTimer makes the channel of a timer. Its buffer of one place is where a value waits that the runtime
// makes when somebody asks for it, so nobody sees the buffer.
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

// Waited says that somebody waits to receive from c, of a timer: a condition of the object.
func Waited[T any](c chan T) (object unsafe.Pointer, is hook.Condition) {
	ch := meet(newCase(c, true))
	return ch.p, hook.Condition{Word: &ch.waited, Mask: 1, Want: 1}
}

// Fire sends a value on c unless there is no room, or fires, which is called in the same step, says no. It
// reports what fires says.
func Fire[T any](c chan T, value func() T, fires func() bool) bool {
	s, op := messenger(), newCase(c, true)
	s.Before(hook.Send, meet(op).p)
	return fire(s, op, value, fires)
}

// Room waits until there is room on c.
func Room[T any](c chan T) {
	s, op := messenger(), newCase(c, true)
	ch := meet(op)
	s.Wait(hook.Send, ch.p, hook.Condition{Word: &ch.word, Mask: uint64(hook.CannotSend)})
	ch.after(s, hook.Send, ch.word)
}

// FireAgain is Fire that waits for room.
func FireAgain[T any](c chan T, value func() T, fires func() bool) bool {
	s, op := messenger(), newCase(c, true)
	ch := meet(op)
	s.Wait(hook.Send, ch.p, hook.Condition{Word: &ch.word, Mask: uint64(hook.CannotSend)})
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

// Empty takes what is in c, whose buffer has one place, and calls change in the same step. It reports whether
// there was something.
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
