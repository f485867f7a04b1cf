package cache

import (
	"slices"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// Stats is what a cache has, and what has been done with it.
type Stats struct {
	// Counts are of this process since it has opened the cache.
	Counts
	// Overflowed is how many entries this process has given to Options.Overflow, and OverflowErrors how many
	// of them that has refused.
	Overflowed, OverflowErrors uint64
	// All are the counts of all processes that have ever had the cache, this one among them. Those of other
	// processes are as old as the last turn of their janitors, or their last Stats if they have none. What a
	// killed process has counted since then is missing.
	All Counts

	// Of the cache, of some moments of the call: others write meanwhile.
	// Entries is an estimate: those whose hashes are equal count as one, and those that have expired count.
	Entries                         int
	LiveBytes, DeadBytes, FreeBytes uint64 // of records; of what else is in baskets; of free baskets
	Baskets, FreeBaskets            int
	OpenBaskets, SealedBaskets      int         // being filled; full
	RetiringBaskets                 int         // being walked over, to be free
	Writers                         int         // that all processes have
	Parameters                      []Parameter // live parameters, as Cache.Parameters lists them

	Policy string      // by which entries leave
	Tiers  []TierStats // from the top one down
}

// TierStats is what a cache has in one tier, at some moments of a call of Stats.
type TierStats struct {
	Baskets              int           // that are not free
	Entries              int           // an estimate, as Stats.Entries is
	LiveBytes, DeadBytes uint64        // of records; of what else is in its baskets
	Hits                 uint64        // of all processes: see Stats.All. 0 if there is only one tier
	Youngest, Oldest     time.Duration // since the last and the first of its baskets was begun
}

// Stats takes time in proportion to the index, some milliseconds for a million entries. The counts of this
// process are kept with the handles, so no call writes to memory that another one uses for them. Errors:
// ErrClosed, ErrBusy.
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
// index would remember what it has found, so that nothing counts twice that moves meanwhile; an estimate need
// not. Damage is for a Check to tell, and costs counts here.
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

// hashIn is the hash of the entry in a cell of the index, if one may be there.
func hashIn(cell region.Words) (hash uint32, there bool) {
	key := hopscotch.Word0(cell[0].Load())
	switch key.Form() {
	case hopscotch.FormBase, hopscotch.FormOperating, hopscotch.FormMember, hopscotch.FormEngaged:
		return uint32(key.Key()), key.Key() != hopscotch.KeyLost
	}
	return 0, false
}

// tierStats are the tiers without their entries.
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

// Process is a process that has the cache open, or that has died and whose entry nobody has used since.
type Process struct {
	region.Attachment
	Own    bool   // it is this view of the cache
	Lease  bool   // its janitor makes room for all: see the live parameter janitor.run
	Hits   uint64 // since it has opened the cache, as of the last turn of its janitor
	Misses uint64
	Sets   uint64
}

// Processes lists the processes of the cache, none for one on the heap. Errors: ErrClosed, ErrBusy; those of
// [region.Region.Attachments].
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

// Baskets lists the baskets of the cache. Those of a cache in use are of different moments. Errors:
// ErrClosed, ErrBusy.
func (c *Cache) Baskets() ([]basket.Info, error) {
	r, err := c.reading()
	if err != nil {
		return nil, failed("baskets", err)
	}
	defer r.give(0)
	return slices.AppendSeq(make([]basket.Info, 0, c.store.Layout().Baskets), c.store.All()), nil
}
