package flow

import (
	"slices"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/hidden"
	"github.com/samecycle/samecycle/internal/hook"
)

// A Slow clock does not advance while any actor can continue. So a wait for it is like a wait for another
// actor.
type Slow struct {
	Early  bool   // a timer may also be over as soon as it is set
	Passes func() // called before each end of a wait
	Passed int    // number of ends of waits

	// Ordered makes waits end in the order of their times, as in testing/synctest. If several end at the
	// same time, each may be the first. Without Ordered any wait may end first.
	Ordered bool

	// Now is the time of an ordered clock, since the execution began.
	Now time.Duration

	// Slack is how much later than asked for waits for an ordered clock end.
	Slack time.Duration

	// Over stops an ordered clock for ever: actors that wait for it stay where they are.
	Over bool

	// Left, if it is not 0, is the number of ends of waits after which an ordered clock is over.
	Left int

	// Late is set when the clock advances while some actor has not begun. That actor could continue, but has
	// no place among the actors: see package explore. So the consequences of a timeout may not be a fault.
	Late bool

	changes uint64     // steps that changed it, in a reduced search
	looks   int        // looks since the last end of a wait
	idle    int        // actors that were made and have not begun
	made    int        // actors that were made, begun or not
	busy    int        // actors that wait for the function of an early timer
	runs    bool       // an ordered clock has an actor of its own
	waiting uint64     // 1 if some actor waits for an ordered clock
	queue   []*sleeper // waits for an ordered clock
}

// A sleeper is a wait of an actor for an ordered clock.
type sleeper struct {
	until time.Duration
	due   bool   // its time has come
	turn  uint64 // 1 when it may continue
	sends bool   // it then sends on the channel of a timer
}

// Clock is the clock of the execution. Nil stands for the usual clock, on which each wait ends at any later
// point. Code that sets it sets it in each execution.
var Clock *Slow

// lastPlaces is the number of actors that are made before an ordered clock gets its own actor, even if none
// has waited yet. Later all places of the explorer may be taken, by actors that wait for the clock.
const lastPlaces = 16

// Begins returns the body f of an actor that is being made. The clock of the execution learns when it
// begins. The actor belongs to the bubble of the actor that makes it.
func Begins(f func()) func() {
	f = inBubble(f)
	c := Clock
	if c == nil {
		return f
	}
	c.idle++
	if c.made++; c.Ordered && c.made == lastPlaces && !hidden.Reduced {
		c.run(hook.Active)
	}
	return func() {
		c.idle--
		f()
	}
}

// inBubble returns f in the bubble of the running actor.
func inBubble(f func()) func() {
	b := mine()
	if b == nil {
		return f
	}
	return func() {
		defer b.join()()
		f()
	}
}

// Busy reports whether some actor does not run because of an early timer, although it does not wait.
func (c *Slow) Busy() bool { return c.busy > 0 }

// Wait makes the running actor wait; on an ordered clock until that time.
func (c *Slow) Wait(s hook.Scheduler, until time.Duration) {
	if c.Ordered {
		c.sleep(s, until)
		return
	}
	for !c.rests(s, func() bool { return true }) {
	}
}

// rests makes the running actor rest, and then lets the clock advance if nothing has happened in between.
// Several actors may rest, and the first that continues lets others continue.
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

// Serve makes an actor that begins at that time, on an ordered clock. No actor can look at the clock before
// and find a later time. If sends is set, its first step sends on the channel of a timer.
func (c *Slow) Serve(s hook.Scheduler, until time.Duration, sends bool, f func()) {
	c.run(s)
	if hidden.Reduced {
		c.serveVisibly(s, until, sends, f)
		return
	}
	me := &sleeper{sends: sends}
	f = inBubble(f)
	s.(hook.Spawner).ServeWhen(me.called(), func() {
		c.leave(me)
		f()
	})
	c.enter(me, until)
}

// enter tells the clock until when the sleeper waits.
func (c *Slow) enter(me *sleeper, until time.Duration) {
	me.until = until + c.Slack
	c.queue = append(c.queue, me)
	c.waiting = 1
}

// called returns the condition that the sleeper's time has come.
func (me *sleeper) called() hook.Condition { return hook.Condition{Word: &me.turn, Mask: 1, Want: 1} }

// Overtakes reports whether a look at an ordered clock that takes so long would return a time after the end
// of some wait.
func (c *Slow) Overtakes(takes time.Duration) bool {
	return slices.ContainsFunc(c.queue, func(x *sleeper) bool {
		return c.Now < x.until && x.until <= c.Now+takes
	})
}

// sleep makes the running actor wait until that time, and until no other actor can continue.
func (c *Slow) sleep(s hook.Scheduler, until time.Duration) {
	c.run(s)
	me := &sleeper{}
	if hidden.Reduced {
		c.step(s, func() { c.enter(me, until) })
		c.stepWhen(s, me.called(), func() { c.leave(me) })
		return
	}
	c.enter(me, until)
	s.(hook.Spawner).Pause(unsafe.Pointer(&me.turn), me.called())
	c.leave(me)
}

// leave ends the wait of a sleeper.
func (c *Slow) leave(me *sleeper) {
	c.queue = slices.DeleteFunc(c.queue, func(x *sleeper) bool { return x == me })
	c.waiting = uint64(min(1, len(c.queue)))
	c.call()
}

// run makes the actor that advances an ordered clock, if there is none yet. Only that actor rests, so each
// waiting actor continues only once, when its time has come. If each of them advanced the clock itself,
// every order in which they do so would be one more schedule, in which the program does the same. The actor
// makes no step, so it adds nothing to happens-before.
func (c *Slow) run(s hook.Scheduler) {
	if c.runs {
		return
	}
	c.runs = true
	spawner := s.(hook.Spawner)
	if hidden.Reduced {
		spawner.Serve(func() { c.runVisibly(s) })
		return
	}
	spawner.ServeLast(func() {
		for {
			word := &c.waiting
			if c.Over {
				word = &never
			}
			// If no actor waits, others have found nothing to do: they continue now.
			if c.Over || !c.wake() {
				spawner.Pause(unsafe.Pointer(word), hook.Condition{Word: word, Mask: 1, Want: 1})
			}
			yields.Add(1)
			spawner.Rest()
		}
	})
}

// Actors returns the number of actors that only advance the clock.
func (c *Slow) Actors() int {
	if c.runs {
		return 1
	}
	return 0
}

// wake advances an ordered clock to the earliest time for which an actor waits, and ends all waits up to
// then. It reports whether any actor waits.
func (c *Slow) wake() (waits bool) {
	first := time.Duration(0)
	for _, x := range c.queue {
		c.Late = c.Late || x.due // it could continue, but has no place
		if !x.due && (!waits || x.until < first) {
			first, waits = x.until, true
		}
	}
	if !waits {
		return false
	}
	c.pass()
	if c.Left > 0 {
		c.Left--
		c.Over = c.Left == 0
	}
	c.Now = max(c.Now, first)
	for _, x := range c.queue {
		x.due = x.due || x.until <= c.Now
	}
	c.call()
	return true
}

// call continues the actors whose time has come. The channel of a timer gets its value before any actor
// continues that began to wait later for the same time, because in the runtime a look at such a channel
// finds a time that is over. The functions of AfterFunc have no such order.
func (c *Slow) call() {
	sends := false // an actor that came earlier sends
	for _, x := range c.queue {
		if x.due && (x.sends || !sends) {
			x.turn = 1
		}
		sends = sends || x.due && x.sends
	}
}

// Still waits until no other actor can continue, unless an ordered clock advances. Without one, and outside
// explorations, it does nothing.
func Still() {
	if s := hook.Active; s != nil && Clock != nil && Clock.Ordered {
		Clock.sleep(s, Clock.Now)
	}
}

// IsEarly reports whether the timer that is being set is over at once.
func (c *Slow) IsEarly(s hook.Scheduler) bool { return c != nil && c.Early && s.Choose(2) == 1 }

// Ahead lets the function of an early timer do what it can before the running actor continues.
func (c *Slow) Ahead(s hook.Scheduler, f func()) {
	c.busy++
	spawner := s.(hook.Spawner)
	spawner.Spawn(Body(f))
	spawner.Rest()
	c.busy--
}
