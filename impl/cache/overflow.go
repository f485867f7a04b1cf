package cache

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"github.com/samecycle/samecycle/internal/seam"
)

// Store receives the entries for which a cache has no room; filestore.Store is one. Its method is called by
// the goroutine whose call removed the entry, or by the janitor. This happens after all steps of that call
// and before its event. No handle is held, so the method may call the cache, with the care that Event asks
// for. Several goroutines may call it at the same time. A slow store delays calls that set, and no other
// calls. If the store panics, so does the call, as with an event: this entry, and the further entries that
// left by that call, are then in no store, and are not reported.
//
// The cache never reads from the store. A program that looks into the store when a Get finds nothing must
// delete a key there when it deletes or sets the key in the cache. An entry that left just before may arrive
// in the store just after. So such a program may find a value that is older than the one it has set since, as
// with any second-level cache. It should use values that show their age, or give them a time to live.
type Store interface {
	// Put stores an entry with this time to live; 0 is for ever. Key and value belong to the store. If Put
	// fails, the entry has left all the same. The error is counted (Stats.OverflowErrors), and OverflowError
	// returns it.
	Put(key, value []byte, ttl time.Duration) error
}

// spilled counts what went to the store.
type spilled struct {
	entries, errors seam.Uint64

	mu   sync.Mutex
	last error
}

// overflow gives the entry to the store if it left for want of room and has not expired.
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

// OverflowError is the last error of Options.Overflow in this process, or nil.
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
