package cache

import (
	"unsafe"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// Counts of all processes. A call counts with its handle, in memory of its process. The process adds these
// counts up and stores the sums into its line of SectionCounts: at each turn of its janitor, at Stats and at
// Close. So counting a call never writes to memory that processes share.
//
// A line belongs to an entry of the process table. The process that gets the entry continues the sums of the
// process that had it before. So the sum over all lines is what all processes have ever done, including those
// that have ended. Only the process that has the entry writes to its line. Counts that a killed process made
// since it last stored them are lost.

// Counts has numbers of calls, and of entries that have left.
type Counts struct {
	Hits, Misses uint64 // of Get, View, GetBatch, and Ask unless it answers Suspect or Denied
	Sets         uint64 // values that were set by any call
	Replaced     uint64 // values that a set has replaced
	Deleted      uint64
	Expired      uint64
	Evicted      uint64
	IndexFull    uint64 // entries that left because the index was full
	Dead         uint64 // entries removed by calls in which a process died
	Expelled     uint64 // entries that left because they were asked for too often
	Suspects     uint64 // answers of Ask: the key is a suspect
	Denied       uint64 // answers of Ask: the key, or the client, is denied; and of Admit: the client is

	// TierHits are the Hits by tier, if there is more than one.
	TierHits [basket.TiersMax]uint64
}

// counts is the number of counts.
const counts = 12 + basket.TiersMax

// all are the counts in the order of countsWords.
func (c *Counts) all() []*uint64 {
	all := []*uint64{&c.Hits, &c.Misses, &c.Sets, &c.Replaced, &c.Deleted, &c.Expired, &c.Evicted,
		&c.IndexFull, &c.Dead, &c.Expelled, &c.Suspects, &c.Denied}
	for t := range c.TierHits {
		all = append(all, &c.TierHits[t])
	}
	return all
}

// plus is the sum of c and d.
func (c Counts) plus(d Counts) Counts {
	sums := c.all()
	for i, n := range d.all() {
		*sums[i] += *n
	}
	return c
}

// Minus is the difference between c and an earlier d of the same cache. If a count has decreased, which can
// happen in a damaged region, its difference is 0.
func (c Counts) Minus(d Counts) Counts {
	differences := c.all()
	for i, n := range d.all() {
		*differences[i] -= min(*differences[i], *n)
	}
	return c
}

// countsWords is a line of SectionCounts, for one entry of the process table.
//
//	word    content
//	0..19   sums: the Counts of all processes that have had the entry, in the order of the fields
//	20..22  begun: Hits, Misses and Sets when the present process got the entry
//	23      owner: the region.Process to which words 20..22 belong; 0 while they are being written
type countsWords struct {
	sums  [counts]seam.Uint64
	begun [begunCounts]seam.Uint64
	owner seam.Uint64
}

const (
	countsLine  = 24 // words
	begunCounts = 3
)

var _ [countsLine * region.WordBytes]byte = [unsafe.Sizeof(countsWords{})]byte{}

// countsRead loads a sum, and countsStore stores one. Only the process that has the entry may store.
func (l *countsWords) countsRead(i int) uint64 { return l.sums[i].Load() }

func (l *countsWords) countsStore(i int, n uint64) { l.sums[i].Store(n) }

// sum are the sums of a line.
func (l *countsWords) sum() (c Counts) {
	for i, n := range c.all() {
		*n = l.countsRead(i)
	}
	return c
}

// since returns the hits, misses and sets of the process itself, if the line belongs to it.
func (l *countsWords) since(p region.Process) (c Counts, ok bool) {
	if l.owner.Load() != uint64(p) {
		return c, false
	}
	var begun Counts
	for i, n := range begun.all()[:begunCounts] {
		*n = l.begun[i].Load()
	}
	return l.sum().Minus(begun), l.owner.Load() == uint64(p)
}

// counters is what a process knows of the lines. A caller must have a handle of the cache, or be its Close.
type counters struct {
	lines  []countsWords // region.Processes of them, which the layout of the region says
	own    *countsWords
	before Counts // sums of the own line when the process attached
	busy   seam.Uint32
}

// init finds the lines, and begins the line of this process.
func (l *counters) init(words region.Words, p region.Process) {
	l.lines = unsafe.Slice((*countsWords)(unsafe.Pointer(unsafe.SliceData(words))), len(words)/countsLine)
	l.own = &l.lines[p.Index()]
	l.before = l.own.sum()
	l.own.owner.Store(0)
	for i, n := range l.before.all()[:begunCounts] {
		l.own.begun[i].Store(*n)
	}
	l.own.owner.Store(uint64(p))
}

// store stores the counts of this process into its line. If another goroutine is already doing so, store does
// nothing. The goroutine that stores the counts also reads them, so no sum decreases.
func (l *counters) store(now func() Counts) {
	if !l.busy.CompareAndSwap(0, 1) {
		return
	}
	sums := l.before.plus(now())
	for i, n := range sums.all() {
		l.own.countsStore(i, *n)
	}
	l.busy.Store(0)
}

// total is the sum of all processes, with these counts for this process.
func (l *counters) total(now Counts) Counts {
	all := l.before.plus(now)
	for i := range l.lines {
		if line := &l.lines[i]; line != l.own {
			all = all.plus(line.sum())
		}
	}
	return all
}

// counted is what this process has done since it opened the cache.
func (c *Cache) counted() (all Counts) {
	all.Hits, all.Misses = c.readers.counts()
	all.Sets, _ = c.writers.counts()
	c.glanced.addTo(&all, c.options.Tiers > 1)
	for i := range c.tallies {
		left := &c.tallies[i].left
		all.Replaced += left[basket.ReasonReplaced].Load()
		all.Deleted += left[basket.ReasonDeleted].Load()
		all.Expired += left[basket.ReasonExpired].Load()
		all.Evicted += left[basket.ReasonEvicted].Load()
		all.IndexFull += left[basket.ReasonIndexFull].Load()
		all.Dead += left[basket.ReasonDead].Load()
		all.Expelled += left[basket.ReasonExpelled].Load()
	}
	for i := range c.tierHits {
		for t := range all.TierHits {
			all.TierHits[t] += c.tierHits[i][t].Load()
		}
	}
	return all
}
