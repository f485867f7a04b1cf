package hopscotch

// Reading: one half is searched for one key, without a store. S05, S06.
// Specification: spec/tla/Search.tla. Each function whose name is that of an action makes the one
// access of that action.

// outcome of a search in one half.
type outcome uint8

const (
	absent  outcome = iota // the key is not in this half
	present                // it is, with the value
	held                   // the home cell is C or O: its descriptor knows more
	pending                // another operation is adding the key: add and look only
	restart                // what was read does not belong together
	damaged                // a word that no step of the protocol writes
	busy                   // too many restarts
)

// err is the error that an outcome other than absent, present and pending stands for.
func (o outcome) err() error {
	if o == damaged {
		return ErrCorrupt
	}
	return ErrBusy
}

// mode tells who searches.
type mode uint8

const (
	modeGet  mode = iota // a get: both halves, pending adds do not matter
	modeAdd              // an add, before it chooses a half: both halves
	modeLook             // a helper, before it decides: the half that is not the operation's
)

// view is what a search saw of a home cell.
type view struct {
	word0 Word0
	word1 Word1
}

// load tells how full a bucket looks from its home cell; no bucket looks as full as one that
// cannot be used, because its home is the member of another one.
func (w view) load() int {
	switch w.word0.Form() {
	case FormEmpty:
		return 0
	case FormClaimed:
		return 1
	case FormBase:
		return 1 + w.word0.Map().Count()
	case FormOperating:
		return 2
	}
	return WindowMax
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
	ref    Ref    // with pending: the descriptor that announces the key,
	target Target // and its progress
}

// goOn continues a search whose first look (searchIdle) came to s.outcome, until it has ended.
// Progress: lock-free.
func (t *Table) goOn(s *search) {
	for range t.patience {
		if s.outcome == held {
			t.searchHeld(s)
		}
		if s.outcome != restart {
			return
		}
		s.seen, s.value, s.outcome = t.halves[s.half].searchIdle(s.home, s.key)
	}
	s.outcome = busy
}

// look reads the home cell, its version first.
func (c *cell) look() (w view) {
	w.word1 = c.searchVersion()
	w.word0 = c.searchBase()
	return w
}

// matches reports whether the cell is an idle base with key k.
func (w view) matches(k Key) bool { return w.word0 == BaseWord(k, w.word0.Map()) }

// silent reports whether, to a get whose key it does not match, the word of a home cell says by
// itself that the key is not in this half. S05: a claimed cell says so, its base is not there yet.
func (w Word0) silent() bool {
	forms := uint32(1<<FormEmpty | 1<<FormMember | 1<<FormClaimed)
	if w.Map() == 0 {
		forms |= 1 << FormBase // proven by the one read of the base
	}
	return forms>>w.Form()&1 != 0
}

// searchIdle is a search as far as it goes without a descriptor.
func (h *half) searchIdle(home uint32, k Key) (w view, v Value, o outcome) {
	c := &h.cells[home]
	if w = c.look(); w.matches(k) {
		v, o = c.match(w)
	} else {
		v, o = h.searchRest(home, k, w)
	}
	return w, v, o
}

// match takes the value of an idle base whose key matches. S06: the version tells whether key
// and value belong together, and a frozen value is the one of an operation that has ended.
func (c *cell) match(w view) (Value, outcome) {
	if c.searchVersionAgain() != w.word1 || w.word1.Frozen() {
		return 0, restart
	}
	if !w.word1.Valid() {
		return 0, damaged
	}
	return w.word1.Value(), present
}

// searchRest goes on at a home cell that is no idle base with the key.
func (h *half) searchRest(home uint32, k Key, w view) (Value, outcome) {
	switch w.word0.Form() {
	case FormEmpty, FormMember:
		return 0, absent
	case FormClaimed, FormOperating:
		return 0, held
	case FormBase:
		if members := w.word0.Map(); members != 0 {
			return h.searchMembers(home, k, w, members)
		}
		return 0, absent // proven by the one read of the base
	}
	return 0, damaged
}

// searchMembers looks at the members of the base at home one by one, nearest first. When none
// matches, base and version must not have moved meanwhile.
func (h *half) searchMembers(home uint32, k Key, w view, members Map) (Value, outcome) {
	if members&h.beyond != 0 {
		return 0, damaged
	}
	for ; members != 0; members = members.Rest() {
		offset := members.First()
		c := h.at(home, offset)
		word := c.searchMember()
		if word != MemberWord(k, offset, word.MemberVersion()) {
			continue
		}
		value := c.searchMemberValue()
		if c.searchMemberAgain() != word {
			return 0, restart
		}
		return value.Value(), present
	}
	base := &h.cells[home]
	if base.searchBaseAgain() != w.word0 {
		return 0, restart
	}
	if base.searchVersionLast().Version() != w.word1.Version() {
		return 0, restart
	}
	return 0, absent
}

// searchHeld goes on behind a C or an O: it reads the words of the descriptor, then its head
// again. Nothing of them is used, or judged, before the head has been seen to be the same.
func (t *Table) searchHeld(s *search) {
	claimed := s.seen.word0.Form() == FormClaimed
	if claimed && s.mode == modeGet {
		s.outcome = absent // S05: the base is not there yet
		return
	}
	r := s.seen.word0.Ref()
	if r.Index() >= uint32(len(t.descriptors)) {
		s.outcome = damaged
		return
	}
	d := &t.descriptors[r.Index()]
	head := d.searchHead()
	if head.Generation() != r.Generation() {
		s.outcome = restart
		return
	}
	pair := d.searchPair()
	var plan Plan
	if !claimed {
		plan = d.searchPlan()
	}
	target := d.searchTarget()
	if d.searchHeadAgain() != head {
		s.outcome = restart
		return
	}
	if !t.sound(head) || !target.Valid() || !claimed && !plan.Valid(head.Kind()) {
		s.outcome = damaged
		return
	}
	s.ref, s.target = r, target
	announced := s.mode != modeGet && pair.Key() == s.key &&
		(target.Status() == StatusUndecided || target.Status() == StatusCommitted)
	if claimed {
		s.outcome = absent // a hole that waits for the element of another key
		if announced && head.Half() == s.half && head.Home() == s.home {
			s.outcome = pending
		}
		return
	}
	t.searchOperating(s, pair, plan, announced)
}

// searchOperating ends a search at O: a match at the base, or a pending add, or the members as
// they are in the descriptor. S06.
func (t *Table) searchOperating(s *search, pair Pair, plan Plan, announced bool) {
	h := &t.halves[s.half]
	if s.seen.word0.Key() == s.key {
		s.value, s.outcome = h.cells[s.home].matchOperating(s.seen, pair)
		return
	}
	if announced {
		s.outcome = pending
		return
	}
	members := plan.Map()
	if s.target.Has() {
		// S06: the displaced element is on its way to the hole.
		members = members.With(s.target.Offset())
	}
	if members == 0 {
		s.outcome = absent
		return
	}
	s.value, s.outcome = h.searchMembers(s.home, s.key, s.seen, members)
}

// matchOperating takes the value of a base in operation whose key matches. S06: a frozen value
// belongs to the old key; the value of the new key is in the descriptor until the value thaws.
func (c *cell) matchOperating(w view, p Pair) (Value, outcome) {
	switch {
	case c.searchVersionAgain() != w.word1:
		return 0, restart
	case !w.word1.Valid():
		return 0, damaged
	case w.word1.Frozen() && p.Key() == w.word0.Key():
		return p.Value(), present
	}
	return w.word1.Value(), present
}

// sound reports whether a descriptor's head may be acted upon.
func (t *Table) sound(h Head) bool {
	return h.Valid() && h.Kind() != KindNone && h.Home() < t.cells
}

// The accesses, in the order of the specification.

// searchTouch brings the cell into the cache early; nothing rests on what it reads.
func (c *cell) searchTouch() { c.word0.Load() }

func (c *cell) searchVersion() Word1 { return Word1(c.word1.Load()) }

func (c *cell) searchBase() Word0 { return Word0(c.word0.Load()) }

func (d *descriptor) searchHead() Head { return Head(d.head.Load()) }

func (d *descriptor) searchPair() Pair { return Pair(d.pair.Load()) }

func (d *descriptor) searchPlan() Plan { return Plan(d.plan.Load()) }

func (d *descriptor) searchTarget() Target { return Target(d.target.Load()) }

func (d *descriptor) searchHeadAgain() Head { return Head(d.head.Load()) }

func (c *cell) searchVersionAgain() Word1 { return Word1(c.word1.Load()) }

func (c *cell) searchMember() Word0 { return Word0(c.word0.Load()) }

func (c *cell) searchMemberValue() Word1 { return Word1(c.word1.Load()) }

func (c *cell) searchMemberAgain() Word0 { return Word0(c.word0.Load()) }

func (c *cell) searchBaseAgain() Word0 { return Word0(c.word0.Load()) }

func (c *cell) searchVersionLast() Word1 { return Word1(c.word1.Load()) }
