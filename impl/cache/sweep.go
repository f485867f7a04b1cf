package cache

import (
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/seam"
)

// Sweeps. An expired entry keeps its room until its basket retires, and until then it counts as live. So
// entries that no call can find any more could push out others. Sweeps search the cells of the index for
// expired entries and remove them. Their room is then dead, and compaction frees it.
//
// The janitor that has the lease sweeps in each turn. A call for which entries had to leave also sweeps a
// small part, because it may come long before the next turn. In a process without a janitor, each call that
// changes an entry counts towards such a sweep. The amount of work follows from the results: sweeps read
// little as long as few entries have expired, and more while many have. So expired entries that were not
// found are a small part of all, and a cache whose entries never expire pays almost nothing. Sweeps are only
// an optimisation: an entry that they miss goes when its basket retires.
const (
	sweepCells   = 4096    // most cells of one part of a sweep of the janitor, for which it has a reader
	sweepEntries = 256     // most entries of such a part
	sweepBytes   = 1 << 20 // most bytes that one part copies, without its last chain
	sweepParts   = 256     // most parts of one turn
	sweepMany    = 32      // another part follows if at least one of so many entries has expired

	callCells   = 256 // most cells of the part that a call sweeps
	callEntries = 16  // most entries of such a part
	callPause   = 128 // most calls, or entries that leave, between two such parts
	callTold    = 64  // most such parts whose events are reported within one another
)

// sweeper says how far the calls of this process have swept, or its janitor. Only the goroutine that has it
// busy continues the sweep. There are two of them, so that calls can sweep while the system has stopped the
// janitor in the middle.
type sweeper struct {
	busy  seam.Uint32 // 1 while somebody sweeps
	calls seam.Uint32 // 1 if each call counts, and not only calls for which entries leave
	left  seam.Uint32 // number of calls, or of entries that leave, until a call sweeps
	told  seam.Uint32 // number of parts whose events are being reported
	cell  int         // the last cell that was swept
	pause uint32      // the value with which left begins
	over  [][]byte    // keys of expired entries
	links []basket.Link
}

// sweep removes expired entries, as long as it finds many.
func (j *janitor) sweep() {
	for range sweepParts {
		seen, gone, s := j.sweepPart(&j.swept, sweepCells, sweepEntries, sweepEntries)
		if s != nil {
			j.tell(s)
		}
		if gone == 0 || gone*sweepMany < seen {
			return
		}
	}
}

// hasEnds notes that there are entries with an end. Calls search for expired entries if no janitor of this
// process does so, or if the clock may run faster than the janitors have their turns. All calls also do so
// while no janitor is allowed to work.
func (c *Cache) hasEnds() {
	if (c.options.NoJanitor || c.options.Clock != nil) && c.sweeper.calls.Load() == 0 {
		c.sweeper.calls.Store(1)
	}
}

// relieve is called by a call that has given its handle back, and counts for so many calls. If a sweep is
// due, it sweeps a part. The fewer entries the sweeps find, the rarer they are.
//
// A function that receives the events of a part may make such calls itself, and these may sweep. If each of
// them swept as much as any call, one call would report everything that has expired, deeper and deeper in its
// own stack. So while the events of a part are being reported, other parts end at the first expired entry,
// and no more than callTold parts are reported within one another.
func (c *Cache) relieve(counts uint32) {
	x := &c.sweeper
	if left := x.left.Load(); left > counts {
		x.left.CompareAndSwap(left, left-counts) // if it fails, the next part comes later by that
		return
	}
	told, over := x.told.Load(), callEntries
	if told >= callTold {
		return
	}
	if told > 0 {
		over = 1
	}
	seen, gone, s := c.sweepPart(x, callCells, callEntries, over)
	if s != nil {
		c.tellPart(s)
	}
	if gone > 0 && gone*sweepMany >= seen {
		x.left.Store(0)
	}
}

// tellPart is finish for the writer of a part that a call has swept. The part counts until its events are
// reported, even if a function of the user panics.
func (c *Cache) tellPart(s *slot[*writer]) {
	c.sweeper.told.Add(1)
	defer c.sweeper.told.Add(^uint32(0))
	c.finish(s, 0)
}

// sweepPart sweeps a part of the index: at most so many cells and entries, and at most until it has found so
// many expired entries. It returns how many entries it has seen, and how many of them it has removed. Expired
// entries that stay do not count, because a sweep of a damaged region could otherwise continue for ever. The
// caller must give back the writer that removed the entries, if there is one.
func (c *Cache) sweepPart(x *sweeper, cells, entries, over int) (seen, gone int, s *slot[*writer]) {
	if !x.busy.CompareAndSwap(0, 1) {
		return 0, 0, nil
	}
	defer x.busy.Store(0)
	x.pause = min(max(2*x.pause, 1), callPause)
	x.left.Store(x.pause)
	seen = c.lapsed(x, cells, entries, over)
	if len(x.over) > 0 {
		gone, s = c.expire(x.over)
	}
	if gone > 0 {
		x.pause = 0
	}
	return seen, gone, s
}

// lapsed looks at the next cells of the index, and returns how many entries it has seen. It keeps the keys of
// those that have expired. It ignores damage; calls that meet the damage report it.
func (c *Cache) lapsed(x *sweeper, most, entries, over int) (seen int) {
	x.over = x.over[:0]
	r, err := c.readers.take()
	if err != nil {
		return 0
	}
	defer r.give(0)
	cells, err := c.region.Section(hopscotch.Engine, hopscotch.SectionCells)
	if err != nil {
		return 0
	}
	b := c.lend()
	defer b.give()
	all, copied := len(cells)/cellWords, 0
	for n := 0; n < min(most, all) && seen < entries && len(x.over) < over && copied < sweepBytes; n++ {
		x.cell = (x.cell + 1) % all
		hash, there := hashIn(cells[x.cell*cellWords:])
		if !there {
			continue
		}
		if b.value, x.links, err = r.handle.Chain(hash, b.value[:0], x.links[:0]); err != nil {
			continue
		}
		copied += len(b.value)
		for _, l := range x.links {
			if l.Meta.Expires != 0 {
				c.hasEnds()
			}
			if seen++; c.clock.over(l.Meta.Expires) {
				x.over = append(x.over, append([]byte{}, b.value[l.From:l.Key]...))
			}
		}
	}
	return seen
}

// expire removes the entries with these keys, unless a call has set them again. It returns how many it has
// removed, and the writer that removed them, which is nil if there is none.
func (c *Cache) expire(over [][]byte) (gone int, s *slot[*writer]) {
	s, err := c.writers.takeNow()
	if err != nil {
		return 0, nil
	}
	w := s.handle
	for _, key := range over {
		f, _, err := w.Find(c.hasher.of(key), w.own(key), nil)
		ok := false
		if end := f.Meta().Expires; err == nil && end != 0 && !f.OK() { // the end of an absent key is 0
			ok, err = w.Remove(f, basket.ReasonExpired)
		}
		if err != nil {
			break
		}
		if ok {
			gone++
		}
	}
	return gone, s
}
