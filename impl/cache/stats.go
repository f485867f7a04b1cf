package cache

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Stats is what a cache has, and what this process has done since it opened it.
type Stats struct {
	// Of this process: those of all processes are the sum of what each of them says.
	Hits, Misses uint64 // of Get, View and GetBatch
	Sets         uint64 // values that were set, by whatever call
	Replaced     uint64 // values that a set has replaced
	Deleted      uint64
	Expired      uint64
	Evicted      uint64
	IndexFull    uint64 // entries that left since the index was full
	Dead         uint64 // entries that had left by calls of processes that died in them

	// Of the cache, of some moments of the call: others write meanwhile.
	// Entries is an estimate: those whose hashes are equal count as one, and those that have expired count.
	Entries                         int
	LiveBytes, DeadBytes, FreeBytes uint64 // of records; of what else is in baskets; of free baskets
	Baskets, FreeBaskets            int
	Writers                         int         // that all processes have
	Parameters                      []Parameter // live parameters, as Cache.Parameters lists them
}

// Stats takes time in proportion to the index: some milliseconds for a million entries. The counts of this
// process are kept with the handles, so no call writes to memory that another one uses for them. Errors:
// ErrClosed, ErrBusy.
func (c *Cache) Stats() (Stats, error) {
	r, err := c.readers.take()
	if err != nil {
		return Stats{}, fmt.Errorf("stats: %w", err)
	}
	b := c.store.Stats()
	entries := hopscotch.Measure(c.table).Elements
	live := c.params.all()
	r.give(0)
	s := Stats{Entries: entries, LiveBytes: b.LiveBytes, DeadBytes: b.DeadBytes, FreeBytes: b.FreeBytes,
		Baskets: b.Baskets, FreeBaskets: b.Free, Writers: b.Writers,
		Parameters: live}
	s.Hits, s.Misses = c.readers.counts()
	s.Sets, _ = c.writers.counts()
	for reason, count := range map[Reason]*uint64{basket.ReasonReplaced: &s.Replaced,
		basket.ReasonDeleted: &s.Deleted, basket.ReasonExpired: &s.Expired, basket.ReasonEvicted: &s.Evicted,
		basket.ReasonIndexFull: &s.IndexFull, basket.ReasonDead: &s.Dead} {
		for i := range c.tallies {
			*count += c.tallies[i].left[reason].Load()
		}
	}
	return s, nil
}
