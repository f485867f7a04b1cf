package explore

import (
	"iter"
	"runtime"
	"runtime/debug"
)

// A coroutine runs one body after another, of whatever actor it is the turn when it is free, also in
// later explorations (see crew). When a body ends and the next to go on has not begun, the coroutine
// goes on as that one, which takes no switch. The driver is a coroutine that runs no bodies.
//
// Control passes from a coroutine directly to any other, in one switch. A switch of iter.Pull exchanges the
// goroutine that calls next or yield with the one that is parked there, whichever it is. So a coroutine may
// continue on another goroutine than the one that it started with. Of n coroutines and the driver one runs,
// and each of the n places has one of the others: at tells which place. Calls of next and yield take turns
// at each place, whoever makes them.
type coroutine struct {
	crew   *crew
	next   func() (struct{}, bool)
	yield  func(struct{}) bool
	called bool       // the last call at this place was that of next
	at     *coroutine // the place where its goroutine is parked, unless it runs
}

// coroutine returns one that is free.
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

// stage is the coroutine that has to run for actor i, or the driver, to go on.
func (e *engine) stage(i int32) *coroutine {
	if i != driver {
		if o := e.actors[i].on; o != nil {
			return o
		}
	}
	return e.spare(i)
}

// spare is stage where no body is suspended.
func (e *engine) spare(i int32) *coroutine {
	if i == driver {
		return &e.crew.driver
	}
	return e.crew.coroutine()
}

// switchTo runs another coroutine until some coroutine switches to this one, which runs.
//
// After a switch the processor expects to return from the calls of the other goroutine, so each
// level between here and the explored code costs some 20 cycles more. That is why engine.Before has
// these lines once more.
func (o *coroutine) switchTo(to *coroutine) {
	if place := o.park(to); place.called {
		place.next()
	} else if !place.yield(struct{}{}) {
		o.crew.left()
	}
}

// park notes that the goroutine of o takes the place of to's.
func (o *coroutine) park(to *coroutine) (place *coroutine) {
	place = to.at
	o.at, place.called = place, !place.called
	return place
}

// left is called by a goroutine that was parked at a place whose own goroutine has ended. Unless the
// coroutines are to end that was a call of runtime.Goexit, or a panic of the explorer's own, and this
// one ends in the same way. A place where next was called does so by itself. As no goroutine is parked
// at the place of one that ended before it, the driver ends last.
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
	debug.SetPanicOnFault(true) // an address that means nothing is a panic of the actor, no crash
	for o.crew.ending == nil {
		e := o.crew.e // another one in the next exploration
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
		// What a goroutine leaves when it ends is its own place: the driver has to be parked there.
		c.ending = o
		for _, p := range all {
			if p.at == o {
				c.driver.switchTo(p)
				break
			}
		}
	}
}
