package cache

import (
	"slices"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// Stats has what is in a cache, and what has been done with it.
type Stats struct {
	// Counts has what this process has done since it opened the cache.
	Counts
	// Overflowed is the number of entries that Options.Overflow has taken from this process, and
	// OverflowErrors the number of entries that it has refused.
	Overflowed, OverflowErrors uint64
	// All has the counts of all processes that have ever had the cache open, including this one. The counts
	// of another process are as old as the last turn of its janitor, or as its last Stats if it has none.
	// Calls that a killed process made since then are missing.
	All Counts

	// The following fields describe the cache, at several moments of the call, while others write. Entries is
	// an estimate: entries with equal hashes count as one, and entries that have expired count.
	Entries                         int
	LiveBytes, DeadBytes, FreeBytes uint64 // of live records; of the rest of used baskets; of free baskets
	Baskets, FreeBaskets            int
	OpenBaskets, SealedBaskets      int         // being filled; full
	RetiringBaskets                 int         // being emptied, to become free
	Writers                         int         // number that all processes have
	Parameters                      []Parameter // live parameters, as Cache.Parameters lists them

	Policy string      // decides which entries leave
	Tiers  []TierStats // from the top one down
}

// TierStats has what is in one tier of a cache, at several moments of a call of Stats.
type TierStats struct {
	Baskets              int           // number that are not free
	Entries              int           // an estimate, as Stats.Entries is
	LiveBytes, DeadBytes uint64        // of live records; of the rest of its baskets
	Hits                 uint64        // of all processes: see Stats.All. 0 if there is only one tier
	Youngest, Oldest     time.Duration // since the last and the first of its baskets was begun
}

// Stats takes time in proportion to the index: some ten milliseconds for an index of two million entries, the
// default size. Calls count with their handles, so counting never writes to memory that two calls share.
// Errors: ErrClosed, ErrBusy.
func (c *Cache) Stats() (Stats, error) {
	r, err := c.reading()
	if err != nil {
		return Stats{}, failed("stats", err)
	}
	defer r.give(0)
	b := c.store.Stats()
	s := Stats{Counts: c.counted(), LiveBytes: b.LiveBytes, DeadBytes: b.DeadBytes, FreeBytes: b.FreeBytes,
		Baskets: b.Baskets, FreeBaskets: b.Free, OpenBaskets: b.Open, SealedBaskets: b.Sealed,
		RetiringBaskets: b.Retiring, Writers: b.Writers, Parameters: c.params.all()}
	s.Overflowed, s.OverflowErrors = c.spills.entries.Load(), c.spills.errors.Load()
	c.counters.store(c.counted)
	s.All = c.counters.total(s.Counts)
	s.Policy, s.Tiers = b.Policy, c.tierStats(b.Tiers, s.All.TierHits)
	if err := c.countEntries(&s); err != nil {
		return Stats{}, failed("stats", err)
	}
	return s, nil
}

// countEntries counts the entries of s and of its tiers, by the cells of the index as they are. A walk of the
// index would also remember the entries that it has found, so that none counts twice if it moves; an estimate
// does not need that. Damage changes the counts here, and Check reports it.
func (c *Cache) countEntries(s *Stats) error {
	cells, err := c.region.Section(hopscotch.Engine, hopscotch.SectionCells)
	if err != nil {
		return err
	}
	for ; len(cells) >= cellWords; cells = cells[cellWords:] {
		_, there := hashIn(cells)
		value := hopscotch.Word1(cells[1].Load())
		if !there {
			continue
		}
		if s.Entries++; len(s.Tiers) > 1 {
			s.Tiers[c.store.TierAt(uint32(value.Value()))].Entries++
		}
	}
	if len(s.Tiers) == 1 {
		s.Tiers[0].Entries = s.Entries
	}
	return nil
}

// cellWords is how many words a cell of the index has.
const cellWords = 2

// hashIn is the hash of the entry in a cell of the index, if there may be one.
func hashIn(cell region.Words) (hash uint32, there bool) {
	key := hopscotch.Word0(cell[0].Load())
	switch key.Form() {
	case hopscotch.FormBase, hopscotch.FormOperating, hopscotch.FormMember, hopscotch.FormEngaged:
		return uint32(key.Key()), key.Key() != hopscotch.KeyLost
	}
	return 0, false
}

// tierStats returns the tiers without the numbers of their entries.
func (c *Cache) tierStats(tiers []basket.TierStats, hits [basket.TiersMax]uint64) []TierStats {
	all := make([]TierStats, len(tiers))
	now := c.clock.now()
	since := func(at uint64) time.Duration {
		if at == 0 || at > now {
			return 0
		}
		return milliseconds(now - at)
	}
	for i, t := range tiers {
		all[i] = TierStats{Baskets: t.Baskets, LiveBytes: t.LiveBytes, DeadBytes: t.DeadBytes, Hits: hits[i],
			Youngest: since(t.Youngest), Oldest: since(t.Oldest)}
	}
	return all
}

// Process is a process that has the cache open, or that has died and whose entry in the process table has not
// been used since.
type Process struct {
	region.Attachment
	Own    bool   // the process that has this view of the cache
	Lease  bool   // its janitor makes room for all: see the live parameter janitor.run
	Hits   uint64 // since it opened the cache, as of the last turn of its janitor; so are Misses and Sets
	Misses uint64
	Sets   uint64
}

// Processes lists the processes of the cache; a cache on the heap has none. Errors: ErrClosed, ErrBusy; those
// of [region.Region.Attachments].
func (c *Cache) Processes() ([]Process, error) {
	r, err := c.reading()
	if err != nil {
		return nil, failed("processes", err)
	}
	defer r.give(0)
	attached, err := c.region.Attachments()
	if err != nil {
		return nil, failed("processes", err)
	}
	c.counters.store(c.counted)
	owners := c.leases.Owners()
	var all []Process
	for _, a := range attached {
		p := Process{Attachment: a, Own: a.Process == c.region.Process(),
			Lease: slices.Contains(owners, a.Process)}
		if did, ok := c.counters.lines[a.Process.Index()].since(a.Process); ok {
			p.Hits, p.Misses, p.Sets = did.Hits, did.Misses, did.Sets
		}
		all = append(all, p)
	}
	return all, nil
}

// Baskets lists the baskets of the cache. If the cache is in use, they are read at different moments. Errors:
// ErrClosed, ErrBusy.
func (c *Cache) Baskets() ([]basket.Info, error) {
	r, err := c.reading()
	if err != nil {
		return nil, failed("baskets", err)
	}
	defer r.give(0)
	return slices.AppendSeq(make([]basket.Info, 0, c.store.Layout().Baskets), c.store.All()), nil
}
