package basket

import "github.com/samecycle/samecycle/internal/seam"

// Request asks for the record that the index has under the hash, so that it is near when a Get looks at it.
// It says nothing about what is there. Whoever gets many keys requests them all first, and waits for memory
// once instead of once for each. Progress: lock-free.
func (r *Reader) Request(hash uint32) {
	if r.store == nil {
		return
	}
	ticket, ok, err := r.indexLookup(hash)
	if unit := Ref(ticket.Value()).unit(); ok && err == nil && uint64(unit) < uint64(len(r.store.records)) {
		r.store.copyRequest(unit)
		if !r.noTouch {
			r.store.touchRequest(Ref(ticket.Value()))
		}
		if next := unit + secondLine; uint64(next) < uint64(len(r.store.records)) {
			r.store.copyRequest(next)
		}
	}
}

// indexRequest asks for the cells in which the index has the hash.
func (r *Reader) indexRequest(hash uint32) {
	if r.handle != nil && !seam.Explored {
		_, _ = r.handle.Table().Prepare(hash) // of a hash that no key has there are none
	}
}

// appendRequest asks for the lines of the next record.
func (w *Writer) appendRequest() {
	if seam.Explored || w.left() < 2*secondLine {
		return
	}
	unit := w.open*w.store.units + w.pos
	w.store.copyRequest(unit)
	w.store.copyRequest(unit + secondLine)
}

// secondLine is how many units a cache line has.
const secondLine = 64 / UnitBytes

// copyRequest asks for the cache line of a unit. It is no access of the protocol: nobody looks at what it
// brings.
func (s *Store) copyRequest(unit uint32) { seam.Request(&s.records[unit].bits) }
