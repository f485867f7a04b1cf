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
	if !h.admits(Key(key)) {
		return 0, false, h.refuse("update", Key(key))
	}
	first, apart := nearSpots(key, h.table.span) // no call: the next update begins sooner
	if !h.table.near {
		first, apart = spots(homesApart(key, h.table.span))
	}
	return h.updateAt(Key(key), first, apart, Value(value))
}

// updateAt is an update that has been admitted. It begins with the home in which the key seems to be, and
// takes the usual ways, those of a get, without a search to be set up.
func (h *Handle) updateAt(k Key, first, apart spot, value Value) (old uint32, ok bool, err error) {
	if value == 0 {
		return 0, false, ErrValue
	}
	t := h.table
	at, c, seen, other := t.glance(k, first, apart)
	if !seen.isBase(k) {
		return h.updateRest(k, first, apart, seen, other, value)
	}
	w, o := c.look(), absent
	if w.word0 == seen {
		again := c.searchVersionAgain()
		switch {
		case again != w.word1 || !w.word1.settled():
			o = w.mismatch(again)
		case c.updateSwap(w.word1, value):
			h.updated(k, w.word1.Value())
			return uint32(w.word1.Value()), true, nil
		default:
			o = restart // somebody was faster
		}
	}
	s := search{mode: modeUpdate, key: k, place: place{at.half(), at.index()}, seen: w, outcome: o}
	if o == absent {
		t.searchOwnedSeen(&s)
	}
	return h.updateOn(&s, first, apart, value)
}

// updateRest is an update of a key that seems to be in neither of its homes.
//
//go:noinline
func (h *Handle) updateRest(k Key, first, apart spot, seen, other Word0, value Value) (old uint32, ok bool,
	err error) {
	t, o := h.table, absent
	at, w, c, word := t.nearest(k, first, apart, seen, other)
	if c != nil && word.isIdleMember(k) {
		was := c.searchMemberValue()
		if c.searchMemberAgain() == word && t.on(at).unmoved(w) && c.updateSwap(was, value) {
			h.updated(k, was.Value())
			return uint32(was.Value()), true, nil
		}
		o = restart // somebody was faster
	}
	s := search{mode: modeUpdate, key: k, place: place{at.half(), at.index()}, seen: w, outcome: o}
	switch {
	case o == restart:
	case c == nil:
		t.searchOwnedSeen(&s)
	default:
		t.halves[s.half].searchOwnedMembersOn(&s, w.word0.Map(), c, word)
	}
	return h.updateOn(&s, first, apart, value)
}

// updateOn goes on after the first look of an update.
func (h *Handle) updateOn(s *search, first, apart spot, value Value) (old uint32, ok bool, err error) {
	v, ok, err := h.writeOn(s, first.index(), (first ^ apart).index(), value)
	switch {
	case err != nil:
		return 0, false, fmt.Errorf("update of key %v: %w", s.key, err)
	case ok:
		h.updated(s.key, v)
	default:
		h.assist()
	}
	return uint32(v), ok, nil
}

// updated counts an update, and does what the handle was told to do after one.
func (h *Handle) updated(k Key, old Value) {
	h.tally.Updated++
	if h.handOver != nil || h.share.every > 0 {
		h.afterUpdate(k, old)
	}
}

// afterUpdate hands over the old value of an update, and does the handle's share.
func (h *Handle) afterUpdate(k Key, old Value) {
	h.give(Leaving{uint32(k), uint32(old), ReasonUpdated})
	h.assist()
}

// Delete takes the key out of the table. ok is false when it is not there; of several deletes of one
// element exactly one is ok. The element's cell, and its value, stay until Crop reclaims the
// cell, or an add does that needs it: then Left has the value.
//
// One delete of 64 wakes services that sleep because they had nothing to do.
//
// Errors: those of Add. Progress: lock-free. It does not allocate.
func (h *Handle) Delete(key uint32) (ok bool, err error) {
	if !h.admits(Key(key)) {
		return false, h.refuse("delete", Key(key))
	}
	return h.deletePrepared(h.table.prepared(Key(key)))
}

// deletePrepared is a delete that has been admitted.
func (h *Handle) deletePrepared(p Prepared) (ok bool, err error) {
	ok, err = h.delete(p)
	if err != nil {
		return false, fmt.Errorf("delete of key %v: %w", p.key, err)
	}
	if ok {
		h.tally.Deleted++
		h.ring()
	}
	h.assist()
	return ok, nil
}

// ringEvery is after how many deletes a handle wakes the services that sleep: not so few that it costs
// anything.
const ringEvery = 64

// ring counts a delete, and wakes the services that sleep if it is time to.
func (h *Handle) ring() {
	if h.unrung++; h.unrung == ringEvery {
		h.unrung = 0
		h.table.region.Ring()
	}
}

// delete searches both halves for the key and takes it away.
func (h *Handle) delete(p Prepared) (ok bool, err error) {
	h.table.all[2*uint64(p.h1)+1].searchTouch()
	s := search{mode: modeDelete, key: p.key, place: place{0, p.h0}}
	h.table.searchOwned(&s)
	_, ok, err = h.writeOn(&s, p.h0, p.h1, 0)
	return ok, err
}

// writeOn goes on after the first look of a search for a key with these homes.
func (h *Handle) writeOn(s *search, h0, h1 uint32, value Value) (old Value, ok bool, err error) {
	t, homes := h.table, [2]uint32{h0, h1}
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
		*s = search{mode: s.mode, key: s.key, place: place{next, homes[next&1]}}
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
