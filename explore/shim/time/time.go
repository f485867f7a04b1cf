// Package time is the standard package time with a virtual clock inside explorations.
//
// Nothing waits for real time there. A Sleep is a step after which the actor continues at any later point of
// the schedule; each of these points is explored. An actor that sleeps again and again while no other actor
// changes anything is set aside, like one that calls Gosched, until another actor changes something or all
// others are blocked. So nothing is concluded from the length of a sleep, on which no program may rely. Now
// is a step on the clock, which all actors share. The clock starts at the same time in each execution
// ([flow.Begin]), a look takes a millisecond, and a Sleep takes its duration. AfterFunc makes an actor that
// sleeps first.
//
// Timers and tickers sleep in the same way, and then send on their channels. These behave as since Go 1.23:
// nothing comes from one after its Stop or Reset, and its length and capacity are 0. A ticker ticks no more
// often than [flow.TickerBound] says. Goroutines that serve others are woken by timers, and sleep, no more
// often than [flow.TimerBound] and [flow.SleepBound] say.
package time

import (
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// clock is the virtual clock of the running execution.
var clock struct {
	looks uint64
	now   time.Duration // since flow.Begin
	epoch uint64        // the execution that it belongs to
}

// read announces a step on the clock.
func read(s hook.Scheduler) {
	s.Before(hook.Runtime, unsafe.Pointer(&flow.Face))
	begin()
}

// begin starts the clock if it is that of an earlier execution.
func begin() {
	if clock.epoch != hook.Epoch {
		clock.epoch, clock.looks, clock.now = hook.Epoch, 0, 0
	}
}

// Now returns the time. Before the first exploration that is the time at which executions begin, so times
// that a program keeps from its own start are not later than the times in executions.
func Now() Time {
	s := hook.Active
	switch {
	case s == nil && hook.Epoch == 0:
		return flow.Begin
	case s == nil:
		return time.Now()
	}
	t, until := look(s, flow.LookTakes())
	if until > 0 { // like a sleep, so that earlier waits have ended
		flow.Clock.Wait(s, until)
		t, _ = look(s, 0)
	}
	return t
}

// look is a step on the clock that takes so long. If it would pass the end of another actor's wait, it takes
// no time, and returns until when the actor has to wait.
func look(s hook.Scheduler, takes Duration) (t Time, until Duration) {
	read(s)
	clock.looks++
	if ordered() && flow.Clock.Overtakes(takes) {
		until = *now() + takes
	} else {
		*now() += takes
	}
	t = onClock()
	s.After(hook.Runtime, unsafe.Pointer(&flow.Face), clock.looks-1, clock.looks, true)
	return t, until
}

// Since returns the time from t until now.
func Since(t Time) Duration { return Now().Sub(t) }

// Until returns the time from now until t.
func Until(t Time) Duration { return t.Sub(Now()) }

// Sleep waits for at least d.
func Sleep(d Duration) {
	s := hook.Active
	if s == nil {
		time.Sleep(d)
		return
	}
	if d <= 0 && ordered() { // it is over at once
		flow.Gosched()
		return
	}
	pause := flow.BeginSleep(s)
	read(s)
	until := in(d)
	if !ordered() {
		clock.now = until // the order of sleeps does not matter, so others see no change
	}
	s.After(hook.Runtime, unsafe.Pointer(&flow.Face), clock.looks, clock.looks, true)
	if !rest(s, pause, until) {
		s.Yield()
	}
}

// ordered reports whether waits end by their times.
func ordered() bool { return flow.Clock != nil && flow.Clock.Ordered }

// now is the time since flow.Begin.
func now() *Duration {
	if ordered() {
		return &flow.Clock.Now
	}
	begin()
	return &clock.now
}

// in returns the time after d.
func in(d Duration) Duration { return *now() + max(d, 0) }

// rest makes the running actor wait until no other actor can continue, if the pause ends only then, and
// reports whether it does. On an ordered clock it waits until that time.
func rest(s hook.Scheduler, p flow.Pause, until Duration) bool {
	switch {
	case flow.Clock != nil:
		flow.Clock.Wait(s, until)
	case p == flow.Last:
		s.(hook.Spawner).Rest()
	default:
		return false
	}
	return true
}

// pass lets d pass in the present step, if it has not passed already.
func pass(d Duration) {
	if !ordered() {
		clock.now = in(d)
	}
	hook.Active.(hook.Messenger).Also(unsafe.Pointer(&flow.Face), false)
}
