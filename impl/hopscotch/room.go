package hopscotch

// Where an add has no place: its home cell is a member of another bucket (usurp), or its windows
// are full. A member moves to another hole of its own window; one base is held at a time, so that
// no circle of helpers can form. What is beyond the windows moves too, to make holes for members
// within. Only if nothing can move the oldest element of the own bucket leaves. S03, S11 to S14,
// S24. Specification: spec/tla/hopscotch/Room.tla, Choose.tla; why long rings differ: results/divergences.md,
// "A long ring looks for room elsewhere".

// reachWindows is how far from its home an add looks for members that can move, in windows. What is beyond
// the first one makes holes for what is in it.
const reachWindows = 3

// frontOf is the front of a window on a ring of so many rows: the offsets below it. An element behind the
// front has few places left to move to, and a home cell with a member that cannot move is useless to other
// buckets. So an add pushes an element there only after it has looked for a nearer hole in the other half.
// Short rings have no such part.
func frontOf(window, cells uint32) uint32 {
	if cells < longRing {
		return window
	}
	return window - window/2
}

// frontHalf is the half that was chosen if what has the home there has a hole in the front of its window;
// else the one in which the hole is nearer. Like RoomPeek it is a glance, on which nothing rests: the
// operation looks for a hole itself.
func (t *Table) frontHalf(a *adding, half uint32) uint32 {
	if t.front == t.window {
		return half
	}
	hole := t.firstHole(a, half, t.window)
	if hole < t.front || t.firstHole(a, 1-half, hole) == hole {
		return half
	}
	return 1 - half
}

// firstHole is the offset, below the limit, of the hole for the element that a new element in that half
// displaces. It is 0 if nothing has to be displaced, and the limit if there is no hole.
func (t *Table) firstHole(a *adding, half, limit uint32) uint32 {
	h, home, offset := &t.halves[half], a.homes[half], uint32(0)
	seen := a.views[half].word0
	switch form := seen.Form(); {
	case seen.Key() == KeyLost || form != FormBase && form != FormMember:
		return 0
	case form == FormMember:
		offset = seen.Distance()
		home = h.below(home, offset)
	}
	for offset++; offset < limit; offset++ {
		if h.at(home, offset).frontPeek().empty() {
			return offset
		}
	}
	return limit
}

// usurp prepares the operation that takes the member in the home cell of the chosen half away. The
// member's value is read again, after its key: what the search read before may be older than the
// member, and its version is what a member that is given back gets as generation.
func (t *Table) usurp(a *adding, kind Kind) step {
	h, home, word := &t.halves[a.half], a.homes[a.half], a.views[a.half].word0
	a.work = work{kind: kind, half: a.half, home: h.below(home, word.Distance()),
		offset: word.Distance(), member: view{word, h.cell(home).roomValue()}}
	return t.engage(a)
}

// engage looks at the base of the member that is to leave: its operation must hold it.
func (t *Table) engage(a *adding) step {
	w := &a.work
	base := t.halves[w.half].cell(w.home)
	w.base.word1 = base.usurpVersion()
	w.base.word0 = base.usurpBase()
	if Map(0).With(w.offset)&t.halves[0].beyond != 0 {
		return stepDamaged
	}
	switch word := w.base.word0; {
	case word.Form() == FormOperating:
		a.ref = word.Ref()
		return stepHelp
	case word.Form() != FormBase || !word.Map().Has(w.offset) || w.base.word1.Frozen():
		return stepAgain
	case word.Map()&t.halves[0].beyond != 0:
		return stepDamaged
	}
	return stepInstall
}

// startRoom begins to make room. Where a member of another bucket has the home cell and cannot move,
// an empty cell of the window is of no use by itself, but one into which that member can move is.
func (t *Table) startRoom(a *adding) step {
	for half := range a.views {
		form := a.views[half].word0.Form()
		a.tried[half] = form == FormMember || form == FormEngaged
	}
	a.room = 1
	return stepScan
}

// findRoom looks at the cells above the homes, from a.room on: one of the window that is empty by now,
// a member that is lost, or one of another bucket that can move. S03.
func (t *Table) findRoom(a *adding) step {
	for {
		half, above := a.half, a.room
		if above >= t.reach {
			half, above = 1-half, above-t.reach
		}
		if cell, some := t.roomAbove(a, half, above); some {
			if s := t.useRoom(a, half, cell, above < t.window); s != stepScan {
				return s
			}
		}
		if a.nextRoom(t.reach); !a.scan {
			return stepAgain
		}
	}
}

// useRoom looks at one cell for that, which is in the window of the home or beyond it. stepScan: it is of
// no use.
func (t *Table) useRoom(a *adding, half, cell uint32, within bool) step {
	h := &t.halves[half]
	c := h.cell(cell)
	word := c.roomCell()
	if word.Form() == FormEmpty && within && !a.tried[half] {
		a.anew()
		return stepAgain
	}
	if !t.movable(h, word, cell, a.homes[half]) {
		return stepScan
	}
	w := work{kind: KindMove, half: half, home: h.below(cell, word.Distance()),
		offset: word.Distance(), member: view{word, c.roomValue()}}
	if word.Key() == KeyLost {
		w.kind = KindDrop
	}
	a.work = w
	return t.engage(a)
}

// roomAbove is the cell that many places after the home in that half; where a member has the home, so many
// after it in its own window, since that is where it can go. On a short ring it goes on row by row, on a
// long one by aboveMember.
func (t *Table) roomAbove(a *adding, half, places uint32) (cell uint32, some bool) {
	h, home, skipped := &t.halves[half], a.homes[half], uint32(0)
	if seen := a.views[half].word0; seen.Form() == FormMember {
		skipped = seen.Distance()
		home = h.below(home, skipped)
	}
	if t.cells >= longRing && skipped+places >= t.window {
		return t.aboveMember(h, home, skipped, skipped+places-t.window)
	}
	return h.above(home, skipped+places), true
}

// aboveMember is a cell beyond the window of the home on a long ring. The rows that follow there are
// useless for a member that stands in the window. It needs cells of its own window: it can move into one of
// them as soon as the element there has moved. Of each cell of the window after the one at skipped comes
// the first of these, then of each one the second, and so on.
func (t *Table) aboveMember(h *half, home, skipped, place uint32) (cell uint32, some bool) {
	if skipped+1 >= t.window {
		return 0, false
	}
	n := t.window - 1 - skipped
	at := h.index(home, skipped+1+place%n)
	word := h.cell(at).roomBeyond()
	offset := word.Distance() + 1 + place/n
	if word.Form() != FormMember || offset >= t.window {
		return 0, false
	}
	return h.index(h.below(at, word.Distance()), offset), true
}

// movable tells whether the word is that of a member which is lost, or which is not of the bucket at home
// and has a hole above it in its window. That there is none now saves an operation that would find
// none; the operation looks again.
func (t *Table) movable(h *half, word Word0, cell, home uint32) bool {
	if word.Form() != FormMember || word.Key() == KeyLost {
		return word.Form() == FormMember
	}
	base := h.below(cell, word.Distance())
	if base == home || word.Distance() >= t.window { // Beyond its window: for engage to refuse.
		return base != home
	}
	for offset := word.Distance() + 1; offset < t.window; offset++ {
		if h.at(base, offset).roomPeek().Form() == FormEmpty {
			return true
		}
	}
	return false
}

// nextRoom goes on to the next cell above the two homes. After the last one nothing can move.
func (a *adding) nextRoom(reach uint32) {
	if a.room++; a.room == reach {
		a.room++
	}
	a.scan = a.room < 2*reach
	if !a.scan {
		a.room, a.tried = 2*reach, [2]bool{}
	}
}

// roomEnded goes on when an own operation that was to make room is over.
func (a *adding) roomEnded(s Status, reach uint32) {
	scanning := a.room >= 1 && a.room < 2*reach
	switch {
	case s == StatusCommitted:
		a.anew()
	case s == StatusFull && scanning:
		a.nextRoom(reach)
	case s == StatusFull:
		a.tried[a.half] = true
	default:
		a.scan = scanning // aborted: the same cell again
	}
}

// evict prepares what makes an element leave, because nothing can move: an element of the own
// bucket, the base only if it is alone. A home that is another bucket's member is itself what
// leaves. S03.
func (t *Table) evict(a *adding) step {
	seen := a.views[a.half].word0
	switch seen.Form() {
	case FormMember:
		return t.usurp(a, KindDrop)
	case FormBase:
		if seen.Key() != KeyLost && seen.Map() != 0 {
			return t.evictOldest(a)
		}
		return a.plain(t.reach)
	case FormEmpty:
		return a.plain(t.reach)
	default: // C, O, U
		a.ref = seen.Ref()
		return stepHelp
	}
}

// evictOldest looks at the members of the own bucket one by one, and prepares the drop of the oldest.
func (t *Table) evictOldest(a *adding) step {
	h := &t.halves[a.half]
	w := work{kind: KindDrop, half: a.half, home: a.homes[a.half], base: a.views[a.half]}
	members := w.base.word0.Map()
	if members&h.beyond != 0 {
		return stepDamaged
	}
	for ; members != 0; members = members.Rest() {
		offset := members.First()
		c := h.at(w.home, offset)
		word := c.evictMember()
		if word.Form() != FormMember || word.Distance() != offset {
			a.anew()
			return stepAgain
		}
		value := c.evictValue()
		if w.offset == 0 ||
			t.older(uint32(value.Value()), uint32(w.member.word1.Value())) {
			w.offset, w.member = offset, view{word, value}
		}
	}
	a.work = w
	return stepInstall
}

// The accesses, in the order of the specification.

func (c *cell) frontPeek() Word0 { return Word0(c.word0.Load()) }

func (c *cell) usurpVersion() Word1 { return Word1(c.word1.Load()) }

func (c *cell) usurpBase() Word0 { return Word0(c.word0.Load()) }

func (c *cell) roomBeyond() Word0 { return Word0(c.word0.Load()) }

func (c *cell) roomCell() Word0 { return Word0(c.word0.Load()) }

func (c *cell) roomPeek() Word0 { return Word0(c.word0.Load()) }

func (c *cell) roomValue() Word1 { return Word1(c.word1.Load()) }

func (c *cell) evictMember() Word0 { return Word0(c.word0.Load()) }

func (c *cell) evictValue() Word1 { return Word1(c.word1.Load()) }
