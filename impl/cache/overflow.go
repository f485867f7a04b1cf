package cache

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"github.com/samecycle/samecycle/internal/seam"
)

// Store takes what a cache has no room for, such as a filestore.Store does. Its method is called by the
// goroutine whose call took the entry out (or by the janitor), behind all steps of that call and ahead of its
// event, with nothing held: it may call the cache, with the care that Event asks for. Goroutines call it at
// the same time. A slow one makes calls that set slow, and no others. If it panics, so does the call, as with
// an event: the entry, and what else has left by that call, is then in no store, and is not told.
//
// The cache only gives. A program that looks into the store when a Get finds nothing has to delete a key
// there when it deletes or sets it in the cache. An entry that left just before may arrive just after: so
// such a program may find a value that is older than what it has set since, as from any second cache behind
// another one. It should use values by which it can tell, or set them to expire.
type Store interface {
	// Put keeps an entry for so long; 0 is for ever. Key and value belong to the store. If it fails the entry
	// has left all the same: the error is counted (Stats.OverflowErrors), and OverflowError has it.
	Put(key, value []byte, ttl time.Duration) error
}

// spilled is what went to the store.
type spilled struct {
	entries, errors seam.Uint64

	mu   sync.Mutex
	last error
}

// overflow gives the entry to the store, if it left for want of room and its time is not over.
func (c *Cache) overflow(e Event) {
	if c.options.Overflow == nil || e.Reason != Evicted && e.Reason != IndexFull {
		return
	}
	var ttl time.Duration
	if e.expires != 0 {
		now := c.clock.now()
		if e.expires <= now {
			return
		}
		ttl = milliseconds(e.expires - now)
	}
	key, value := e.Key, e.Value
	if c.options.OnEvent != nil { // the event's bytes belong to its receiver
		key, value = bytes.Clone(key), bytes.Clone(value)
	}
	if err := c.options.Overflow.Put(key, value, ttl); err != nil {
		c.spills.errors.Add(1)
		c.spills.mu.Lock()
		c.spills.last = err
		c.spills.mu.Unlock()
		return
	}
	c.spills.entries.Add(1)
}

// OverflowError is the last error of Options.Overflow in this process, nil if there was none.
func (c *Cache) OverflowError() error {
	if c == nil {
		return nil
	}
	c.spills.mu.Lock()
	defer c.spills.mu.Unlock()
	if c.spills.last == nil {
		return nil
	}
	return fmt.Errorf("overflow: %w", c.spills.last)
}
