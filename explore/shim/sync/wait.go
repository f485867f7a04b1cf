package sync

import (
	"sync"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// A WaitGroup has the methods of the standard WaitGroup and reports each of its steps.
type WaitGroup struct {
	real sync.WaitGroup // used outside explorations
	n    uint64         // the counter inside an exploration
}

// Add adds delta to the counter. It panics if the counter becomes negative.
func (wg *WaitGroup) Add(delta int) {
	s := hook.Active
	if s == nil {
		wg.real.Add(delta)
		return
	}
	s.Before(hook.Signal, unsafe.Pointer(wg))
	old := wg.n
	wg.n += uint64(delta)
	if int64(wg.n) < 0 {
		panic("sync: negative WaitGroup counter")
	}
	s.After(hook.Signal, unsafe.Pointer(wg), old, wg.n, true)
}

// Done takes one from the counter.
func (wg *WaitGroup) Done() { wg.Add(-1) }

// Wait blocks until the counter is zero.
func (wg *WaitGroup) Wait() {
	s := hook.Active
	if s == nil {
		wg.real.Wait()
		return
	}
	s.Wait(hook.Await, unsafe.Pointer(wg), hook.Condition{Word: &wg.n, Mask: ^uint64(0)})
	s.After(hook.Await, unsafe.Pointer(wg), 0, 0, true)
}

// Go runs f in a new goroutine that Wait waits for, inside an exploration in a new actor.
func (wg *WaitGroup) Go(f func()) {
	s := hook.Active
	if s == nil {
		wg.real.Go(f)
		return
	}
	wg.Add(1)
	s.(hook.Spawner).Spawn(flow.Body(func() {
		defer wg.Done()
		f()
	}))
}

// A Cond has the methods of the standard Cond and reports each of its steps.
type Cond struct {
	// L is held while observing or changing the condition.
	L Locker

	once    sync.Once
	real    *sync.Cond // used outside explorations
	waiters []*waiter  // in the order in which they came, inside an exploration
	count   uint64     // steps on this Cond so far; gives each step a different value
}

// A waiter is one call of Wait.
type waiter struct{ woken uint64 }

// NewCond returns a Cond with Locker l.
func NewCond(l Locker) *Cond { return &Cond{L: l} }

func (c *Cond) original() *sync.Cond {
	c.once.Do(func() { c.real = sync.NewCond(c.L) })
	return c.real
}

// Wait unlocks c.L, blocks until it is woken, and locks c.L again. Joining the waiting actors is a step of
// its own, as in the original: a Signal by an actor that does not hold c.L may come before or after it.
func (c *Cond) Wait() {
	s := hook.Active
	if s == nil {
		c.original().Wait()
		return
	}
	w := &waiter{}
	s.Before(hook.Await, unsafe.Pointer(c))
	c.waiters = append(c.waiters, w)
	c.step(s, hook.Await)
	c.L.Unlock()
	s.Wait(hook.Await, unsafe.Pointer(c), hook.Condition{Word: &w.woken, Mask: 1, Want: 1})
	c.step(s, hook.Await)
	c.L.Lock()
}

// Signal wakes the waiter that has waited longest, if there is one.
func (c *Cond) Signal() { c.wake(1) }

// Broadcast wakes all waiters.
func (c *Cond) Broadcast() { c.wake(-1) }

// wake wakes the first n waiters, all of them if n is negative.
func (c *Cond) wake(n int) {
	s := hook.Active
	if s == nil {
		if n < 0 {
			c.original().Broadcast()
		} else {
			c.original().Signal()
		}
		return
	}
	s.Before(hook.Signal, unsafe.Pointer(c))
	if n < 0 || n > len(c.waiters) {
		n = len(c.waiters)
	}
	for _, w := range c.waiters[:n] {
		w.woken = 1
	}
	c.waiters = c.waiters[n:]
	c.step(s, hook.Signal)
}

func (c *Cond) step(s hook.Scheduler, k hook.Kind) {
	c.count++
	s.After(k, unsafe.Pointer(c), c.count-1, c.count, true)
}
