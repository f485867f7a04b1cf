package flow

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/hidden"
	"github.com/samecycle/samecycle/internal/hook"
)

// Bounds of the ticks of one ticker in an execution, and of the timers set by an actor that serves others:
// an actor that was made by another one and has no operation of its own. A loop over such ticks or timers
// has to end when they end, or the execution would never end. The last ones come when all other actors have
// done what they can, so a loop that waits for something that others do sees it.
const (
	FreeTicks = 1 // at any time
	LastTicks = 1 // after these, each when no other actor can continue

	// Timers that one call sets, one after the other. A call that sets more would never end either.
	FreeTimers = 2
	LastTimers = 4
)

var boundWords = fmt.Sprintf("at most %d of each at any time, and %d more when nobody else can go on",
	FreeTicks, LastTicks)

// TickerBound and TimerBound say in words how often a ticker ticks, and how often timers wake a goroutine
// that serves others.
var (
	TickerBound = boundWords
	TimerBound  = "of those that a goroutine of the type's own sets one after the other, " + boundWords
	CallBound   = fmt.Sprintf("of those that one call sets one after the other, at most %d at any time, "+
		"and %d more when nobody else can go on", FreeTimers, LastTimers)
	SleepBound = fmt.Sprintf("a goroutine of the type's own sleeps at most %d time as long as it likes, and "+
		"then until nobody else can go on", FreeTicks)
)

// counts count what was begun inside explorations.
var counts struct{ tickers, timers, sleeps, operations, calls uint64 }

// Tickers returns the number of tickers that were made inside explorations, to which TickerBound applies.
func Tickers() uint64 { return counts.tickers }

// Timers and Sleeps return how many waits were begun inside explorations to which TimerBound and SleepBound
// apply: not the first ones of an actor.
func Timers() uint64 { return counts.timers }

// CallTimers is like Timers, of CallBound.
func CallTimers() uint64 { return counts.calls }

// Sleeps is like Timers.
func Sleeps() uint64 { return counts.sleeps }

// Waits returns the number of waits for the clock that were begun by actors that do not serve others.
func Waits() uint64 { return counts.operations }

// Begin is the time at which each execution begins: a midnight, UTC, at least one hour and at most 25 hours
// from now. So the date is about that of the day, for certificates and the like, and what is told to code
// that does not see this clock, such as the deadline of a connection, is not over yet.
var Begin = time.Now().UTC().Add(25 * time.Hour).Truncate(24 * time.Hour)

// Look is the time that a look at the clock takes. To find out whether a result depends on it, change it
// between explorations.
var Look = time.Millisecond

// quickLooks is the number of looks at an ordered clock, since a wait has ended, that take almost no time.
// So a test that compares times is right to the millisecond, and a test that looks until a time is over
// comes to its end.
const quickLooks = 100

// LookTakes counts a look at the clock, and returns the time that it takes. In a bubble it takes no time.
func LookTakes() time.Duration {
	switch {
	case mine() != nil:
		return 0
	case Clock == nil || !Clock.Ordered:
		return Look
	case hidden.Reduced: // a number of looks would have to be a step
		return min(Look, time.Microsecond)
	}
	if Clock.looks++; Clock.looks <= quickLooks {
		return min(Look, time.Microsecond)
	}
	return Look
}

// A Pause says when a wait for the clock ends.
type Pause uint8

// The pauses.
const (
	Any     Pause = iota // at any later point
	Last                 // when no other actor can continue
	Awaited              // as Last, and only if some actor waits for it
	Endless              // never, because the bound is reached
)

// BeginTimer says when the timer ends that the running actor sets.
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

// BeginSleep says when the sleep ends that the running actor begins. There is always a next sleep, so a loop
// that looks repeatedly whether others have done something sees it.
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

// LateTimers makes timers and sleeps end as late as possible: when some actor waits for them and no other
// actor can continue. It concerns the timers and sleeps of actors that do not serve others. The actor that
// sets it is the only one of these that continues.
var LateTimers bool

// Await waits until no other actor can continue and a condition of an object holds.
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
