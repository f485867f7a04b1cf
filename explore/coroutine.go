package explore

import (
	"iter"
	"runtime"
	"runtime/debug"
)

// A coroutine runs one body after another. When it is free, it takes the body of the actor whose turn it is,
// also in later explorations (see crew). When a body ends, and the next actor has not begun, the coroutine
// runs that actor's body, which needs no switch. The driver is a coroutine that runs no bodies.
//
// Control passes from a coroutine directly to any other coroutine, in one switch. A switch of iter.Pull
// exchanges the goroutine that calls next or yield with the goroutine that is parked there, whichever it is.
// So a coroutine may continue on another goroutine than the one on which it started. There are n coroutines
// and the driver. One of them runs, and each of the n places has one of the others: at says which place. At
// each place, calls of next and yield alternate, whichever goroutine makes them.
type coroutine struct {
	crew   *crew
	next   func() (struct{}, bool)
	yield  func(struct{}) bool
	called bool       // the last call at this place was that of next
	at     *coroutine // the place where its goroutine is parked, unless the coroutine runs
}

// coroutine returns a free coroutine.
func (c *crew) coroutine() *coroutine {
	if n := len(c.free); n > 0 {
		o := c.free[n-1]
		c.free = c.free[:n-1]
		return o
	}
	o := &coroutine{crew: c}
	o.at = o
	o.next, _ = iter.Pull(o.run)
	return o
}

// stage returns the coroutine to switch to if actor i, or the driver, is to continue.
func (e *engine) stage(i int32) *coroutine {
	if i != driver {
		if o := e.actors[i].on; o != nil {
			return o
		}
	}
	return e.spare(i)
}

// spare returns the coroutine for an actor whose body is not suspended.
func (e *engine) spare(i int32) *coroutine {
	if i == driver {
		return &e.crew.driver
	}
	return e.crew.coroutine()
}

// switchTo runs another coroutine until some coroutine switches to this one.
//
// After a switch the processor predicts returns from the calls of the other goroutine, so each level of
// calls between here and the explored code costs about 20 cycles more. That is why engine.Before repeats
// these lines.
func (o *coroutine) switchTo(to *coroutine) {
	if place := o.park(to); place.called {
		place.next()
	} else if !place.yield(struct{}{}) {
		o.crew.left()
	}
}

// park notes that the goroutine of o takes the place of to's goroutine.
func (o *coroutine) park(to *coroutine) (place *coroutine) {
	place = to.at
	o.at, place.called = place, !place.called
	return place
}

// left is called by a goroutine that was parked at a place whose own goroutine has ended. If the coroutines
// are not being ended, the cause is a call of runtime.Goexit, or a panic of the explorer itself, and this
// goroutine ends in the same way. A place where next was called does so by itself. No goroutine is parked at
// the place of one that ended before it, so the driver ends last.
func (c *crew) left() {
	switch {
	case c.panicked != nil:
		panic(c.panicked)
	case c.ending == nil:
		runtime.Goexit()
	}
}

// run is the coroutine.
func (o *coroutine) run(yield func(struct{}) bool) {
	defer func() {
		if r := recover(); r != nil {
			o.crew.panicked = r
			panic(r)
		}
	}()
	o.yield = yield
	debug.SetPanicOnFault(true) // an access to an invalid address is a panic of the actor, and not a crash
	for o.crew.ending == nil {
		e := o.crew.e // in the next exploration this is another engine
		a := e.actors[e.cur]
		a.on = o
		a.runBody()
		a.on = nil
		e.leave(a)
		if e.cur != driver && e.actors[e.cur].on == nil {
			continue
		}
		o.crew.free = append(o.crew.free, o)
		o.switchTo(e.stage(e.cur))
		for o.crew.ending != nil && o.crew.ending != o {
			o.switchTo(o.crew.ending)
		}
	}
}

// end ends the coroutines, which are all free. The driver calls it.
func (c *crew) end() {
	all := c.free
	c.free = nil
	for _, o := range all {
		// A goroutine that ends leaves its own place, so the driver has to be parked there.
		c.ending = o
		for _, p := range all {
			if p.at == o {
				c.driver.switchTo(p)
				break
			}
		}
	}
}
