package flow

import (
	"fmt"
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

// Bounds of the ticks of one ticker in an execution. A loop over a ticker ends with them, or the execution
// never would; and since the last ones come when all others have done what they can, a loop that waits for
// something that others do sees it.
const (
	FreeTicks = 1 // at any time
	LastTicks = 1 // behind these, each when nobody else can go on
)

// TickerBound says in words how often a ticker ticks.
var TickerBound = fmt.Sprintf("at most %d of each at any time, and %d more when nobody else can go on",
	FreeTicks, LastTicks)

// tickers counts those that were made inside explorations.
var tickers uint64

// ForTicker makes the channel of a ticker.
func ForTicker[T any]() chan T {
	tickers++
	return ForTimer[T]()
}

// Tickers returns how many tickers were made inside explorations, which are those that TickerBound is of.
func Tickers() uint64 { return tickers }

func ofTimer(p unsafe.Pointer) bool {
	ch := lookUp(p)
	return ch != nil && ch.timer
}

// Fire sends a value on c unless there is no room, or fires, which is called in the same step, says no. It
// reports what fires says.
func Fire[T any](c chan T, value func() T, fires func() bool) bool {
	s, op := messenger(), newCase(c, true)
	s.Before(hook.Send, meet(op).p)
	return fire(s, op, value, fires)
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
