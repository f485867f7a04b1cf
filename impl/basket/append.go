package basket

import (
	"fmt"

	"github.com/samecycle/samecycle/internal/seam"
)

// This file appends records to the open basket. Only the owner of the basket writes there, and others read
// only records that the index leads to. The word where the next record will begin is always 0, and the size
// word of a record is written last. So a walk over the basket, after the owner died at any step, passes each
// record that the index may lead to, and then ends.

// unitsOf is the size of a record in units. The caller bounds both lengths.
func unitsOf(key, value int, expires uint64) uint32 {
	words := headWords
	if expires != 0 {
		words++
	}
	return uint32(words + (key+value+UnitBytes-1)/UnitBytes)
}

// appendZero ends the records at that unit.
func (s *Store) appendZero(unit uint32) { seam.StoreOwn(&s.records[unit].bits, 0) }

// appendHead writes the length of the key and the next ref.
func (s *Store) appendHead(unit uint32, w KeyWord) { seam.StoreOwn(&s.records[unit].bits, uint64(w)) }

// appendExpiry writes the instant at which a record expires.
func (s *Store) appendExpiry(unit uint32, at uint64) { seam.StoreOwn(&s.records[unit].bits, at) }

// appendSize completes a record, before any other actor can find it. So no walk misses the record.
func (s *Store) appendSize(unit uint32, w SizeWord) { seam.StoreOwn(&s.records[unit].bits, uint64(w)) }

// appendBytes writes part of a key, a value or both.
func (s *Store) appendBytes(at int, b []byte) { seam.CopyIn(s.bytes, at, b) }

// left is the room of the open basket in units.
func (w *Writer) left() uint32 {
	if w.open == none {
		return 0
	}
	return w.store.units - w.pos
}

// begin reserves room for a record of so many units, and writes the word that ends the records behind it.
// The caller has made sure that there is room.
func (w *Writer) begin(units uint32) (unit uint32) {
	unit = w.open*w.store.units + w.pos
	if w.pos += units; w.pos < w.store.units {
		w.store.appendZero(unit + units)
	}
	return unit
}

// end completes the record at that unit, with these marks.
func (w *Writer) end(unit, hash, units uint32, m marks) Ref {
	if !w.noTouch {
		w.store.touchAs(unit, m)
	}
	w.store.appendSize(unit, MakeSizeWord(hash, units))
	return refOf(unit)
}

// appendNew appends a record.
func (w *Writer) appendNew(hash uint32, key, value []byte, expires uint64, next Ref) Ref {
	units := unitsOf(len(key), len(value), expires)
	unit := w.begin(units)
	words, flags := uint32(headWords), Flag(0)
	if expires != 0 {
		w.store.appendExpiry(unit+words, expires)
		words, flags = words+1, FlagExpires
	}
	padding := int(units-words)*UnitBytes - len(key) - len(value)
	w.store.appendHead(unit+1, MakeKeyWord(next, uint32(len(key)), flags, uint32(padding)))
	at := int(unit+words) * UnitBytes
	w.store.appendBytes(at, key)
	w.store.appendBytes(at+len(key), value)
	return w.end(unit, hash, units, 0)
}

// appendCopy appends a copy of the record, before another record of its chain. The copy is whole if the
// ticket of the chain still holds afterwards.
func (w *Writer) appendCopy(x link, hash uint32, next Ref) Ref {
	units := x.size.Units()
	unit := w.begin(units)
	w.work = grown(w.work, int(units-headWords)*UnitBytes)
	seam.CopyOut(w.work, w.store.bytes, int(x.unit+headWords)*UnitBytes)
	w.store.appendHead(unit+1, x.word.before(next))
	w.store.appendBytes(int(unit+headWords)*UnitBytes, w.work)
	return w.end(unit, hash, units, w.marksOf(x.unit))
}

// appendCopies appends copies of the links, which are the first ones of a chain, before next. It copies the
// last link first, so the copy of the first link is the new head of the chain.
func (w *Writer) appendCopies(links []link, hash uint32, next Ref) Ref {
	for i := len(links) - 1; i >= 0; i-- {
		next = w.appendCopy(links[i], hash, next)
	}
	return next
}

// back gives up what was appended since the open basket had that position. The index has none of it, so the
// room is used again. The end of the records is written at once. Otherwise a walk would take what is written
// there next for what follows the abandoned record.
func (w *Writer) back(pos uint32) {
	if w.pos != pos {
		w.pos = pos
		w.store.appendZero(w.open*w.store.units + pos)
	}
}

// grown returns b with n bytes.
func grown(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n, n+n/2)
	}
	return b[:n]
}

// unitsOfLinks is the number of units that copies of the links need.
func unitsOfLinks(links []link) (units uint32) {
	for i := range links {
		units += links[i].size.Units()
	}
	return units
}

// fit returns an error for a record that is too large.
func (s *Store) fit(key, value []byte) error {
	if len(key) > KeyMax {
		return fmt.Errorf("key of %d bytes: %w", len(key), ErrKey)
	}
	switch most := s.ValueMax(len(key)); {
	case most < 0:
		return fmt.Errorf("key of %d bytes in baskets of %d, which have no room for it: %w", len(key),
			s.layout.BasketBytes, ErrTooLarge)
	case len(value) > most:
		return fmt.Errorf("value of %d bytes with a key of %d in baskets of %d, at most %d: %w", len(value),
			len(key), s.layout.BasketBytes, most, ErrTooLarge)
	}
	return nil
}

// marksOf returns the marks of a copy of the record at that unit. They are the marks of the record itself,
// unless its basket retires: then the policy decides.
func (w *Writer) marksOf(unit uint32) marks {
	switch {
	case w.noTouch:
		return 0
	case unit == w.moved:
		return w.movedMarks
	}
	return w.store.touches(unit)
}
