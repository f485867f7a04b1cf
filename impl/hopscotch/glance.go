package hopscotch

// Glances: lookups of a ticket that need only a few loads. The ways are those of Handle.Ticket (S25), and the
// steps are those of the specification. A glance that would have to leave these ways gives no answer.

// Glance is Ticket without a handle, for keys that are easy to find or to miss: the element is at rest in its
// home, or in the nearest member cell of a home, or both homes have no members. Then sure is true. Otherwise
// there is no answer, and a caller that needs one calls Ticket. This is rare in a table that is not nearly
// full. But a key may stay in this state for a long time, because a glance does not finish what a dead
// process has begun with it.
//
// Any number of goroutines may call it. It writes nothing, does not allocate, and is wait-free.
//
//go:nosplit
func (t *Table) Glance(key uint32) (ticket Ticket, ok, sure bool) {
	if key-1 >= t.direct {
		return t.glance(Key(key))
	}
	k := Key(key)
	first, apart := nearSpots(key, t.span) // glance, without a call, as in Get
	home := first.of(t.all)
	other, seen := (home.address() ^ address(apart)).cell().searchTouch()
	at := first ^ apart&k.mask(seen)
	c := (home.address() ^ address(apart&k.mask(seen))).cell()
	if version := c.searchVersion(); !version.settled() {
		return Ticket{}, false, false
	} else if word, found := c.searchBase(); found != k || !word.idle() {
		return t.glanceRest(k, first, apart, other, view{word, version})
	} else {
		return ticketOf(k, at, version), true, c.searchVersionAgain(version)
	}
}

// glance is Glance for keys that have no straight way: of a table whose homes are apart, and reserved ones.
//
//go:noinline
func (t *Table) glance(k Key) (ticket Ticket, ok, sure bool) {
	if k.Reserved() || t.all == nil {
		return Ticket{}, false, false
	}
	first, apart := t.spots(uint32(k))
	other, seen := t.on(first ^ apart).searchTouch()
	at := first ^ apart&k.mask(seen)
	w := t.on(at).look()
	switch {
	case !w.word1.settled():
		return Ticket{}, false, false
	case w.word0.Key() == k && w.word0.idle():
		return ticketOf(k, at, w.word1), true, t.on(at).searchVersionAgain(w.word1)
	}
	return t.glanceRest(k, first, apart, other, w)
}

// glanceRest goes on with a glance as getRest does, after the look w at the likely home that did not match.
//
//go:noinline
func (t *Table) glanceRest(k Key, first, apart spot, other Word0, w view) (ticket Ticket, ok, sure bool) {
	last := first ^ apart
	if other.Key() == k {
		return Ticket{}, false, false
	}
	if other.members() == 0 && w.word0.bare() {
		w = t.on(last).look()
		return Ticket{}, false, w.word0.silent() && w.word0 != BaseWord(k, 0)
	}
	if members := w.word0.members(); members != 0 {
		at := spotOf(0, t.halves[0].index(first.index(), members.First()))
		if word := t.on(at).searchMember(); word.isIdleMember(k) {
			return t.glanceNearest(k, first, w, at, word)
		}
	}
	if members := other.members(); members != 0 {
		at := spotOf(1, t.halves[1].index(last.index(), members.First()))
		if seen, _ := t.on(at).searchTouch(); seen.isIdleMember(k) {
			if w = t.on(last).look(); w.word0 != other {
				return Ticket{}, false, false
			}
			if word := t.on(at).searchMember(); word.isIdleMember(k) {
				return t.glanceNearest(k, last, w, at, word)
			}
		}
	}
	return Ticket{}, false, false
}

// glanceNearest takes the member at the spot in, read as word after the look w at the home at.
func (t *Table) glanceNearest(k Key, at spot, w view, in spot, word Word0) (ticket Ticket, ok, sure bool) {
	c := t.on(in)
	value := c.searchMemberValue()
	sure = c.searchMemberAgain(word) && t.on(at).unmoved(w)
	return ticketOf(k, in, value.Thaw()), true, sure
}
