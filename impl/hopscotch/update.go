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

// write searches both halves for the key and changes what it finds.
func (h *Handle) write(m mode, p Prepared, value Value) (old Value, ok bool, err error) {
	t := h.table
	homes := [2]uint32{p.h0, p.h1}
	t.halves[1].cell(p.h1).searchTouch()
	half := uint32(0)
	for range t.patience {
		s := search{mode: m, key: p.key, place: place{half, homes[half]}}
		t.searchOwned(&s)
		t.goOn(&s)
		switch s.outcome {
		case absent:
			if half++; half == 2 {
				return 0, false, nil
			}
		case present:
			c := t.halves[half].at(s.home, s.offset)
			if m == modeDelete && c.deleteSwap(s.found.word0) {
				return 0, true, nil
			}
			if m == modeUpdate && c.updateSwap(s.found.word1, value) {
				return s.found.word1.Value(), true, nil
			}
		case pending:
			if err := h.help(s.ref); err != nil {
				return 0, false, err
			}
			half = 0
		default:
			return 0, false, s.outcome.err()
		}
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
