package cache

import (
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Sweeps. An entry that has expired keeps its room until its basket retires, and until then it counts as one
// that lives: so entries which nobody can find any more could push out others that somebody can. The janitor
// that has the lease looks for them, cell by cell of the index, and takes them out. Then what they had is
// dead, and compaction makes room of it.
//
// How much it looks at follows from what it finds: a few cells in each turn, and more as long as many of the
// entries there are over. So what is over and was not found is a small part of all, and a cache whose entries
// have no ends costs next to nothing. All of it is a hint: what a sweep leaves goes when its basket retires.
const (
	sweepCells   = 4096    // of one part of a sweep, for which it has a reader, at most
	sweepEntries = 256     // the same
	sweepBytes   = 1 << 20 // that are copied in one part, beside the last chain
	sweepParts   = 256     // of one turn
	sweepMany    = 32      // another part follows where one of so many entries is over
)

// sweep takes out entries that have expired, as long as many have.
func (j *janitor) sweep() {
	for range sweepParts {
		seen := j.lapsed()
		if len(j.over) > 0 {
			j.expire()
		}
		if len(j.over) == 0 || len(j.over)*sweepMany < seen {
			return
		}
	}
}

// lapsed looks at the next cells of the index, and says how many entries it has seen. It keeps the keys of
// those whose time is over. Damage is for others to tell, who meet it in a call.
func (j *janitor) lapsed() (seen int) {
	j.over = j.over[:0]
	r, err := j.readers.take()
	if err != nil {
		return 0
	}
	defer r.give(0)
	cells, err := j.region.Section(hopscotch.Engine, hopscotch.SectionCells)
	if err != nil {
		return 0
	}
	b := j.lend()
	defer b.give()
	var links []basket.Link
	all, copied := len(cells)/cellWords, 0
	for n := 0; n < min(sweepCells, all) && seen < sweepEntries && copied < sweepBytes; n++ {
		j.swept = (j.swept + 1) % all
		hash, there := hashIn(cells[j.swept*cellWords:])
		if !there {
			continue
		}
		if b.value, links, err = r.handle.Chain(hash, b.value[:0], links[:0]); err != nil {
			continue
		}
		copied += len(b.value)
		for _, x := range links {
			if seen++; j.clock.over(x.Meta.Expires) {
				j.over = append(j.over, append([]byte{}, b.value[x.From:x.Key]...))
			}
		}
	}
	return seen
}

// expire takes the entries out whose keys lapsed has kept, unless somebody has set them again.
func (j *janitor) expire() {
	s, err := j.writers.takeNow()
	if err != nil {
		return
	}
	w := s.handle
	for _, key := range j.over {
		f, _, err := w.Find(j.hasher.of(key), w.own(key), nil)
		if err == nil && !f.OK() { // of a key that is gone nothing is taken out
			_, err = w.Remove(f, basket.ReasonExpired)
		}
		if err != nil {
			break
		}
	}
	j.tell(s)
}
