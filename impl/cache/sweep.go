package cache

import (
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/seam"
)

// Sweeps. An entry that has expired keeps its room until its basket retires, and until then it counts as one
// that lives: so entries which nobody can find any more could push out others that somebody can. Sweeps look
// for them, cell by cell of the index, and take them out. Then what they had is dead, and compaction makes
// room of it.
//
// The janitor that has the lease sweeps in each turn. A call for which entries had to leave sweeps as well,
// in a small part, since it may come long before the next turn; and in a process without a janitor each call
// that changes an entry does. How much is looked at follows from what is found: little as long as little is
// over, and more while many of the entries that are seen are. So what is over and was not found is a small
// part of all, and a cache whose entries have no ends pays next to nothing. All of it is a hint: what a
// sweep leaves goes when its basket retires.
const (
	sweepCells   = 4096    // of one part of a sweep of the janitor, for which it has a reader, at most
	sweepEntries = 256     // the same
	sweepBytes   = 1 << 20 // that are copied in one part, beside the last chain
	sweepParts   = 256     // of one turn
	sweepMany    = 32      // another part follows where one of so many entries is over

	callCells   = 256 // of the part of a call
	callEntries = 16
	callPause   = 128 // calls, or entries that leave, between two parts of calls, at most
)

// sweeper is how far the calls of this process have swept, or its janitor. Who has it is the only one who
// goes on with it. There are two, so that calls go on while the system lets the janitor stand in the middle.
type sweeper struct {
	busy  seam.Uint32 // 1 while somebody sweeps
	calls seam.Uint32 // 1 if each call counts, and not those alone for which entries leave
	left  seam.Uint32 // calls, or entries that leave, until a call sweeps
	cell  int         // up to which was swept
	pause uint32      // what left begins with
	over  [][]byte    // keys that are over
	links []basket.Link
}

// sweep takes out entries that have expired, as long as many have.
func (j *janitor) sweep() {
	for range sweepParts {
		seen, gone, s := j.sweepPart(&j.swept, sweepCells, sweepEntries)
		if s != nil {
			j.tell(s)
		}
		if gone == 0 || gone*sweepMany < seen {
			return
		}
	}
}

// hasEnds notes that there are entries with an end. If no janitor of this process looks for those that are
// over, or by a clock that may go faster than janitors have their turns, calls do. So do all calls while no
// janitor at all is to work.
func (c *Cache) hasEnds() {
	if (c.options.NoJanitor || c.options.Clock != nil) && c.sweeper.calls.Load() == 0 {
		c.sweeper.calls.Store(1)
	}
}

// relieve is of a call that has no handle any more, and counts for so many. If that is due, it sweeps a part;
// the more rarely the less is found.
func (c *Cache) relieve(counts uint32) {
	x := &c.sweeper
	if left := x.left.Load(); left > counts {
		x.left.CompareAndSwap(left, left-counts) // if it fails, the next part comes later by that
		return
	}
	seen, gone, s := c.sweepPart(x, callCells, callEntries)
	if s != nil {
		c.finish(s, 0)
	}
	if gone > 0 && gone*sweepMany >= seen {
		x.left.Store(0)
	}
}

// sweepPart sweeps a part of the index, and says how many entries it has seen, and how many of them it has
// taken out. What is over and stays does not count: in a region that is damaged a sweep could go on for it
// without an end. The writer by which the others have left, if any have, is for the caller to give back.
func (c *Cache) sweepPart(x *sweeper, cells, entries int) (seen, gone int, s *slot[*writer]) {
	if !x.busy.CompareAndSwap(0, 1) {
		return 0, 0, nil
	}
	defer x.busy.Store(0)
	x.pause = min(max(2*x.pause, 1), callPause)
	x.left.Store(x.pause)
	seen = c.lapsed(x, cells, entries)
	if len(x.over) > 0 {
		gone, s = c.expire(x.over)
	}
	if gone > 0 {
		x.pause = 0
	}
	return seen, gone, s
}

// lapsed looks at the next cells of the index, and says how many entries it has seen. It keeps the keys of
// those whose time is over. Damage is for others to tell, who meet it in a call.
func (c *Cache) lapsed(x *sweeper, most, entries int) (seen int) {
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
	for n := 0; n < min(most, all) && seen < entries && copied < sweepBytes; n++ {
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

// expire takes the entries out that have these keys, unless somebody has set them again. It returns how many
// it has taken out, and the writer that has done so; nil if there is none.
func (c *Cache) expire(over [][]byte) (gone int, s *slot[*writer]) {
	s, err := c.writers.takeNow()
	if err != nil {
		return 0, nil
	}
	w := s.handle
	for _, key := range over {
		f, _, err := w.Find(c.hasher.of(key), w.own(key), nil)
		ok := false
		if end := f.Meta().Expires; err == nil && end != 0 && !f.OK() { // of a key that is gone there is none
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
