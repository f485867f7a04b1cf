package hopscotch

// Making room for an add that has no place: its home cell is a member of another bucket (usurp), or its
// windows are full. A member moves to another hole of its own window. Only one base is held at a time, so
// helpers cannot form a circle. Members beyond the windows move too, to make holes for members within.
// Elements that are deleted and not yet reclaimed are reclaimed on the way, in any bucket. Only if nothing
// can move, and nothing is deleted, the oldest element of the own bucket leaves. S03, S11 to S14, S24.
// Specification: spec/tla/hopscotch/Room.tla, Choose.tla. results/divergences.md, "A long ring looks for room
// elsewhere", says why long rings differ.

// reachWindows is how far from its home an add looks for members that can move, in windows. Members beyond
// the first window make holes for members in it.
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

// frontHalf is the chosen half, if the element that has the home there has a hole in the front of its window.
// Otherwise it is the half in which the hole is nearer. Like RoomPeek it is only a glance, on which nothing
// depends: the operation looks for a hole itself.
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

// usurp prepares the operation that moves or drops the member in the home cell of the chosen half. The
// member's value is read again, after its key: the value that the search read may be older than the member,
// and a member that is given back gets the version of its value as its generation.
func (t *Table) usurp(a *adding, kind Kind) step {
	h, home, word := &t.halves[a.half], a.homes[a.half], a.views[a.half].word0
	a.work = work{kind: kind, half: a.half, home: h.below(home, word.Distance()),
		offset: word.Distance(), member: view{word, h.cell(home).roomValue()}}
	return t.engage(a)
}

// lost reports whether the element that stands there is deleted, and no operation holds it.
func (w Word0) lost() bool {
	form := w.Form()
	return w.Key() == KeyLost && (form == FormBase || form == FormMember)
}

// engageMember reads the value of the member after its key, and then looks at the base.
func (t *Table) engageMember(a *adding) step {
	w := &a.work
	w.member.word1 = t.halves[w.half].at(w.home, w.offset).roomValue()
	return t.engage(a)
}

// engage looks at the base that the operation must hold: the base of the member that is to leave, or a lost
// base.
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
	case word.Form() != FormBase || !w.fits(word) || w.base.word1.Frozen():
		return stepAgain
	case word.Map()&t.halves[0].beyond != 0:
		return stepDamaged
	}
	return stepInstall
}

// fits reports whether the base allows the work: it must have the member; it must be lost if the member is to
// take its place; and it must be lost and alone if it is to become empty.
func (w *work) fits(base Word0) bool {
	switch w.kind {
	case KindClear:
		return base.Key() == KeyLost && base.Map() == 0
	case KindLift:
		return base.Key() == KeyLost && base.Map().Has(w.offset)
	}
	return base.Map().Has(w.offset)
}

// startRoom begins to make room. If a member of another bucket has the home cell and cannot move, an empty
// cell of the window does not help by itself. A cell into which that member can move does help.
func (t *Table) startRoom(a *adding) step {
	for half := range a.views {
		form := a.views[half].word0.Form()
		a.tried[half] = form == FormMember || form == FormEngaged
	}
	a.room, a.spared = 1, false
	return stepScan
}

// findRoom looks at the cells above the homes, from a.room on. It looks for a cell of the window that has
// become empty, a lost member, a lost base without members, or a member of another bucket that can move or
// take the place of its lost base. S03.
func (t *Table) findRoom(a *adding) step {
	switch {
	case a.room == 0 && a.spared:
		return t.useSpare(a)
	case a.room == 0:
		return t.homeAgain(a)
	}
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
		switch a.nextRoom(t.reach); {
		case !a.scan:
			return stepAgain
		case a.room == 0:
			return t.useSpare(a)
		}
	}
}

// homeAgain looks once more at the member in the home of the chosen half, which found no hole: it may take
// the place of its base. If it cannot, that half is of no use.
func (t *Table) homeAgain(a *adding) step {
	s := t.useRoom(a, a.half, a.homes[a.half], true)
	if s == stepScan {
		a.tried[a.half], a.scan, a.spared = true, false, false
		return stepAgain
	}
	return s
}

// useRoom looks at one cell, which is in the window of the home or beyond it, for such a way to make room.
// stepScan means that the cell does not help.
func (t *Table) useRoom(a *adding, half, cell uint32, within bool) step {
	h := &t.halves[half]
	c := h.cell(cell)
	word := c.roomCell()
	if word.Form() == FormEmpty && within && !a.tried[half] {
		a.anew()
		return stepAgain
	}
	a.work = work{half: half}
	switch {
	case word.lost():
		return t.reclaim(a, word, cell)
	case t.movable(a, word, cell):
		return t.engageMember(a)
	}
	return stepScan
}

// useSpare reclaims the lost element above a member that cannot move.
func (t *Table) useSpare(a *adding) step {
	at := a.spare
	a.spared = false
	word := t.halves[at.half].cell(at.home).roomSpare()
	if !word.lost() {
		a.anew()
		return stepAgain
	}
	a.work = work{half: at.half}
	return t.reclaim(a, word, at.home)
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

// reclaim prepares the operation that reclaims the lost element in the cell: a drop for a member, and a clear
// for a base without members. If a lost base has members, the farthest one takes its place, or is dropped if
// it is lost itself. So a cell becomes empty in the windows of the add, or near them.
func (t *Table) reclaim(a *adding, word Word0, cell uint32) step {
	w := &a.work
	h := &t.halves[w.half]
	if word.Form() == FormMember {
		w.kind, w.home, w.offset = KindDrop, h.below(cell, word.Distance()), word.Distance()
		w.member.word0 = word
		return t.engageMember(a)
	}
	w.home, w.kind = cell, KindClear
	members := word.Map()
	switch {
	case members == 0:
		return t.engage(a)
	case members&h.beyond != 0:
		return stepDamaged
	}
	w.kind, w.offset = KindLift, members.Last()
	member := h.at(cell, w.offset).roomMember()
	switch {
	case member.Form() == FormEngaged:
		a.ref = member.Ref()
		return stepHelp
	case member.Form() != FormMember || member.Distance() != w.offset:
		a.anew()
		return stepAgain
	case member.Key() == KeyLost:
		w.kind = KindDrop
	}
	w.member.word0 = member
	return t.engageMember(a)
}

// movable prepares the operation that takes a live member of another bucket out of the cell, and reports
// whether there is one: a move, if the member has a hole above it in its window; or a lift, if it has none
// and its base is lost. The look for a hole saves an operation that would find none; the operation looks
// again. If it sees a lost element above the member, it remembers it.
func (t *Table) movable(a *adding, word Word0, cell uint32) bool {
	w := &a.work
	h, distance := &t.halves[w.half], word.Distance()
	if word.Form() != FormMember {
		return false
	}
	w.home, w.offset, w.member.word0 = h.below(cell, distance), distance, word
	switch {
	case w.home == a.homes[w.half]:
		return false
	case distance >= t.window: // Beyond its window: for engage to refuse.
		w.kind = KindMove
		return true
	}
	for offset := distance + 1; offset < t.window; offset++ {
		at := h.index(w.home, offset)
		above := h.cell(at).roomPeek()
		if above.Form() == FormEmpty {
			w.kind = KindMove
			return true
		}
		if above.lost() && !a.spared {
			a.spare, a.spared = place{w.half, at}, true
		}
	}
	w.kind = KindLift
	base := h.cell(w.home).roomBase()
	return base.lost() && base.Form() == FormBase && base.Map().Has(distance)
}

// nextRoom continues with the next cell above the two homes. After the last one nothing can move; but if one
// of the members has a lost element above it, that element is next (useSpare).
func (a *adding) nextRoom(reach uint32) {
	if a.room++; a.room == reach {
		a.room++
	}
	switch {
	case a.room < 2*reach:
		a.scan = true
	case a.spared:
		a.room, a.scan = 0, true
	default:
		a.room, a.tried, a.scan = 2*reach, [2]bool{}, false
	}
}

// roomEnded continues after an own operation that was to make room is over.
func (a *adding) roomEnded(kind Kind, s Status, reach uint32) {
	scanning := a.room >= 1 && a.room < 2*reach
	switch {
	case s == StatusCommitted:
		a.anew()
	case s == StatusFull && scanning:
		a.nextRoom(reach)
	case s == StatusFull && kind == KindMove && a.room == 0:
		a.scan, a.spared = true, false // homeAgain
	case s == StatusFull:
		a.tried[a.half] = true
	default:
		a.scan = scanning // aborted: the same cell again
	}
}

// evict prepares the operation that makes an element leave, because nothing can move: an element of the own
// bucket, and the base only if it is alone. If the home is a member of another bucket, that member itself
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

func (c *cell) roomBase() Word0 { return Word0(c.word0.Load()) }

func (c *cell) roomSpare() Word0 { return Word0(c.word0.Load()) }

func (c *cell) roomMember() Word0 { return Word0(c.word0.Load()) }

func (c *cell) roomValue() Word1 { return Word1(c.word1.Load()) }

func (c *cell) evictMember() Word0 { return Word0(c.word0.Load()) }

func (c *cell) evictValue() Word1 { return Word1(c.word1.Load()) }
