package hopscotch

// Continuing a search at a reference: the words of the descriptor say what the bucket contains while an
// operation has its base. S05 to S07, S11, S14, S16 to S18. Specification: spec/tla/hopscotch/Search.tla.

// recorded is what a search has read of a descriptor.
type recorded struct {
	head   Head
	pair   Pair
	plan   Plan   // zero of a claimed cell, which has no use for it
	expect Word1  // of a move or a drop
	source Source // of a move or a drop
	target Target
}

// searchHeld continues at a C or an O, with the words of the descriptor.
func (t *Table) searchHeld(s *search) {
	claimed := s.seen.word0.Form() == FormClaimed
	if claimed && s.mode != modeAdd && s.mode != modeLook {
		s.outcome = absent // S05: the base is not there yet
		return
	}
	var x recorded
	if !t.readHeld(s, &x) {
		return
	}
	announced := (s.mode == modeAdd || s.mode == modeLook) &&
		kindsAdding.has(x.head.Kind()) && x.pair.Key() == s.key &&
		(s.target.Status() == StatusUndecided || s.target.Status() == StatusCommitted)
	if claimed {
		s.outcome = absent // a hole that waits for the element of another key
		if announced && x.head.Half() == s.half && x.head.Home() == s.home {
			s.outcome = pending
		}
		return
	}
	t.searchOperating(s, &x, announced)
}

// readHeld reads the words of the descriptor behind the C or the O that was seen, then its head again. It
// uses and judges none of these words before it has seen that the head is the same. It returns true if the
// head is the same; otherwise s.outcome says how to continue.
func (t *Table) readHeld(s *search, x *recorded) bool {
	r := s.seen.word0.Ref()
	index := t.refs.Index(r)
	if index >= uint32(len(t.descriptors)) {
		s.outcome = damaged
		return false
	}
	d := &t.descriptors[index]
	if x.head = d.searchHead(); x.head.Generation() != t.refs.Generation(r) {
		s.outcome = restart
		return false
	}
	claimed := s.seen.word0.Form() == FormClaimed
	x.readWords(d, claimed)
	if d.searchHeadAgain() != x.head {
		s.outcome = restart
		return false
	}
	if !t.sound(x.head) || !x.target.Valid() || !claimed && !x.plan.Valid(x.head.Kind()) ||
		!claimed && kindsAway.has(x.head.Kind()) && !x.source.Valid() {
		s.outcome = damaged
		return false
	}
	s.ref, s.target = r, x.target
	return true
}

// readWords reads the words between the two looks at the head, which is known.
func (x *recorded) readWords(d *descriptor, claimed bool) {
	x.pair = d.searchPair()
	if !claimed {
		x.plan = d.searchPlan()
		if kindsAway.has(x.head.Kind()) {
			x.expect = d.searchExpect()
			x.source = d.searchSource()
		}
	}
	x.target = d.searchTarget()
}

// oneOperation reports whether the words behind an O are those of one operation on this base. It assumes that
// the version of the base does not change until the search has ended. The answer is right however often the
// generation has wrapped while the reader slept.
//
// The reason is that nothing is thawed in between. An operation that was installed in between, or that had
// frozen the base at the first look, is still installed. An operation that ended in between had thawed the
// base before. So if the base is not frozen, the words are read twice, with a look at the base between the
// readings. If this look still sees the first operation, the first reading belongs to that operation. If it
// sees another operation, that one stays, and the second reading belongs to it. In both cases the two
// readings must be equal.
func (t *Table) oneOperation(s *search, x *recorded) bool {
	if s.seen.word1.Frozen() {
		return true
	}
	if t.halves[s.half].cell(s.home).searchBaseAgain() != s.seen.word0 {
		return false
	}
	d := &t.descriptors[t.refs.Index(s.ref)]
	return x.stillRecorded(d) && d.searchHeadAgain() == x.head
}

// stillRecorded reads the words behind an O once more, as far as they are what they were.
func (x *recorded) stillRecorded(d *descriptor) bool {
	if d.searchPair() != x.pair || d.searchPlan() != x.plan {
		return false
	}
	if kindsAway.has(x.head.Kind()) && (d.searchExpect() != x.expect || d.searchSource() != x.source) {
		return false
	}
	return d.searchTarget() == x.target
}

// searchOperating ends a search at O: a match at the base, or a pending add, or the members as
// they are in the descriptor.
func (t *Table) searchOperating(s *search, x *recorded, announced bool) {
	h := &t.halves[s.half]
	switch {
	case s.seen.word0.Key() == s.key && s.mode == modeDelete:
		s.outcome = pending // S14: the operation carries the key on; first it must be over
		return
	case s.seen.word0.Key() == s.key:
		s.matchOperating(h.cell(s.home), x)
		return
	case announced:
		s.outcome = pending
		return
	}
	if !t.oneOperation(s, x) {
		s.outcome = restart
		return
	}
	// S11: without members, too, one may have moved there; either way ends with a look at the version.
	if members := s.offsets(x); s.mode.writes() {
		h.searchOwnedMembers(s, members)
	} else {
		s.value, s.outcome = h.searchMembers(s.home, s.key, s.seen, members)
	}
}

// offsets are the places of the members of a bucket in operation. S06: the displaced element is on its way to
// the hole. S11: a member that moves, or leaves, counts until the base is thawed with a new version. The same
// holds for a reader's view of it, because the view ends with a look at the version, even if no member is
// left. A version that differs may be older than the operation, but not younger.
func (s *search) offsets(x *recorded) Map {
	members := x.plan.Map()
	away := kindsAway.has(x.head.Kind())
	if away {
		if s.target.Status() != StatusCommitted ||
			s.seen.word1.Version() == x.expect.Version() {
			return members
		}
		members = members.Without(x.source.Offset())
	}
	if (away || x.head.Kind() == KindAdd) && s.target.Has() {
		members = members.With(s.target.Offset())
	}
	return members
}

// matchOperating takes the value of a base in operation whose key matches. S06: a frozen value belongs to the
// old key. The value of the new key is in the descriptor until the thaw, if the operation brings a new key.
// (A move that will be given up may be about a member that once had the key of the base.) S07: an update
// helps to thaw the base, and so does a lookup for a ticket.
func (s *search) matchOperating(c *cell, x *recorded) {
	w := s.seen
	switch {
	case !c.searchVersionAgain(w.word1):
		s.outcome = restart
	case !w.word1.Valid():
		s.outcome = damaged
	case w.word1.Frozen() && s.mode.writes():
		s.outcome = pending
	case w.word1.Frozen() && kindsThatFlip.has(x.head.Kind()) && x.pair.Key() == w.word0.Key():
		s.value, s.outcome = x.pair.Value(), present
	default:
		s.value, s.outcome = w.word1.Value(), present
		s.offset, s.found = 0, w
	}
}

// searchOwned is the first look of a search for an element at rest, as far as it goes without a descriptor.
func (t *Table) searchOwned(s *search) {
	s.seen = t.halves[s.half].cell(s.home).look()
	t.searchOwnedSeen(s)
}

// searchOwnedSeen is the same after the look at the home cell.
func (t *Table) searchOwnedSeen(s *search) {
	h := &t.halves[s.half]
	c := h.cell(s.home)
	w := s.seen
	switch {
	case w.matches(s.key) && s.mode == modeDelete:
		s.outcome, s.offset, s.found = present, 0, w
	case w.matches(s.key):
		s.value, s.outcome = c.match(w)
		s.offset, s.found = 0, w
	case w.word0.silent():
		s.outcome = absent
	case w.word0.Form() == FormBase:
		h.searchOwnedMembers(s, w.word0.Map())
	default:
		s.value, s.outcome = h.searchRest(s.home, s.key, w)
	}
}

// searchOwnedMembers is searchMembers for an update, a delete or a ticket. S12, S13: an operation that has
// the member engaged must be over first. Afterwards the version of the base must show that the member was
// still its own, because the member may have left between the two looks.
func (h *half) searchOwnedMembers(s *search, members Map) {
	if members == 0 {
		s.value, s.outcome = h.searchLast(s.home, s.seen)
		return
	}
	c := h.at(s.home, members.First())
	h.searchOwnedMembersOn(s, members, c, c.searchMember())
}

// searchOwnedMembersOn is the same after the look at the nearest of the members: c with that word.
func (h *half) searchOwnedMembersOn(s *search, members Map, c *cell, word Word0) {
	if members&h.beyond != 0 {
		s.outcome = damaged
		return
	}
	for !word.isMember(s.key) {
		if members = members.Rest(); members == 0 {
			s.value, s.outcome = h.searchLast(s.home, s.seen)
			return
		}
		c = h.at(s.home, members.First())
		word = c.searchMember()
	}
	if word.Form() == FormEngaged {
		s.ref, s.outcome = word.Ref(), pending
		return
	}
	s.offset, s.found = members.First(), view{word0: word}
	s.outcome = present
	if s.mode != modeDelete {
		s.found.word1 = c.searchMemberValue()
		if !c.searchMemberAgain(word) {
			s.outcome = restart
			return
		}
	}
	if !h.cell(s.home).unmoved(s.seen) {
		s.outcome = restart
	}
}

// sound reports whether a descriptor's head may be acted upon.
func (t *Table) sound(h Head) bool {
	return h.Valid() && t.refs.has(h.Generation()) && h.Kind() != KindNone && h.Home() < t.cells
}
