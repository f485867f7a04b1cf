package cache

import (
	"unsafe"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// Counts of all processes. A call counts in memory of its process, with its handle. The process adds that up
// and stores the sums into its line of SectionCounts: at each turn of its janitor, at Stats and at Close. So
// a call writes to no memory that processes share for the sake of a count.
//
// A line belongs to an entry of the process table, and its counts go on where the process that had the entry
// before has left them. So the sum over all lines is what all processes have ever done, those that are no
// more among them. Only who has the entry writes to its line. What a killed process had counted since it has
// stored its counts last is lost.

// Counts are numbers of calls, and of entries that have left.
type Counts struct {
	Hits, Misses uint64 // of Get, View, GetBatch, and Ask unless it answers Suspect or Denied
	Sets         uint64 // values that were set, by whatever call
	Replaced     uint64 // values that a set has replaced
	Deleted      uint64
	Expired      uint64
	Evicted      uint64
	IndexFull    uint64 // entries that left since the index was full
	Dead         uint64 // entries that had left by calls of processes that died in them
	Expelled     uint64 // entries that left since they were asked for too often
	Suspects     uint64 // answers of Ask: the key is a suspect
	Denied       uint64 // answers of Ask: the key, or the client, is denied; and of Admit: the client is

	// TierHits are the Hits by tier, if there is more than one.
	TierHits [basket.TiersMax]uint64
}

// counts are how many there are.
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

// plus is c and d together.
func (c Counts) plus(d Counts) Counts {
	sums := c.all()
	for i, n := range d.all() {
		*sums[i] += *n
	}
	return c
}

// Minus is how much more c has than an earlier d, of the same cache. A count that has become less, as one in
// a region that somebody damages may, has no more.
func (c Counts) Minus(d Counts) Counts {
	differences := c.all()
	for i, n := range d.all() {
		*differences[i] -= min(*differences[i], *n)
	}
	return c
}

// countsWords is a line of SectionCounts, for one entry of the process table.
//
//	word    what it has
//	0..19   sums: the Counts of all processes that have had the entry, in the order of the fields
//	20..22  begun: Hits, Misses and Sets when the process came that has the entry
//	23      owner: the region.Process for which words 20..22 are right; 0 while they are being written
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

// countsRead loads a sum, and countsStore stores one; only who has the entry does.
func (l *countsWords) countsRead(i int) uint64 { return l.sums[i].Load() }

func (l *countsWords) countsStore(i int, n uint64) { l.sums[i].Store(n) }

// sum are the sums of a line.
func (l *countsWords) sum() (c Counts) {
	for i, n := range c.all() {
		*n = l.countsRead(i)
	}
	return c
}

// since is what the process has done of what a line has, if the line is its own: hits, misses and sets.
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

// counters is what a process knows of the lines. Who calls has a handle of the cache, or is its Close.
type counters struct {
	lines  []countsWords // region.Processes of them, which the layout of the region says
	own    *countsWords
	before Counts // what the own line had when the process came
	busy   seam.Uint32
}

// init finds the lines, and begins the own one.
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

// store stores the counts of this process into its line. If another goroutine is about it, that is enough.
// They are read by the one who stores them: so no sum becomes less.
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

// total is the sum of all processes, of which this one has done so much now.
func (l *counters) total(now Counts) Counts {
	all := l.before.plus(now)
	for i := range l.lines {
		if line := &l.lines[i]; line != l.own {
			all = all.plus(line.sum())
		}
	}
	return all
}

// counted is what this process has done since it has the cache open.
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
