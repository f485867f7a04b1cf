package flow

import (
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/hidden"
	"github.com/samecycle/samecycle/internal/hook"
)

// In a reduced search (see package hidden) each use of an ordered clock is a step: that an actor begins to
// wait, that the clock advances, and that the actor continues. The clock advances when no actor can continue,
// so what came before comes before it in all equivalent executions.

// Face is the object of the steps on the clock.
var Face byte

// step is a step that changes the clock.
func (c *Slow) step(s hook.Scheduler, change func()) {
	s.Before(hook.Runtime, unsafe.Pointer(&Face))
	c.changed(s, change)
}

// stepWhen is step, when a condition of the clock holds.
func (c *Slow) stepWhen(s hook.Scheduler, holds hook.Condition, change func()) {
	s.Wait(hook.Runtime, unsafe.Pointer(&Face), holds)
	c.changed(s, change)
}

func (c *Slow) changed(s hook.Scheduler, change func()) {
	change()
	c.changes++
	s.After(hook.Runtime, unsafe.Pointer(&Face), c.changes-1, c.changes, true)
}

// serveVisibly is Serve. The channel of a timer gets its value by the first step of f, and only then do those
// continue that come after it.
func (c *Slow) serveVisibly(s hook.Scheduler, until time.Duration, sends bool, f func()) {
	me := &sleeper{sends: sends}
	f = inBubble(f)
	c.step(s, func() { c.enter(me, until) })
	leave := func() { c.leave(me) }
	s.(hook.Spawner).Serve(func() {
		if !sends {
			c.stepWhen(s, me.called(), leave)
			f()
			return
		}
		c.stepWhen(s, me.called(), func() {})
		f()
		c.step(s, leave)
	})
}

// runVisibly is the body of the actor that advances the clock.
func (c *Slow) runVisibly(s hook.Scheduler) {
	for {
		yields.Add(1)
		s.(hook.Spawner).Rest()
		waits := false
		c.step(s, func() { waits = !c.Over && c.wake() })
		if waits {
			continue
		}
		word := &c.waiting
		if c.Over {
			word = &never
		}
		c.stepWhen(s, hook.Condition{Word: word, Mask: 1, Want: 1}, func() {})
	}
}

// End is called when the test has returned: an ordered clock is over, or goes on for so many ends of waits.
func (c *Slow) End(left int) {
	end := func() { c.Over, c.Left = left == 0, left }
	if s := hook.Active; s != nil && hidden.Reduced {
		c.step(s, end)
		return
	}
	end()
}
