package basket

// Hints count how many units of a basket are live. A writer that publishes a record raises the count of its
// basket. A writer that makes a record dead lowers the count, after the swap. So after a death, and during
// changes, a count may be wrong by some records until the next life of the basket. Only the choice of the
// basket that is compacted, and whether any is, depends on the counts. spec/tla/basket has no hints, because
// none of its steps would change.

// hintRead loads the hint of a basket.
func (b *basketWords) hintRead() Hint { return Hint(b.hint.Load()) }

// hintBegin begins the count of a life. Only the owner of the new life calls it. A late writer from the life
// before gives up when it sees another generation.
func (b *basketWords) hintBegin(h Hint) { b.hint.Store(uint64(h)) }

// hintRaise counts units of the writer's own open basket, whose generation does not change during the call.
func (b *basketWords) hintRaise(units uint32) { b.hint.Add(uint64(MakeHint(0, units, units))) }

// hintSwap lowers a count if it is still old, and so of the same life.
func (b *basketWords) hintSwap(old, new Hint) bool {
	return b.hint.CompareAndSwap(uint64(old), uint64(new))
}

// dying is a record that will be dead when a swap has succeeded. It has the basket of the record, and the
// hint of that basket before the swap, whose generation is the one in which the record lived.
type dying struct {
	basket uint32
	units  uint32
	seen   Hint
}

// dies notes records of the chain that will be dead after the swap.
func (w *Writer) dies(links []link) {
	for i := range links {
		b := w.store.basketOf(links[i].unit)
		w.dead[w.dyings] = dying{b, links[i].size.Units(), w.store.baskets[b].hintRead()}
		w.dyings++
	}
}

// buried lowers the counts for the records that have died.
func (w *Writer) buried() {
	for _, d := range w.dead[:w.dyings] {
		w.store.lower(d)
	}
	w.dyings = 0
}

// lower takes a dead record out of the count of its basket, if the basket is still in the same life.
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

// lowerTries bounds how often lower tries. An exact count is not worth more attempts.
const lowerTries = 16
