package flow

import (
	"slices"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A Slow clock stands still as long as anybody can go on. So a wait for it is like one for somebody else.
type Slow struct {
	Early  bool   // a timer may also be over as soon as it is set
	Passes func() // called ahead of each end of a wait
	Passed int    // how often it was

	// Ordered lets that wait end which is the next one to end by its time, as in testing/synctest. Of several
	// that end at the same time each may be the first. Otherwise any wait may.
	Ordered bool

	// Now is the time of an ordered clock, since the execution began.
	Now time.Duration

	// Over lets an ordered clock stand still for ever: who waits for it stays where it is.
	Over bool

	// Late is set when the clock passes while some actor has not begun. That could go on, but has no place
	// among the actors: see the package explore. What comes of a timeout then may be no fault.
	Late bool

	looks int        // since the last end of a wait
	idle  int        // actors that were made and have not begun
	busy  int        // actors that wait for what an early timer calls
	queue []*sleeper // of an ordered clock: those that wait
}

// A sleeper is an actor that waits for an ordered clock.
type sleeper struct {
	until time.Duration
	turn  uint64 // 1 when nobody has to wake up earlier
}

// Clock is the clock of the execution, nil for the usual one, of which each wait ends at any later point. Who
// sets it sets it in each execution.
var Clock *Slow

// Begins is the body f of an actor that is made now. The clock of the execution learns when it begins.
func Begins(f func()) func() {
	c := Clock
	if c == nil {
		return f
	}
	c.idle++
	return func() {
		c.idle--
		f()
	}
}

// Busy reports whether some actor stands still for an early timer, though it does not wait.
func (c *Slow) Busy() bool { return c.busy > 0 }

// Wait is the wait of the running actor, on an ordered clock until that time.
func (c *Slow) Wait(s hook.Scheduler, until time.Duration) {
	if c.Ordered {
		c.waitInTurn(s, until)
		return
	}
	for !c.rests(s, func() bool { return true }) {
	}
}

// rests lets the running actor rest, and then the clock pass if nothing has happened meanwhile, for several
// may rest, and the first that goes on lets others go on.
func (c *Slow) rests(s hook.Scheduler, holds func() bool) (over bool) {
	n := c.Passed
	if s.(hook.Spawner).Rest(); n != c.Passed || c.Busy() || !holds() {
		return false
	}
	c.pass()
	return true
}

func (c *Slow) pass() {
	c.looks = 0
	c.Late = c.Late || c.idle > 0
	if c.Passed++; c.Passes != nil {
		c.Passes()
	}
}

// waitInTurn is Wait on an ordered clock. The actor rests only while nobody waits for an earlier time, so
// that the others do not go on in vain. All that rest are woken together: when the first of them lets the
// clock pass, the others rest again, unless it is their time as well.
func (c *Slow) waitInTurn(s hook.Scheduler, until time.Duration) {
	me := &sleeper{until: until}
	c.queue = append(c.queue, me)
	for over := false; !over; {
		if c.first() < until {
			me.turn = 0
			at := unsafe.Pointer(&me.turn)
			s.Wait(hook.Await, at, hook.Condition{Word: &me.turn, Mask: 1, Want: 1})
			s.After(hook.Await, at, 1, 1, true)
			continue
		}
		n := c.Passed
		s.(hook.Spawner).Rest()
		if over = c.first() == until && (n == c.Passed || until <= c.Now); c.Over {
			s.Wait(hook.Await, unsafe.Pointer(&never), hook.Condition{Word: &never, Mask: 1, Want: 1})
		}
	}
	c.pass()
	c.Now = max(c.Now, until)
	c.queue = slices.DeleteFunc(c.queue, func(x *sleeper) bool { return x == me })
	for _, x := range c.queue {
		if x.until == c.first() {
			x.turn = 1
		}
	}
}

// Still waits until nobody else can go on, unless an ordered clock passes. Without one, and outside
// explorations, it does nothing.
func Still() {
	if s := hook.Active; s != nil && Clock != nil && Clock.Ordered {
		Clock.waitInTurn(s, Clock.Now)
	}
}

// first is the earliest time for which somebody waits.
func (c *Slow) first() time.Duration {
	return slices.MinFunc(c.queue, func(a, b *sleeper) int { return int(a.until - b.until) }).until
}

// IsEarly reports whether the timer that is being set is over at once.
func (c *Slow) IsEarly(s hook.Scheduler) bool { return c != nil && c.Early && s.Choose(2) == 1 }

// Ahead lets the function of an early timer do what it can before the running actor goes on.
func (c *Slow) Ahead(s hook.Scheduler, f func()) {
	c.busy++
	spawner := s.(hook.Spawner)
	spawner.Spawn(Body(f))
	spawner.Rest()
	c.busy--
}
