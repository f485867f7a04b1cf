package basket

// Hints: how many units of a basket live. Whoever publishes a record raises the count of its basket, and
// whoever makes one dead lowers it, behind the swap. So after a death, and in the midst of changes, a count
// may be off by some records, until the basket has its next life. Nothing depends on it but which basket is
// compacted, and whether any is. spec/tla/basket has no hints: no step of it would change.

// hintRead loads the hint of a basket.
func (b *basketWords) hintRead() Hint { return Hint(b.hint.Load()) }

// hintBegin begins the count of a life. Only the owner of the new life does. A writer that comes late from
// the one before gives up when it sees another generation.
func (b *basketWords) hintBegin(h Hint) { b.hint.Store(uint64(h)) }

// hintRaise counts units of the own open basket, whose generation does not change meanwhile.
func (b *basketWords) hintRaise(units uint32) { b.hint.Add(uint64(MakeHint(0, units, units))) }

// hintSwap lowers a count, which is that of a life.
func (b *basketWords) hintSwap(old, new Hint) bool {
	return b.hint.CompareAndSwap(uint64(old), uint64(new))
}

// dying is a record that will be dead when a swap has succeeded: its basket, and the hint of that before the
// swap, so that its generation is the one in which the record lived.
type dying struct {
	basket uint32
	units  uint32
	seen   Hint
}

// dies notes records of the chain that will be dead.
func (w *Writer) dies(links []link) {
	for i := range links {
		b := w.store.basketOf(links[i].unit)
		w.dead[w.dyings] = dying{b, links[i].size.Units(), w.store.baskets[b].hintRead()}
		w.dyings++
	}
}

// buried lowers the counts of what has died.
func (w *Writer) buried() {
	for _, d := range w.dead[:w.dyings] {
		w.store.lower(d)
	}
	w.dyings = 0
}

// lower takes a dead record out of the count of its basket, if that is in the same life still.
func (s *Store) lower(d dying) {
	b, h := &s.baskets[d.basket], d.seen
	for range lowerTries {
		if b.hintSwap(h, h.lower(d.units)) {
			return
		}
		if h = b.hintRead(); h.Generation() != d.seen.Generation() {
			return
		}
	}
}

// lowerTries bounds how often a count is tried; a count is not worth more.
const lowerTries = 16
