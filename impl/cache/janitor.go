package cache

import "time"

// The janitor is a goroutine that does ahead of time what calls would else do on their way: it keeps some
// baskets free, takes back what dead processes had, and moves the tick of the clock. Nothing depends on it.
// Whatever it does with the region it does with a handle, as every call does. So Close need not wait for it,
// and an event that it tells may call Close.

const (
	tendRecords = 64 // in one portion, for which it has a writer
	tendMost    = 64 // portions between two ticks
	settleEvery = 10 // ticks
	idleTicks   = 50 // after which a handle that was not needed is given up
)

// startJanitor begins; closing what it returns ends it.
func (c *Cache) startJanitor() chan struct{} {
	stop := make(chan struct{})
	c.clock.advance()
	go c.tidy(stop)
	return stop
}

// tidy is the janitor's life.
func (c *Cache) tidy(stop chan struct{}) {
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		c.clock.advance()
		if n%settleEvery == 0 {
			c.settle()
		}
		if c.writers.made.Load() > 0 {
			c.tend()
		}
		if n%idleTicks == 0 { // an error is one of a handle that is given up, and nobody is to be told
			_ = c.writers.shrink(1)
			_ = c.readers.shrink(1)
		}
	}
}

// tend keeps the reserve of free baskets.
func (c *Cache) tend() {
	for range tendMost {
		s, err := c.writers.take()
		if err != nil {
			return
		}
		did, err := s.handle.Tend(tendRecords)
		c.done(s, 0)
		if err != nil || did == 0 {
			return
		}
	}
}

// settle finishes what dead processes have begun in the index, and gives their descriptors back. What they
// had in baskets is found by whoever looks for room.
func (c *Cache) settle() {
	r, err := c.readers.take()
	if err != nil {
		return
	}
	dead, err := c.table.Orphans()
	r.give(0)
	if err != nil || len(dead) == 0 {
		return
	}
	if s, err := c.writers.take(); err == nil {
		_ = s.handle.Settle()
		c.done(s, 0)
	}
}
