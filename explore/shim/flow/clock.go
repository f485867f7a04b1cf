package flow

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// Bounds of the ticks of one ticker in an execution, and of the timers that an actor sets which serves
// others: one that was made by another and has no operation of its own. A loop over them has to end with
// them, or the execution would never end. Since the last ones come when all others have done what they can,
// a loop that waits for something that others do sees it.
const (
	FreeTicks = 1 // at any time
	LastTicks = 1 // behind these, each when nobody else can go on

	// The timers that one call sets, one after the other: a call that sets more goes on for ever, too.
	FreeTimers = 2
	LastTimers = 4
)

var boundWords = fmt.Sprintf("at most %d of each at any time, and %d more when nobody else can go on",
	FreeTicks, LastTicks)

// TickerBound and TimerBound say in words how often a ticker ticks, and a goroutine that serves others is
// woken by timers.
var (
	TickerBound = boundWords
	TimerBound  = "of those that a goroutine of the type's own sets one after the other, " + boundWords
	CallBound   = fmt.Sprintf("of those that one call sets one after the other, at most %d at any time, "+
		"and %d more when nobody else can go on", FreeTimers, LastTimers)
	SleepBound = fmt.Sprintf("a goroutine of the type's own sleeps at most %d time as long as it likes, and "+
		"then until nobody else can go on", FreeTicks)
)

// counts are those of what was begun inside explorations.
var counts struct{ tickers, timers, sleeps, operations, calls uint64 }

// Tickers returns how many tickers were made inside explorations, which are those that TickerBound is of.
func Tickers() uint64 { return counts.tickers }

// Timers and Sleeps return how many waits were begun inside explorations to which TimerBound and SleepBound
// apply: not the first ones of an actor.
func Timers() uint64 { return counts.timers }

// CallTimers is like Timers, of CallBound.
func CallTimers() uint64 { return counts.calls }

// Sleeps is like Timers.
func Sleeps() uint64 { return counts.sleeps }

// Waits returns how many waits for the clock were begun by actors that serve nobody.
func Waits() uint64 { return counts.operations }

// Look is how long it takes to look at the clock. To see whether a result depends on that, change it
// between explorations.
var Look = time.Millisecond

// quickLooks are the looks at an ordered clock that take next to no time, since a wait has ended: so that a
// test which compares times is right to the millisecond, and one that looks until a time is over comes to its
// end.
const quickLooks = 100

// LookTakes counts a look at the clock and returns how long it takes.
func LookTakes() time.Duration {
	if Clock == nil || !Clock.Ordered {
		return Look
	}
	if Clock.looks++; Clock.looks <= quickLooks {
		return min(Look, time.Microsecond)
	}
	return Look
}

// A Pause says when a wait for the clock is over.
type Pause uint8

// The pauses.
const (
	Any     Pause = iota // at any later point
	Last                 // when nobody else can go on
	Awaited              // then, too, and only if somebody waits for it
	Endless              // never: it is one too many
)

// BeginTimer says when the timer is over that the running actor sets.
func BeginTimer(s hook.Scheduler) Pause {
	p, serves := begin(s)
	switch {
	case p == Any || p == Awaited:
	case serves:
		counts.timers++
	default:
		counts.calls++
	}
	return p
}

// BeginSleep says when the sleep is over that the running actor begins. There is always a next one, so a
// loop that looks again and again whether others have done something sees it.
func BeginSleep(s hook.Scheduler) Pause {
	p, serves := begin(s)
	switch {
	case !serves && !LateTimers:
		return Any
	case serves && p != Any:
		counts.sleeps++
	}
	return min(p, Last)
}

func begin(s hook.Scheduler) (p Pause, serves bool) {
	n, serves := s.(hook.Spawner).Waits()
	if Clock != nil && Clock.Ordered {
		return Any, serves
	}
	free, last := FreeTimers, LastTimers
	if serves {
		free, last = FreeTicks, LastTicks
	} else {
		counts.operations++
	}
	switch {
	case n >= free+last:
		return Endless, serves
	case !serves && LateTimers:
		return Awaited, false
	case n >= free:
		return Last, serves
	}
	return Any, serves
}

// LateTimers makes timers and sleeps end as late as they can: when somebody waits for them and nobody else
// can go on. It concerns those of actors that serve nobody. The actor that sets it is the only one of these
// that goes on.
var LateTimers bool

// Await waits until a condition of an object holds when nobody else can go on.
func Await(s hook.Scheduler, at unsafe.Pointer, c hook.Condition) {
	for over := false; !over; {
		s.Wait(hook.Await, at, c)
		s.After(hook.Await, at, *c.Word, *c.Word, true)
		if Clock != nil {
			over = Clock.rests(s, c.Holds)
		} else {
			s.(hook.Spawner).Rest()
			over = c.Holds()
		}
	}
}
