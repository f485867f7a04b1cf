package cache

import (
	"runtime"
	"strconv"
	"unsafe"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/internal/seam"
)

// Glances. Most gets need no handle: a glance finds the record, or that there is none, by loads alone
// (basket.Store.Glance). To borrow a handle and to give it back takes two accesses of a kind behind which the
// processor begins no load, so that the get after it cannot begin while this one waits for memory. A glance
// that is unsure, which is rare, is followed by a get with a handle.
//
// Close does not wait for glances. One that is under way finds zeros in place of the region, or the memory as
// it was (region.CloseInUse). Either way its last look says that the entry is not there any more, or what it
// has found was so when the call began. The memory stays as long as a goroutine that glances refers to the
// Cache. One that begins later asks for a handle, and gets ErrClosed. What a glance counts while Close runs
// may be missing from what others read of this process.

// glances reports whether a call may glance.
func (c *Cache) glances() bool {
	return strconv.IntSize == 64 && c != nil && c.readers != nil && c.readers.ended.Load() == 0
}

// glance is one. The value of an entry that has expired is not given.
func (c *Cache) glance(key, dst []byte) (value []byte, m basket.Meta, what basket.Sight) {
	value, m, what = c.store.Glance(c.table, c.hasher.of(key), key, dst)
	if m.Expires != 0 && c.clock.over(m.Expires) {
		value, what = dst, basket.Absent
	}
	runtime.KeepAlive(c)
	return value, m, what
}

// glanced counts glances: lines that goroutines choose by their stacks, so that those that run at the same
// time seldom share one.
type glanced []glancedLine

// glancedLine is a cache line of hits, by tier, and one of misses.
type glancedLine struct {
	hits   [basket.TiersMax]seam.Uint64
	misses seam.Uint64
	_      [7]seam.Uint64
}

const (
	glancedBits  = 5
	glancedLines = 1 << glancedBits
)

var _ [128]byte = [unsafe.Sizeof(glancedLine{})]byte{}

// line is that of the goroutine. Explored, all goroutines have one, so that a search repeats itself.
func (g glanced) line() *glancedLine {
	if seam.Explored {
		return &g[0]
	}
	return &g[hint()>>(32-glancedBits)]
}

func (g glanced) hit(tier uint32) { g.line().hits[tier%basket.TiersMax].Add(1) }

func (g glanced) miss() { g.line().misses.Add(1) }

// addTo adds them up; tiers says whether the hits count by tier, too.
func (g glanced) addTo(all *Counts, tiers bool) {
	for i := range g {
		for t := range g[i].hits {
			n := g[i].hits[t].Load()
			all.Hits += n
			if tiers {
				all.TierHits[t] += n
			}
		}
		all.Misses += g[i].misses.Load()
	}
}
