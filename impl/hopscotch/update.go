package hopscotch

import "fmt"

// Update and delete: one compare-and-swap each on what a search found. S07, S08, S12, S13, S18 to
// S20, S22, S23. Specification: spec/tla/Update.tla.

// Update gives the key another value, not 0, and returns the old one, which belongs to the caller
// now: of several updates each is handed another one. ok is false, and nothing is changed, when the
// key is not in the table.
//
// An update that is overtaken by a delete of its key counts as just before it.
//
// Errors: those of Add. Progress: lock-free; it starts again only when another actor has made a
// step. It does not allocate.
func (h *Handle) Update(key, value uint32) (old uint32, ok bool, err error) {
	if err := h.admit("update", Key(key)); err != nil {
		return 0, false, err
	}
	return h.updatePrepared(h.table.prepared(Key(key)), value)
}

// updatePrepared is an update that has been admitted.
func (h *Handle) updatePrepared(p Prepared, value uint32) (old uint32, ok bool, err error) {
	if value == 0 {
		return 0, false, ErrValue
	}
	v, ok, err := h.write(modeUpdate, p, Value(value))
	if err != nil {
		return 0, false, fmt.Errorf("update of key %v: %w", p.key, err)
	}
	if ok {
		h.book(Leaving{uint32(p.key), uint32(v), ReasonUpdated})
	}
	h.assist()
	return uint32(v), ok, nil
}

// Delete takes the key out of the table. ok is false when it is not there; of several deletes of one
// element exactly one is ok. The element's cell, and its value, stay until Crop reclaims the
// cell, or an add does that needs it: then Left has the value.
//
// Errors: those of Add. Progress: lock-free. It does not allocate.
func (h *Handle) Delete(key uint32) (ok bool, err error) {
	if err := h.admit("delete", Key(key)); err != nil {
		return false, err
	}
	return h.deletePrepared(h.table.prepared(Key(key)))
}

// deletePrepared is a delete that has been admitted.
func (h *Handle) deletePrepared(p Prepared) (ok bool, err error) {
	_, ok, err = h.write(modeDelete, p, 0)
	if err != nil {
		return false, fmt.Errorf("delete of key %v: %w", p.key, err)
	}
	if ok {
		h.tally.Deleted++
	}
	h.assist()
	return ok, nil
}

// write searches both halves for the key and changes what it finds. An update begins with the home
// in which the key seems to be, and takes the usual way, an idle base, without a search to be set up.
func (h *Handle) write(m mode, p Prepared, value Value) (old Value, ok bool, err error) {
	t := h.table
	if m == modeDelete {
		t.all[2*uint64(p.h1)+1].searchTouch()
		s := search{mode: m, key: p.key, place: place{0, p.h0}}
		t.searchOwned(&s)
		return h.writeOn(&s, p, value)
	}
	at := likely(t.all, p.key, p.h0, p.h1)
	c := &t.all[at]
	w, o := c.look(), absent
	if w.matches(p.key) {
		if old, o = c.match(w); o == present && c.updateSwap(w.word1, value) {
			return old, true, nil
		}
		if o == present {
			o = restart // somebody was faster
		}
	}
	s := search{mode: m, key: p.key, place: place{uint32(at & 1), uint32(at >> 1)}, seen: w, outcome: o}
	if o == absent {
		t.searchOwnedSeen(&s)
	}
	return h.writeOn(&s, p, value)
}

// writeOn goes on after the first look of a search.
func (h *Handle) writeOn(s *search, p Prepared, value Value) (old Value, ok bool, err error) {
	t, homes := h.table, [2]uint32{p.h0, p.h1}
	first := s.half
	for range t.patience {
		t.goOn(s)
		next := s.half
		switch s.outcome {
		case absent:
			if next ^= 1; next == first {
				return 0, false, nil
			}
		case present:
			c := t.halves[s.half].at(s.home, s.offset)
			if s.mode == modeDelete && c.deleteSwap(s.found.word0) {
				return 0, true, nil
			}
			if s.mode == modeUpdate && c.updateSwap(s.found.word1, value) {
				return s.found.word1.Value(), true, nil
			}
		case pending:
			if err := h.help(s.ref); err != nil {
				return 0, false, err
			}
			next, first = 0, 0
		default:
			return 0, false, s.outcome.err()
		}
		*s = search{mode: s.mode, key: p.key, place: place{next, homes[next&1]}}
		t.searchOwned(s)
	}
	return 0, false, ErrBusy
}

// updateSwap replaces the value. Expected: a version of word 1, not frozen. The old value is the
// caller's from here on, the new one the table's.
//
// LP: of an update; if the key was deleted meanwhile, it counts as just before the delete. S19.
func (c *cell) updateSwap(old Word1, v Value) bool {
	return c.word1.CompareAndSwap(uint64(old.Thaw()), uint64(old.Next(v)))
}

// deleteSwap takes the key away. Expected: the key and the control bits that were searched, those of
// an idle cell or of a base whose operation has not got hold of it yet. They may have been the
// same before and in between; the key is there at this instant, and that is what a delete needs.
// The cell is to be reclaimed by whoever crops the bucket.
//
// LP: of a delete. S08, S20, S23.
func (c *cell) deleteSwap(old Word0) bool {
	return c.word0.CompareAndSwap(uint64(old), uint64(old.WithKey(KeyLost)))
}
