package basket

import "github.com/samecycle/samecycle/internal/seam"

// indexRequest requests the cells in which the index has the hash.
func (r *Reader) indexRequest(hash uint32) {
	if r.handle != nil && !seam.Explored {
		_, _ = r.handle.Table().Prepare(hash) // no key has a bad hash, so an error has no cells to request
	}
}

// appendRequest requests the cache lines of the next record.
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

// copyRequest requests the cache line of a unit. It is not an access of the protocol, because nothing reads
// its result.
func (s *Store) copyRequest(unit uint32) { seam.Request(&s.records[unit].bits) }
