// Package held has types whose calls return with a lock held or a counter counted.
package held

import (
	"sync"
	"sync/atomic"
)

// Gate is open to one at a time, who holds its lock from one call to the next.
type Gate struct {
	mu sync.Mutex
	in bool
}

// Enter goes in if nobody is in.
func (g *Gate) Enter() bool {
	if !g.mu.TryLock() {
		return false
	}
	g.in = true
	return true
}

// Leave goes out. It is for who is in.
func (g *Gate) Leave() bool {
	if !g.in {
		return false
	}
	g.in = false
	g.mu.Unlock()
	return true
}

// Latch lets those who wait go on when as many went down as went up.
type Latch struct{ wg sync.WaitGroup }

// Up counts one more.
func (l *Latch) Up() { l.wg.Add(1) }

// Wait waits until all are down.
func (l *Latch) Wait() { l.wg.Wait() }

// Guarded has the methods of its lock.
type Guarded struct {
	sync.RWMutex
	m map[int]int
}

// NewGuarded makes one.
func NewGuarded() *Guarded { return &Guarded{m: map[int]int{1: 1}} }

// Get looks under the lock.
func (g *Guarded) Get(k int) int {
	g.RLock()
	defer g.RUnlock()
	return g.m[k]
}

// Door is like Gate, but who leaves finds out by the lock whether somebody is in. Of two that leave at the
// same time both may find the same one in.
type Door struct{ mu sync.Mutex }

// Enter goes in if nobody is in.
func (d *Door) Enter() bool { return d.mu.TryLock() }

// Leave lets out who is in.
func (d *Door) Leave() bool {
	if d.mu.TryLock() {
		d.mu.Unlock()
		return false
	}
	d.mu.Unlock()
	return true
}

// Hatch is a Latch that can be counted down, as long as it is up: wrong, for it looks first.
type Hatch struct {
	wg sync.WaitGroup
	n  atomic.Int32
}

// Up counts one more.
func (h *Hatch) Up() {
	h.wg.Add(1)
	h.n.Add(1)
}

// Down counts one less if it can.
func (h *Hatch) Down() bool {
	if h.n.Load() == 0 {
		return false
	}
	h.n.Add(-1)
	h.wg.Done()
	return true
}

// Shared is a lock for readers that can tell whether there are some, and looks twice to let one go.
type Shared struct {
	mu sync.RWMutex
}

// Enter joins the readers.
func (s *Shared) Enter() bool { return s.mu.TryRLock() }

// Leave lets a reader go, if there is one.
func (s *Shared) Leave() bool {
	if s.mu.TryLock() {
		s.mu.Unlock()
		return false
	}
	s.mu.RUnlock()
	return true
}
