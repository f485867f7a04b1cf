package sync

import (
	"sync"
	"unsafe"

	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// A WaitGroup has the methods of the standard WaitGroup and reports each of its steps.
//
// An Add from zero has to happen before the Waits that are to wait for it, and after the Waits of the time
// before; otherwise a Wait may be over while it should wait. So to the detector of races such an Add reads
// what each Wait writes. Adds may come beside one another, and so may Waits. The standard WaitGroup tells
// the detector of the toolchain the same, but only of a Wait that has to wait.
type WaitGroup struct {
	real  sync.WaitGroup // used outside explorations
	n     uint64         // the counter inside an exploration
	begin uint64         // what the detector of races is told of
}

// begins tells the detector of races that an Add from zero, or a Wait, is a part of the running step.
func (wg *WaitGroup) begins(wait bool, name string) {
	hook.Access(hook.Plain{P: unsafe.Pointer(&wg.begin), Size: unsafe.Sizeof(wg.begin), Write: wait,
		Name: name, Within: true, Beside: wait})
}

// Add adds delta to the counter. It panics if the counter becomes negative.
func (wg *WaitGroup) Add(delta int) {
	s := hook.Active
	if s == nil {
		wg.real.Add(delta)
		return
	}
	s.Before(hook.Signal, unsafe.Pointer(wg))
	changes(&wg.n, "Add to a WaitGroup")
	if wg.n == 0 && delta > 0 {
		wg.begins(false, "Add to a WaitGroup at zero")
	}
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
	changes(&wg.n, "Wait for a WaitGroup")
	wg.begins(true, "Wait for a WaitGroup")
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
