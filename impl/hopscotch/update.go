package hopscotch

import "fmt"

// Update and delete: one compare-and-swap each on what a search found. S07, S08, S12, S13, S18 to
// S20, S22, S23. Specification: spec/tla/hopscotch/Update.tla.

// Update gives the key another value, not 0, and returns the old one, which now belongs to the caller: of
// several updates each receives another one. If the key is not in the table, ok is false and nothing is
// changed.
//
// An update that is overtaken by a delete of its key counts as just before the delete.
//
// Errors: those of Add. Progress: lock-free; it starts again only when another actor has made a step. It does
// not allocate.
//
//go:nosplit
func (h *Handle) Update(key, value uint32) (old uint32, ok bool, err error) {
	t := h.table
	if t == nil || key-1 >= t.direct || h.stuck != nil || value == 0 {
		return h.update(Key(key), Value(value))
	}
	h.left = h.left[:0]
	k := Key(key)
	first, apart := nearSpots(key, t.span) // updateAt, without a call; it tells why
	home := first.of(t.all)
	other, seen := (home.address() ^ address(apart)).cell().searchTouch()
	c := (home.address() ^ address(apart&k.mask(seen))).cell()
	if version := c.searchVersion(); !version.settled() {
		return h.updateUnsettled(k, first^apart&k.mask(seen), apart, version, Value(value))
	} else if word, found := c.searchBase(); found != k || !word.idle() {
		return h.updateRest(k, first, apart, other, view{word, version}, Value(value))
	} else if !c.searchVersionAgain(version) || !c.updateSwap(version, version.Next(Value(value))) {
		return h.updateAgain(k, first^apart&k.mask(seen), apart, view{word, version}, Value(value))
	} else {
		if h.updated() {
			h.afterUpdate(k, version.Value())
		}
		return uint32(version.Value()), true, nil
	}
}

// update is an update that has no straight way, or may not begin.
//
//go:noinline
func (h *Handle) update(k Key, value Value) (old uint32, ok bool, err error) {
	if !h.admits(k) {
		return 0, false, h.refuse("update", k)
	}
	first, apart := h.table.spots(uint32(k))
	return h.updateAt(k, first, apart, value)
}

// updateAt is an update that has been admitted. It begins with the likely home, and takes the usual ways,
// those of a get, without a search to be set up.
//
// Update has it once more, by hand: with a call of this function, which is too large to be inlined, an update
// takes 1.08 of its user time (2^20 keys, load 0.5, 40 million updates, median of 5 paired runs).
func (h *Handle) updateAt(k Key, first, apart spot, value Value) (old uint32, ok bool, err error) {
	if value == 0 {
		return 0, false, h.refuseValue("update", k)
	}
	all := h.table.all
	other, seen := (first ^ apart).of(all).searchTouch()
	at := first ^ apart&k.mask(seen)
	c := at.of(all)
	if version := c.searchVersion(); !version.settled() {
		return h.updateUnsettled(k, at, apart, version, value)
	} else if word, found := c.searchBase(); found != k || !word.idle() {
		return h.updateRest(k, first, apart, other, view{word, version}, value)
	} else if !c.searchVersionAgain(version) || !c.updateSwap(version, version.Next(value)) {
		return h.updateAgain(k, at, apart, view{word, version}, value)
	} else {
		if h.updated() {
			h.afterUpdate(k, version.Value())
		}
		return uint32(version.Value()), true, nil
	}
}

// updateRest goes on with an update as getRest does, after the look w at the likely home that did not match.
//
//go:noinline
func (h *Handle) updateRest(k Key, first, apart spot, other Word0, w view, value Value) (old uint32, ok bool,
	err error) {
	t := h.table
	last := first ^ apart
	if other.Key() == k {
		return h.updateSeen(k, last, apart, w, value)
	}
	if other.members() == 0 && w.word0.bare() {
		if w = t.on(last).look(); w.word0.silent() && w.word0 != BaseWord(k, 0) {
			h.assist()
			return 0, false, nil
		}
		return h.updateSeen(k, last, apart, w, value)
	}
	var c *cell
	var word Word0
	if members := w.word0.members(); members != 0 {
		c = t.nearest(0, first, members)
		if word = c.searchMember(); word.isIdleMember(k) {
			return h.updateNearest(k, first, apart, w, met{c, word}, value)
		}
	}
	if members := other.members(); members != 0 {
		c := t.nearest(1, last, members)
		if seen, _ := c.searchTouch(); seen.isIdleMember(k) {
			return h.updateTurned(k, last, apart, other, c, value)
		}
	}
	if c == nil {
		return h.updateSeen(k, first, apart, w, value)
	}
	return h.updateMember(k, first, apart, w, met{c, word}, value)
}

// updateTurned begins an update anew at the home last, which was seen as other, and whose nearest member c
// seems to be the element.
func (h *Handle) updateTurned(k Key, last, apart spot, other Word0, c *cell, value Value) (old uint32,
	ok bool, err error) {
	w := h.table.on(last).look()
	if w.word0 != other {
		return h.updateSeen(k, last, apart, w, value)
	}
	word := c.searchMember()
	if !word.isIdleMember(k) {
		return h.updateMember(k, last, apart, w, met{c, word}, value)
	}
	return h.updateNearest(k, last, apart, w, met{c, word}, value)
}

// met is a member that a search has looked at, with the word that it had.
type met struct {
	*cell
	word Word0
}

// updateNearest updates the member m, which was met after the look w at the home at, or begins anew.
func (h *Handle) updateNearest(k Key, at, apart spot, w view, m met, value Value) (old uint32, ok bool,
	err error) {
	was := m.searchMemberValue()
	if m.searchMemberAgain(m.word) && h.table.on(at).unmoved(w) && m.updateSwap(was.Thaw(), was.Next(value)) {
		if h.updated() {
			h.afterUpdate(k, was.Value())
		}
		return uint32(was.Value()), true, nil
	}
	return h.updateAgain(k, at, apart, w, value)
}

// updateMember goes on with an update after the look w at the home at, whose nearest member is m.
//
//go:noinline
func (h *Handle) updateMember(k Key, at, apart spot, w view, m met, value Value) (old uint32, ok bool,
	err error) {
	s := updating(k, at, w)
	h.table.halves[s.half].searchOwnedMembersOn(&s, w.word0.Map(), m.cell, m.word)
	return h.updateOn(&s, apart, value)
}

// updateUnsettled is the general way on from the likely home at, which has a version that is not settled.
//
//go:noinline
func (h *Handle) updateUnsettled(k Key, at, apart spot, version Word1, value Value) (old uint32, ok bool,
	err error) {
	word, _ := h.table.on(at).searchBase()
	return h.updateSeen(k, at, apart, view{word, version}, value)
}

// updateSeen is the general way on after the look w at the home at.
//
//go:noinline
func (h *Handle) updateSeen(k Key, at, apart spot, w view, value Value) (old uint32, ok bool, err error) {
	s := updating(k, at, w)
	h.table.searchOwnedSeen(&s)
	return h.updateOn(&s, apart, value)
}

// updateAgain begins an update anew after the look w at the home at: what it found there was not the same
// again, belongs to an operation, or somebody was faster.
//
//go:noinline
func (h *Handle) updateAgain(k Key, at, apart spot, w view, value Value) (old uint32, ok bool, err error) {
	s := updating(k, at, w)
	s.outcome = restart
	return h.updateOn(&s, apart, value)
}

// updating is the search of an update in the half of at, whose home looked like w.
func updating(k Key, at spot, w view) search {
	return search{mode: modeUpdate, key: k, place: place{at.half(), at.index()}, seen: w}
}

// updateOn goes on after what an update did in the half that it began with.
func (h *Handle) updateOn(s *search, apart spot, value Value) (old uint32, ok bool, err error) {
	homes := [2]uint32{s.home, s.home}
	homes[^s.half&1] = (spotOf(s.half, s.home) ^ apart).index()
	v, ok, err := h.writeOn(s, homes[0], homes[1], value)
	switch {
	case err != nil:
		return 0, false, fmt.Errorf("update of key %v: %w", s.key, err)
	case ok:
		if h.updated() {
			h.afterUpdate(s.key, v)
		}
	default:
		h.assist()
	}
	return uint32(v), ok, nil
}

// updated counts an update, and tells whether afterUpdate has something to do.
func (h *Handle) updated() bool {
	h.tally.Updated++
	return h.handOver != nil || h.share.every > 0
}

// afterUpdate does what the handle was told to do after an update: it hands over the old value, and does its
// share of the services' work.
func (h *Handle) afterUpdate(k Key, old Value) {
	h.give(Leaving{uint32(k), uint32(old), ReasonUpdated})
	h.assist()
}

// Delete removes the key from the table. ok is false if the key is not there; of several deletes of one
// element exactly one is ok. The element's cell and its value stay until Crop, or an add that needs the cell,
// reclaims it. Then Left has the value.
//
// One delete in 64 wakes services that sleep because they had nothing to do.
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
			was := s.found.word1
			if s.mode == modeTicket {
				return was.Value(), true, nil
			}
			if s.mode == modeUpdate && c.updateSwap(was.Thaw(), was.Next(value)) {
				return was.Value(), true, nil
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

// updateSwap replaces the value. Expected: a version of word 1, not frozen; next is the one after it. The old
// value is the caller's from here on, the new one the table's.
//
// LP: of an update; if the key was deleted meanwhile, it counts as just before the delete. S19.
func (c *cell) updateSwap(old, next Word1) bool {
	return c.word1.CompareAndSwap(uint64(old), uint64(next))
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
