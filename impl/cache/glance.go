package cache

import (
	"runtime"
	"strconv"
	"unsafe"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/internal/seam"
)

// Glances. Most gets, and most calls of Ask, need no handle: a glance finds the record, or that there is
// none, by loads alone (basket.Store.Glance). To borrow a handle and to give it back takes two accesses of a
// kind behind which the processor begins no load, so that the get after it cannot begin while this one waits
// for memory. A glance that is unsure, which is rare, is followed by a get with a handle.
//
// Close does not wait for glances. One that is under way finds zeros in place of the region, or the memory as
// it was (region.CloseInUse). In zeros no ticket holds; but they look like an index in which no key is, so a
// key counts as absent only if the cache is open behind the look. The memory stays as long as a goroutine
// that glances refers to the Cache. A call that begins later asks for a handle, and gets ErrClosed. What a
// glance counts while Close runs may be missing from what others read of this process.

// glances is whether calls glance: where a word of the machine has 64 bits.
const glances = strconv.IntSize == 64

// opened reports whether the cache is open, as a call has to know that begins without a handle. It may be
// closed at any time later.
func (c *Cache) opened() bool {
	return c != nil && c.readers != nil && c.readers.ended.Load() == 0
}

// begun begins to use the region without a handle, unless the cache is closed; then it returns false. What
// was begun must be ended. Where calls glance the region can be used also behind Close; else that waits.
func (c *Cache) begun() bool {
	if glances || c == nil {
		return c.opened()
	}
	c.using.RLock()
	if c.opened() {
		return true
	}
	c.using.RUnlock()
	return false
}

// ended ends what begun has begun.
func (c *Cache) ended() {
	if !glances {
		c.using.RUnlock()
	}
	runtime.KeepAlive(c)
}

// unopened is the error of a call of a cache that is not open.
func (c *Cache) unopened() error {
	if c == nil || c.readers == nil {
		return neverOpened{}
	}
	return ErrClosed
}

// glance is one. Of an entry that has expired it knows nothing: somebody may have set it between the look and
// the clock.
func (c *Cache) glance(hash uint32, key, dst []byte) (value []byte, m basket.Meta, what basket.Sight) {
	value, m, what = c.store.Glance(c.table, hash, key, dst)
	if m.Expires != 0 && c.clock.over(m.Expires) || what == basket.Absent && !c.opened() {
		value, what = dst, basket.Unsure
	}
	runtime.KeepAlive(c)
	return value, m, what
}

// glanced counts the calls that have begun without a handle: lines that goroutines choose by their stacks, so
// that those that run at the same time seldom share one.
type glanced []glancedLine

// glancedLine is a cache line of hits, by tier, and one of the rest.
type glancedLine struct {
	hits             [basket.TiersMax]seam.Uint64
	misses           seam.Uint64
	suspects, denied seam.Uint64 // of Ask
	draws            draws
	_                [3]seam.Uint64
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

func (l *glancedLine) hit(tier uint32) { l.hits[tier%basket.TiersMax].Add(1) }

// newGlanced are lines of which each begins with a sample.
func newGlanced() glanced {
	g := make(glanced, glancedLines)
	for i := range g {
		g[i].draws.random = random()
		g[i].draws.left.Store(1)
	}
	return g
}

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
		all.Suspects += g[i].suspects.Load()
		all.Denied += g[i].denied.Load()
	}
}
