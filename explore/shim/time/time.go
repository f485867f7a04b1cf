// Package time is the standard package time with a virtual clock inside explorations.
//
// Nothing waits for real time there. A Sleep is a step after which the actor goes on at any later point of
// the schedule; each of these points is explored. An actor that sleeps again and again while no other
// changes anything is set aside, like one that calls Gosched, until another changes something or all others
// are blocked. So nothing is concluded from how long a sleep is, which no program may rely on. Now is a
// step on the clock, which all actors share: it starts at the same time in each execution, a look takes a
// millisecond, and a Sleep what it says. AfterFunc makes an actor that sleeps first.
//
// So do timers and tickers, which then send on their channels; these behave as since Go 1.23: nothing comes
// from one after its Stop or Reset, and its length and capacity are 0. A ticker ticks no more than
// [flow.TickerBound] says, and what serves others is woken by timers and sleeps no more than
// [flow.TimerBound] and [flow.SleepBound] do.
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
	now   time.Duration // since start
	epoch uint64        // the execution that it belongs to
}

// start is when each execution starts.
var start = time.Date(2001, time.January, 1, 0, 0, 0, 0, time.UTC)

// read announces a step on the clock.
func read(s hook.Scheduler, k hook.Kind) {
	s.Before(k, unsafe.Pointer(&clock))
	begin()
}

// begin starts the clock if that is of an earlier execution.
func begin() {
	if clock.epoch != hook.Epoch {
		clock.epoch, clock.looks, clock.now = hook.Epoch, 0, 0
	}
}

// Now returns the time. Ahead of the first exploration that is the time at which executions begin, so that
// what a program keeps from its own start is not later than the times in executions.
func Now() Time {
	s := hook.Active
	switch {
	case s == nil && hook.Epoch == 0:
		return start
	case s == nil:
		return time.Now()
	}
	read(s, hook.Add)
	clock.looks++
	*now() += flow.LookTakes()
	t := onClock()
	s.After(hook.Add, unsafe.Pointer(&clock), clock.looks-1, clock.looks, true)
	return t
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
		s.Yield()
		return
	}
	pause := flow.BeginSleep(s)
	read(s, hook.Load)
	until := in(d)
	if !ordered() {
		clock.now = until // the order of sleeps does not matter, so it is no change to others
	}
	s.After(hook.Load, unsafe.Pointer(&clock), clock.looks, clock.looks, true)
	if !rest(s, pause, until) {
		s.Yield()
	}
}

// ordered reports whether waits end by their times.
func ordered() bool { return flow.Clock != nil && flow.Clock.Ordered }

// now is the time since start.
func now() *Duration {
	if ordered() {
		return &flow.Clock.Now
	}
	begin()
	return &clock.now
}

// in is the time after d.
func in(d Duration) Duration { return *now() + max(d, 0) }

// rest lets the running actor wait until nobody else can go on, if a pause ends only then, and reports
// whether it does; on an ordered clock until that time.
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

// pass lets d pass in the step that goes on, if it has not passed already.
func pass(d Duration) {
	if !ordered() {
		clock.now = in(d)
	}
	hook.Active.(hook.Messenger).Also(unsafe.Pointer(&clock), false)
}
