package hopscotch

import "fmt"

// Tickets: the cell in which a lookup has found an element, and the version of its value. With a ticket a
// program checks later whether the element is still there, or replaces the value if nobody else has. S25,
// S26. To take the element out if the ticket holds is an operation: discard.go. Specification:
// spec/tla/hopscotch/Ticket.tla.

// Ticket names an element in its cell, with the value and the version that a lookup has found. It is valid
// for each view of the same table. The zero value names no element, and does not hold.
//
// A ticket holds as long as nobody has changed or taken the value, and the element has not moved. If it does
// not hold, the value may nevertheless be the same: look the key up again. A version is used again after 2^29
// changes of one cell, so a ticket that is kept for so long may hold wrongly.
type Ticket struct {
	key  Key
	cell uint32 // index among the cells of both halves
	word Word1  // not frozen; zero: of no element
}

// MakeTicket makes a ticket for the element of that key in that cell, with that second word. The cell is an
// index among the cells of both halves: twice the index in its half, plus the half. This function is for
// doubles of the table in tests and explorations. A ticket that no lookup of a table has returned is of no
// use with that table: it does not hold, or it holds for an element that the caller has not looked up.
func MakeTicket(key, cell uint32, word Word1) Ticket { return Ticket{Key(key), cell, word} }

// Key is the key that was looked up; it is 0 for the zero ticket.
func (k Ticket) Key() uint32 { return uint32(k.key) }

// Value is the value that the lookup has found; it is 0 for the zero ticket.
func (k Ticket) Value() uint32 { return uint32(k.word.Value()) }

// Place is the cell of the element: its half, and its index there.
func (k Ticket) Place() (half, cell uint32) { return k.cell & 1, k.cell >> 1 }

// Word is the second word of the cell, as the lookup has found it.
func (k Ticket) Word() Word1 { return k.word }

// Ticket looks the key up as Get does, and returns a ticket for what it found. Unlike Get it needs a handle.
// A ticket names an element at rest, so Ticket first finishes an operation that holds the element, whose
// owner may be dead. Otherwise it writes nothing.
//
// Errors: those of Add. Progress: lock-free; it starts again only when another actor has made a step. It does
// not allocate, and does not change what Left returns.
//
//go:nosplit
func (h *Handle) Ticket(key uint32) (ticket Ticket, ok bool, err error) {
	t := h.table
	if t == nil || key-1 >= t.direct || h.stuck != nil {
		return h.ticket(Key(key))
	}
	k := Key(key)
	first, apart := nearSpots(key, t.span) // ticketAt, without a call, as in Get
	home := first.of(t.all)
	other, seen := (home.address() ^ address(apart)).cell().searchTouch()
	at := first ^ apart&k.mask(seen)
	c := (home.address() ^ address(apart&k.mask(seen))).cell()
	if version := c.searchVersion(); !version.settled() {
		return h.ticketUnsettled(k, at, apart, version)
	} else if word, found := c.searchBase(); found != k || !word.idle() {
		return h.ticketRest(k, first, apart, other, view{word, version})
	} else if !c.searchVersionAgain(version) {
		return h.ticketAgain(k, at, apart, view{word, version})
	} else {
		return ticketOf(k, at, version), true, nil
	}
}

// ticket is a lookup that has no straight way, or may not begin.
//
//go:noinline
func (h *Handle) ticket(k Key) (Ticket, bool, error) {
	if k.Reserved() || h.table == nil || h.stuck != nil {
		return Ticket{}, false, h.refuseTicket(k)
	}
	first, apart := h.table.spots(uint32(k))
	all := h.table.all
	other, seen := (first ^ apart).of(all).searchTouch()
	at := first ^ apart&k.mask(seen)
	c := at.of(all)
	if version := c.searchVersion(); !version.settled() {
		return h.ticketUnsettled(k, at, apart, version)
	} else if word, found := c.searchBase(); found != k || !word.idle() {
		return h.ticketRest(k, first, apart, other, view{word, version})
	} else if !c.searchVersionAgain(version) {
		return h.ticketAgain(k, at, apart, view{word, version})
	} else {
		return ticketOf(k, at, version), true, nil
	}
}

// ticketOf is the ticket of the key in the cell at that spot, with that word 1.
func ticketOf(k Key, at spot, word Word1) Ticket { return Ticket{k, uint32(at >> halfShift), word} }

// ticketRest goes on with a lookup as getRest does, after the look w at the likely home that did not match.
//
//go:noinline
func (h *Handle) ticketRest(k Key, first, apart spot, other Word0, w view) (Ticket, bool, error) {
	t := h.table
	last := first ^ apart
	if other.Key() == k {
		return h.ticketSeen(k, last, apart, w)
	}
	if other.members() == 0 && w.word0.bare() {
		if w = t.on(last).look(); w.word0.silent() && w.word0 != BaseWord(k, 0) {
			return Ticket{}, false, nil
		}
		return h.ticketSeen(k, last, apart, w)
	}
	var at spot
	var word Word0
	members := w.word0.members()
	if members != 0 {
		at = spotOf(0, t.halves[0].index(first.index(), members.First()))
		if word = t.on(at).searchMember(); word.isIdleMember(k) {
			return h.ticketNearest(k, first, apart, w, at, word)
		}
	}
	if members := other.members(); members != 0 {
		at := spotOf(1, t.halves[1].index(last.index(), members.First()))
		if seen, _ := t.on(at).searchTouch(); seen.isIdleMember(k) {
			return h.ticketTurned(k, last, apart, other, at)
		}
	}
	if members == 0 {
		return h.ticketSeen(k, first, apart, w)
	}
	return h.ticketMember(k, first, apart, w, at, word)
}

// ticketTurned begins a lookup anew at the home last, which was seen as other, and whose nearest member, at,
// seems to be the element.
func (h *Handle) ticketTurned(k Key, last, apart spot, other Word0, at spot) (Ticket, bool, error) {
	w := h.table.on(last).look()
	if w.word0 != other {
		return h.ticketSeen(k, last, apart, w)
	}
	word := h.table.on(at).searchMember()
	if !word.isIdleMember(k) {
		return h.ticketMember(k, last, apart, w, at, word)
	}
	return h.ticketNearest(k, last, apart, w, at, word)
}

// ticketNearest takes the member at the spot in, read as word after the look w at the home at; or it begins
// anew.
func (h *Handle) ticketNearest(k Key, at, apart spot, w view, in spot, word Word0) (Ticket, bool, error) {
	c := h.table.on(in)
	value := c.searchMemberValue()
	if c.searchMemberAgain(word) && h.table.on(at).unmoved(w) {
		return ticketOf(k, in, value.Thaw()), true, nil
	}
	return h.ticketAgain(k, at, apart, w)
}

// ticketMember goes on with a lookup after the look w at the home at, whose nearest member, in, is word.
//
//go:noinline
func (h *Handle) ticketMember(k Key, at, apart spot, w view, in spot, word Word0) (Ticket, bool, error) {
	s := ticketing(k, at, w)
	h.table.halves[s.half&1].searchOwnedMembersOn(&s, w.word0.Map(), h.table.on(in), word)
	return h.ticketOn(&s, apart)
}

// ticketUnsettled is the general way on from the likely home at, which has a version that is not settled.
//
//go:noinline
func (h *Handle) ticketUnsettled(k Key, at, apart spot, version Word1) (Ticket, bool, error) {
	word, _ := h.table.on(at).searchBase()
	return h.ticketSeen(k, at, apart, view{word, version})
}

// refuseTicket is the error of a lookup that may not begin.
//
//go:noinline
func (h *Handle) refuseTicket(k Key) error {
	switch {
	case k.Reserved():
		return fmt.Errorf("ticket of key %v: %w", k, ErrKey)
	case h.table == nil:
		return fmt.Errorf("ticket of key %v: %w", k, ErrZero)
	}
	return fmt.Errorf("ticket of key %v: %w", k, h.stuck)
}

// ticketSeen is the general way on after the look w at the home at.
//
//go:noinline
func (h *Handle) ticketSeen(k Key, at, apart spot, w view) (Ticket, bool, error) {
	s := ticketing(k, at, w)
	h.table.searchOwnedSeen(&s)
	return h.ticketOn(&s, apart)
}

// ticketAgain begins a lookup anew after the look w at the home at, which was not the same again.
//
//go:noinline
func (h *Handle) ticketAgain(k Key, at, apart spot, w view) (Ticket, bool, error) {
	s := ticketing(k, at, w)
	s.outcome = restart
	return h.ticketOn(&s, apart)
}

// ticketing is the search for a ticket in the half of at, whose home looked like w.
func ticketing(k Key, at spot, w view) search {
	return search{mode: modeTicket, key: k, place: place{at.half(), at.index()}, seen: w}
}

// ticketOn goes on after what a lookup did in the half that it began with.
func (h *Handle) ticketOn(s *search, apart spot) (Ticket, bool, error) {
	homes := [2]uint32{s.home, s.home}
	homes[^s.half&1] = (spotOf(s.half, s.home) ^ apart).index()
	_, ok, err := h.writeOn(s, homes[0], homes[1], 0)
	if err != nil {
		return Ticket{}, false, fmt.Errorf("ticket of key %v: %w", s.key, err)
	}
	if !ok {
		return Ticket{}, false, nil
	}
	half := &h.table.halves[s.half&1]
	return ticketOf(s.key, spotOf(s.half, half.index(s.home, s.offset)), s.found.word1.Thaw()), true, nil
}

// Still reports whether the ticket holds: at an instant of the call the key was in the table with the
// ticket's value, and it has been there since the lookup. So nobody has received the value in order to use
// what it names for something else, and what was read there since the lookup is whole.
//
// It writes nothing, and is wait-free: two loads of one line. On processors that keep loads in order (amd64),
// they come after each load before the call. On other processors (arm64), read what the value names by loads
// of sync/atomic.
func (t *Table) Still(ticket Ticket) bool {
	c := t.cellOf(ticket)
	return c != nil && c.ticketLook() == ticket.key && c.ticketValue() == ticket.word
}

// Still is Table.Still.
func (h *Handle) Still(ticket Ticket) bool {
	if h.table == nil {
		h.table.mustBeMade("still by a handle")
	}
	return h.table.Still(ticket)
}

// cellOf is the cell of a ticket, or nil if the table does not have it.
func (t *Table) cellOf(ticket Ticket) *cell {
	if ticket.word == 0 || uint64(ticket.cell) >= uint64(len(t.all)) {
		return nil
	}
	return &t.all[ticket.cell]
}

// CompareAndSwap gives the element of the ticket another value, not 0, if the ticket holds. The old value,
// that of the ticket, then belongs to the caller: if several calls have tickets of one version, one of them
// succeeds. Otherwise ok is false, and nothing is changed; this may be so although the value is the same
// (Ticket).
//
// A swap that is overtaken by a delete of its key counts as just before the delete.
//
// Errors: ErrValue, and those of Add. Progress: wait-free, except for the share of the services' work
// (Assist). It does not allocate.
func (h *Handle) CompareAndSwap(ticket Ticket, value uint32) (ok bool, err error) {
	if err := h.begin(); err != nil {
		return false, fmt.Errorf("swap of key %v: %w", ticket.key, err)
	}
	if value == 0 {
		return false, h.refuseValue("swap", ticket.key)
	}
	c, next := h.table.cellOf(ticket), ticket.word.Next(Value(value))
	if c == nil || c.ticketLook() != ticket.key || !c.ticketSwap(ticket.word, next) {
		h.assist()
		return false, nil
	}
	if h.updated() {
		h.afterUpdate(ticket.key, ticket.word.Value())
	}
	return true, nil
}

// ticketLook is the key that stands in the cell. What a ticket says of word 1 is then enough: as long as that
// has been the same, and not frozen, no operation has decided to take the element away, and nothing else has
// its cell. So a key that is there has been there since the lookup, and goes only by a delete. The other
// order would not do: after a look at word 1 the element could leave, and the key come back.
func (c *cell) ticketLook() Key { return Word0(c.word0.Load()).Key() }

// ticketValue is word 1 after the key was seen.
func (c *cell) ticketValue() Word1 { return Word1(c.word1.Load()) }

// ticketSwap replaces the value. Expected: the version of word 1 that the lookup has found, not frozen; next
// is the one after it. The old value is the caller's from here on, the new one the table's.
//
// LP: of a swap; if the key was deleted meanwhile, it counts as just before the delete. S25.
func (c *cell) ticketSwap(old, next Word1) bool {
	return c.word1.CompareAndSwap(uint64(old), uint64(next))
}
