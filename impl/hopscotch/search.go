package hopscotch

// Reading: one half is searched for one key, without a store. S05, S06, S11, S15 to S18.
// Specification: spec/tla/hopscotch/Search.tla. Each function whose name is that of an action
// (search_steps.go) makes the one access of that action.

// outcome of a search in one half.
type outcome uint8

const (
	absent  outcome = iota // the key is not in this half
	present                // it is, with the value
	held                   // the home cell is C or O: its descriptor knows more
	pending                // the operation of s.ref is adding the key (add, look), or must be over
	// before the element may be changed (update, delete)
	restart // what was read does not belong together
	damaged // a word that no step of the protocol writes
	busy    // too many restarts
)

// err is the error that an outcome other than absent, present and pending stands for.
func (o outcome) err() error {
	if o == damaged {
		return ErrCorrupt
	}
	return ErrBusy
}

// mode says which operation searches.
type mode uint8

const (
	modeGet    mode = iota // a get: both halves, pending adds do not matter
	modeAdd                // an add, before it chooses a half: both halves
	modeLook               // a helper, before it decides: the half that is not the operation's
	modeUpdate             // an update: like a get, and then it changes the element that it found
	modeDelete             // a delete: like an update, but it does not use the value
	modeTicket             // a lookup that keeps the place and the version of an element at rest
)

// writes reports whether the search needs the element at rest, to change it there or to keep a ticket.
func (m mode) writes() bool { return m >= modeUpdate }

// view is what a search saw of a home cell.
type view struct {
	word0 Word0
	word1 Word1
}

// place is a cell: the home of the key that is searched.
type place struct {
	half uint32
	home uint32
}

// search is one search of one half.
type search struct {
	mode    mode
	outcome outcome
	key     Key
	place
	value  Value // with present
	seen   view
	offset uint32 // with present, of a search that writes: the member that was found, 0 for the base,
	found  view   // and its words; a delete has no need of the second one
	ref    Ref    // with pending: the descriptor,
	target Target // and its progress
}

// goOn continues a search after its first look (searchIdle), which came to s.outcome, until it has ended.
// Progress: lock-free.
func (t *Table) goOn(s *search) {
	for range t.patience {
		if s.outcome == held {
			t.searchHeld(s)
		}
		if s.outcome != restart {
			return
		}
		if s.mode.writes() {
			t.searchOwned(s)
		} else {
			s.seen, s.value, s.outcome = t.halves[s.half].searchIdle(s.home, s.key)
		}
	}
	s.outcome = busy
}

// look reads the home cell, its version first.
func (c *cell) look() (w view) {
	w.word1 = c.searchVersion()
	w.word0, _ = c.searchBase()
	return w
}

// matches reports whether the cell is an idle base with key k.
func (w view) matches(k Key) bool { return w.word0.isBase(k) }

// searchIdle is a search as far as it goes without a descriptor.
func (h *half) searchIdle(home uint32, k Key) (w view, v Value, o outcome) {
	w = h.cell(home).look()
	v, o = h.searchSeen(home, k, w)
	return w, v, o
}

// searchSeen is the same after the look at the home cell.
func (h *half) searchSeen(home uint32, k Key, w view) (Value, outcome) {
	if w.matches(k) {
		return h.cell(home).match(w)
	}
	return h.searchRest(home, k, w)
}

// match takes the value of an idle base whose key matches. S06: the version tells whether key
// and value belong together, and a frozen value is the one of an operation that has ended.
func (c *cell) match(w view) (Value, outcome) {
	same := c.searchVersionAgain(w.word1)
	if same && w.word1.settled() {
		return w.word1.Value(), present
	}
	return 0, w.mismatch(same)
}

// mismatch is the outcome of a match whose version has changed, or is not that of an idle base.
func (w view) mismatch(same bool) outcome {
	if !same || w.word1.Frozen() {
		return restart
	}
	return damaged
}

// searchRest continues at a home cell that is not an idle base with the key.
func (h *half) searchRest(home uint32, k Key, w view) (Value, outcome) {
	if members := w.word0.Map(); members != 0 && w.word0.base() {
		return h.searchMembers(home, k, w, members)
	}
	switch form := w.word0.Form(); {
	case formsWithout>>form&1 != 0: // of a base proven by the one read of it
		return 0, absent
	case form == FormInvalid:
		return 0, damaged
	}
	return 0, held
}

// formsWithout are the forms of a home cell that, if it has no members, has not the key either: one
// question, since which of them it is is random.
const formsWithout = uint32(1<<FormEmpty | 1<<FormBase | 1<<FormMember | 1<<FormEngaged)

// searchMembers looks at the members of the base at home one by one, nearest first. When none
// matches, the version of the base must not have moved meanwhile: no live element leaves its place
// without a new one. S11: an operation on this very bucket is about to move an engaged member, or
// to take it out; it may be used if the version says afterwards that it was still there.
func (h *half) searchMembers(home uint32, k Key, w view, members Map) (Value, outcome) {
	if members == 0 {
		return h.searchLast(home, w)
	}
	c := h.at(home, members.First())
	return h.searchMembersOn(home, k, w, members, c, c.searchMember())
}

// searchMembersOn is the same after the look at the nearest of the members: c with that word.
func (h *half) searchMembersOn(home uint32, k Key, w view, members Map, c *cell,
	word Word0) (Value, outcome) {
	if members&h.beyond != 0 {
		return 0, damaged
	}
	for !word.isMember(k) {
		if members = members.Rest(); members == 0 {
			return h.searchLast(home, w)
		}
		c = h.at(home, members.First())
		word = c.searchMember()
	}
	value := c.searchMemberValue()
	if !c.searchMemberAgain(word) {
		return 0, restart
	}
	if word.Form() == FormEngaged && !h.cell(home).unmoved(w) {
		return 0, restart
	}
	return value.Value(), present
}

// searchLast ends a search of a half in which no member has the key.
func (h *half) searchLast(home uint32, w view) (Value, outcome) {
	if !h.cell(home).unmoved(w) {
		return 0, restart
	}
	return 0, absent
}

// isBase reports whether the word is an idle base with key k, which is not KeyNone.
func (w Word0) isBase(k Key) bool { return w.Key() == k && w.idle() }

// idle reports whether a word that has a key is an idle base.
func (w Word0) idle() bool { return w&cbitIdle != 0 }

// isIdleMember reports whether the word is an idle member with key k, which is no reserved one.
func (w Word0) isIdleMember(k Key) bool {
	return w.Key() == k && w&(cbitMember|cbitMark|cbitIdle) == cbitMember
}

// isMember reports whether the word is a member with key k, idle or engaged; k is no reserved one.
func (w Word0) isMember(k Key) bool {
	return w.Key() == k && w&(cbitMember|cbitIdle) == cbitMember
}

// unmoved reports whether the base still has the version of w.
func (c *cell) unmoved(w view) bool { return c.searchVersionLast().Version() == w.word1.Version() }
