package cache

import (
	"runtime"
	"strconv"
	"unsafe"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/internal/seam"
)

// Glances. Most gets, and most calls of Ask, need no handle: a glance finds the record, or finds that there
// is none, by loads alone (basket.Store.Glance). To borrow and give back a handle takes two atomic accesses
// behind which the processor starts no load, so the next get could not begin while this one waits for memory.
// If a glance is unsure, which is rare, a get with a handle follows.
//
// Close does not wait for glances. A glance that is in progress then finds zeros in place of the region, or
// the memory as it was (region.CloseInUse). No ticket holds in zeros. But zeros look like an index without
// keys, so a key counts as absent only if the cache is still open after the look. The memory stays mapped as
// long as a goroutine that glances refers to the Cache. A call that begins after Close asks for a handle, and
// gets ErrClosed. Counts that a glance makes while Close runs may be missing from what others read about this
// process.

// glances says whether calls glance: they do on machines whose words have 64 bits.
const glances = strconv.IntSize == 64

// opened reports whether the cache is open, for a call that begins without a handle. The cache may be closed
// at any time afterwards.
func (c *Cache) opened() bool {
	return c != nil && c.readers != nil && c.readers.ended.Load() == 0
}

// begun begins a use of the region without a handle, and returns false if the cache is closed. If it returns
// true, the caller must call ended. If calls glance, the region can be used even after Close; otherwise Close
// waits for ended.
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

// ended ends the use that begun has begun.
func (c *Cache) ended() {
	if !glances {
		c.using.RUnlock()
	}
	runtime.KeepAlive(c)
}

// unopened is the error of a call on a cache that is not open.
func (c *Cache) unopened() error {
	if c == nil || c.readers == nil {
		return neverOpened{}
	}
	return ErrClosed
}

// refusal returns the error of a call with bad arguments, which is err, or the error that the cache is not
// open, which comes first. Only a call that is refused asks for this, so no other call pays for it.
func (c *Cache) refusal(err error) error {
	if c.opened() {
		return err
	}
	return c.unopened()
}

// glance makes a glance. It is unsure about an entry that has expired, because another call may have set the
// key between the look and the reading of the clock.
func (c *Cache) glance(hash uint32, key, dst []byte) (value []byte, m basket.Meta, what basket.Sight) {
	value, m, what = c.store.Glance(c.table, hash, key, dst)
	value, what = c.known(value, m, what, dst)
	runtime.KeepAlive(c)
	return value, m, what
}

// known is the result of a glance of the store, after two checks: the result is unsure if the entry has
// expired, or if the key is absent and the cache may have been closed.
func (c *Cache) known(value []byte, m basket.Meta, what basket.Sight, dst []byte) ([]byte, basket.Sight) {
	if m.Expires != 0 && c.clock.over(m.Expires) || what == basket.Absent && !c.opened() {
		return dst, basket.Unsure
	}
	return value, what
}

// glanced counts the calls that have begun without a handle. It has several lines, and goroutines choose one
// by their stacks, so goroutines that run at the same time seldom share a line.
type glanced []glancedLine

// glancedLine is a cache line of hits by tier, and a cache line of the other counts.
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

// line is the line of the calling goroutine. In an exploration all goroutines share one, so that a search is
// repeatable.
func (g glanced) line() *glancedLine {
	if seam.Explored {
		return &g[0]
	}
	return &g[hint()>>(32-glancedBits)]
}

func (l *glancedLine) hit(tier uint32) { l.hits[tier%basket.TiersMax].Add(1) }

// batch counts a batch of so many keys, and returns how many of them were found.
func (l *glancedLine) batch(keys int, hits *[basket.TiersMax]uint64) (n int) {
	for tier, found := range hits {
		if found != 0 {
			l.hits[tier].Add(found)
			n += int(found)
		}
	}
	if n < keys {
		l.misses.Add(uint64(keys - n))
	}
	return n
}

// newGlanced makes the lines. The first call of each line is a sample.
func newGlanced() glanced {
	g := make(glanced, glancedLines)
	for i := range g {
		g[i].draws.random = random()
		g[i].draws.left.Store(1)
	}
	return g
}

// addTo adds the counts of all lines to all; tiers says whether the hits are also counted by tier.
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
