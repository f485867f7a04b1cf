package hopscotch

// Finishing an installed operation. Its owner does this, and so does any actor that meets its reference in a
// cell. There is no other recovery. S01 to S14, S16, S17, S20 to S24, S27. Specification:
// spec/tla/hopscotch/Help.tla and spec/tla/hopscotch/Progress.tla.
//
// Every step is a compare-and-swap whose expected value occurs once in the life of the word. An empty cell is
// identified by its generation, a reference by that of the descriptor, word 1 by its version, and the target
// by its generation and hole. A helper that wakes up after the operation has ended changes nothing.
// (Generations and versions wrap: "once" means once in as many operations as they can count while one helper
// sleeps.)
//
// The steps, in this order; an operation makes those that it needs:
//
//	                                      new add replace move drop lift clear
//	freeze the base's value                    x     x      x    x    x    x
//	mark the member, freeze its value                       x    x    x
//	find a hole                                x            x
//	look for the key in the other half     x   x     x
//	commit (with the hole)                 x   x     x      x    x    x    x
//	write the value, publish the base      x
//	reserve the hole, copy, publish            x            x
//	flip the base's key                        x     x                x    x
//	thaw the base, with a new version          x     x      x    x    x    x
//	clear the member's cell                                 x    x    x
//	put the members back                       x     x      x    x    x
//	empty the base                                                         x

// ending tells where an operation stands.
type ending uint8

const (
	underway   ending = iota // continue from the target
	over                     // ended as the target says
	gone                     // the descriptor has moved on: others have ended it
	broken                   // a word that no step of the protocol writes
	unfinished               // too many steps
)

// operation is what one actor knows of the operation that it drives.
type operation struct {
	table  *Table
	d      *descriptor
	ref    Ref
	head   Head
	pair   Pair // zero for a clear
	plan   Plan // zero for a new base
	expect Word1
	source Source // of a move, a drop or a lift
	target Target
	at     *cell // the home cell

	discards bool // it is an own operation that takes a live element out by its ticket
}

// hole is an empty cell for the element that moves; offset 0 is none.
type hole struct {
	offset  uint32
	version Version
}

// help finishes the operation to which r refers, and which another actor has installed.
func (o *operation) help(t *Table, r Ref) ending {
	index := t.refs.Index(r)
	if index >= uint32(len(t.descriptors)) {
		return broken
	}
	o.table, o.ref, o.d = t, r, &t.descriptors[index]
	if e := o.load(); e != underway {
		return e
	}
	return o.finish()
}

// load reads the words that do not change, and the head again: they are of one generation.
func (o *operation) load() ending {
	o.head = o.helpHead()
	if o.head.Generation() != o.generation() {
		return gone
	}
	kind := o.head.Kind()
	o.pair, o.plan, o.source = 0, 0, 0
	if kind != KindClear {
		o.pair = o.helpPair()
	}
	if kind != KindNew {
		o.plan = o.helpPlan()
	}
	o.expect = o.helpExpect()
	if kindsOfMember.has(kind) {
		o.source = o.helpSource()
	}
	if o.helpHeadAgain() != o.head {
		return gone
	}
	if !o.sound() {
		return broken
	}
	o.at = o.table.halves[o.head.Half()].cell(o.head.Home())
	return underway
}

// sound reports whether some step of the protocol writes such words.
func (o *operation) sound() bool {
	kind, beyond := o.head.Kind(), o.table.halves[0].beyond
	if !o.table.sound(o.head) || !o.expect.Valid() || !o.plan.Valid(kind) || o.plan.Map()&beyond != 0 {
		return false
	}
	if !o.ownBase() {
		return false
	}
	switch lost := o.pair.Key() == KeyLost; {
	case kind == KindClear:
		return true
	case kind == KindDrop, kind == KindLift && lost && o.plan.Key() != KeyLost: // also of what is lost
		if o.pair.Key() == KeyNone {
			return false
		}
	default:
		// If the head was overwritten with another home, a hole in the window of that home would be reserved.
		if k := o.pair.Key(); k.Reserved() || !o.table.belongs(k, place{o.head.Half(), o.head.Home()}) {
			return false
		}
	}
	return !kindsOfMember.has(kind) || o.source.Valid() && o.plan.Map().Has(o.source.Offset())
}

// ownBase reports whether the base of a lift or a clear, if it is not lost, belongs to the home of the
// operation, which takes it out of the table.
func (o *operation) ownBase() bool {
	k, kind := o.plan.Key(), o.head.Kind()
	return kind != KindLift && kind != KindClear || k == KeyLost ||
		o.table.belongs(k, place{o.head.Half(), o.head.Home()})
}

// finish drives the operation to its end from where its target says it is. Progress: lock-free;
// each round ends the operation or follows a step of another actor.
func (o *operation) finish() ending { return o.goOn(o.take(o.d.helpTarget())) }

// goOn is finish after a first step with the result e.
func (o *operation) goOn(e ending) ending {
	for range o.table.patience {
		if e != underway {
			return e
		}
		e = o.round()
	}
	return unfinished
}

// take adopts a target that was read.
func (o *operation) take(tg Target) ending {
	if tg.Generation() != o.generation() {
		return gone
	}
	if !tg.Valid() || Map(0).With(tg.Offset())&o.table.halves[0].beyond != 0 {
		return broken
	}
	o.target = tg
	return underway
}

// moved continues after a compare-and-swap of the target to tg: from tg if it succeeded, otherwise from the
// target that others have written.
func (o *operation) moved(swapped bool, tg Target) ending {
	if swapped {
		o.target = tg
		return underway
	}
	return o.take(o.d.helpTarget())
}

// round leads from one target to the next, or to the end.
func (o *operation) round() ending {
	kind := o.head.Kind()
	switch o.target.Status() {
	case StatusUndecided:
		return o.decide()
	case StatusCommitted:
		switch {
		case kind == KindNew:
			o.at.helpWriteValue(o.expect, o.pair.Value())
			o.at.helpPublishNew(o.ref, o.pair.Key())
			return over
		case kindsToHole.has(kind) && !o.target.Has():
			tg := o.chosen(o.probe())
			return o.moved(o.helpPropose(tg), tg)
		case kindsToHole.has(kind):
			return o.displace()
		}
		return o.flip()
	}
	return o.undo()
}

// undo is the way back of an aborted or full operation. It freezes before it thaws: a word that was frozen
// once, or has moved on, cannot be frozen by a late helper. A member that is released has a new generation,
// so no helper can mark it again. A member that was never marked is not touched, because its frozen word may
// belong to the next operation on it.
func (o *operation) undo() ending {
	if o.head.Kind() == KindNew {
		o.helpClearVersion()
		o.helpReopen()
		return over
	}
	if !o.helpFreeze() {
		o.helpFreezeCheck()
	}
	if kindsOfMember.has(o.head.Kind()) && o.helpStillMarked() {
		o.helpThawMember()
		o.helpUnmark()
	}
	o.helpThaw()
	o.helpRelease()
	return over
}

// decide commits the operation or aborts it. It aborts if what the operation found has changed, and, for an
// add, if the key is in the other half or on its way there.
func (o *operation) decide() ending {
	kind := o.head.Kind()
	var free hole
	if kind != KindNew && !o.helpFreeze() && !o.helpFreezeCheck() {
		return o.abort()
	}
	if kindsOfMember.has(kind) {
		if !o.helpMark() && !o.helpMarkCheck() {
			return o.abort()
		}
		if !o.helpFreezeMember() && !o.helpFreezeMemberCheck() {
			return o.abort()
		}
	}
	if kindsToHole.has(kind) {
		free = o.probe()
	}
	if !kindsAdding.has(kind) {
		return o.commit(free)
	}
	return o.decideKey(free)
}

// commit decides for the operation.
func (o *operation) commit(free hole) ending {
	tg := o.chosen(free)
	return o.moved(o.d.helpCommit(o.target, tg), tg)
}

// abort decides against the operation.
func (o *operation) abort() ending {
	tg := MakeTarget(o.generation()).Decide(StatusAborted)
	return o.moved(o.helpAbort(tg), tg)
}

// decideKey looks for the key in the other half before it decides. S04: of two undecided adds of
// one key the one in half 0 wins.
func (o *operation) decideKey(free hole) ending {
	half := 1 - o.head.Half()
	home, h1 := o.table.homes(o.pair.Key())
	if half == 1 {
		home = h1
	}
	return o.decideSeen(free, place{half, home}, o.table.halves[half].cell(home).look())
}

// decideSeen is the same after the look at the home cell.
func (o *operation) decideSeen(free hole, at place, w view) ending {
	_, found := o.table.halves[at.half].searchSeen(at.home, o.pair.Key(), w)
	s := search{outcome: found}
	if found != absent {
		s = search{mode: modeLook, key: o.pair.Key(), place: at, seen: w, outcome: found}
		o.table.goOn(&s)
	}
	switch s.outcome {
	case absent:
		return o.commit(free)
	case pending:
		if s.target.Status() == StatusUndecided && o.head.Half() == 0 {
			o.helpAbortOther(s.ref, s.target)
			// The own operation may be decided by now; a helper that is late and looked
			// again at once would abort the other one for ever.
			return o.take(o.d.helpTarget())
		}
		return o.abort()
	case present:
		return o.abort()
	case damaged:
		return broken
	}
	return unfinished
}

// probe finds the lowest empty cell of the window above the base, or for a move above the member. A member
// moves only away from its base. Otherwise two adders whose homes are its place and the hole could move it
// to and fro for ever. Only a move has both a source and a hole.
func (o *operation) probe() hole {
	for offset := o.source.Offset() + 1; offset < o.table.window; offset++ {
		if w := o.helpProbe(offset); w.empty() {
			return hole{offset, w.Version()}
		}
	}
	return hole{}
}

// chosen is the target that names this hole, if the operation needs one.
func (o *operation) chosen(free hole) Target {
	tg := MakeTarget(o.generation())
	switch {
	case !kindsToHole.has(o.head.Kind()):
		return tg.Decide(StatusCommitted)
	case free.offset == 0:
		return tg.Decide(StatusFull)
	}
	return tg.Decide(StatusCommitted).Propose(free.offset, free.version)
}

// displace brings the displaced element to its hole, and then does the rest. S02.
func (o *operation) displace() ending {
	published := false
	if !o.helpReserve() {
		switch o.helpReserveCheck() {
		case ClaimedWord(o.ref):
		case o.memberWord():
			published = true
		default:
			return o.lostHole()
		}
	}
	if !published {
		o.helpCopyValue()
		o.helpPublishMember()
	}
	return o.flip()
}

// flip gives the base its new key, if it gets one, and does the rest. A live base without members first
// becomes lost, and then its cell becomes empty.
func (o *operation) flip() ending {
	kind := o.head.Kind()
	if kindsThatFlip.has(kind) || kind == KindClear && o.plan.Key() != KeyLost {
		o.helpFlip()
	}
	return o.release()
}

// release thaws the base, takes the member out of its cell, and lets the base go.
func (o *operation) release() ending {
	o.helpUnfreeze()
	if kindsOfMember.has(o.head.Kind()) {
		o.helpClearMember()
		o.helpEmptyMember()
	}
	o.helpFinish()
	return over
}

// lostHole continues after another operation has taken the hole. Only an operation that still holds its base
// unflipped may look for another hole; a move flips by thawing. If the base has moved on with this very hole,
// it has been flipped, and the rest may be repeated.
func (o *operation) lostHole() ending {
	held := false
	if o.head.Kind() == KindMove {
		held = o.helpStillFrozen()
	} else {
		held = o.helpStillHeld()
	}
	if held {
		tg := o.target.Withdraw()
		return o.moved(o.helpWithdraw(tg), tg)
	}
	tg := o.helpTargetAgain()
	if tg != o.target {
		return o.take(tg)
	}
	return o.release()
}

// generation of the descriptor that the reference means.
func (o *operation) generation() Generation { return o.table.refs.Generation(o.ref) }

// home is the cell that the operation is about.
func (o *operation) home() *cell { return o.at }

// holeCell is the cell that the element goes to that moves.
func (o *operation) holeCell() *cell {
	return o.table.halves[o.head.Half()].at(o.head.Home(), o.target.Offset())
}

// sourceCell is the cell of the member that the operation is about.
func (o *operation) sourceCell() *cell {
	return o.table.halves[o.head.Half()].at(o.head.Home(), o.source.Offset())
}

// displaced is the element that moves to the hole.
func (o *operation) displaced() (Key, Value) {
	if o.head.Kind() == KindMove {
		return o.pair.Key(), o.pair.Value()
	}
	return o.plan.Key(), o.expect.Value()
}

// memberWord is word 0 of the element in its hole.
func (o *operation) memberWord() Word0 {
	k, _ := o.displaced()
	return MemberWord(k, o.target.Offset(), o.target.Version().Next())
}

// sourceValue is word 1 of the member that the operation is about, before it is frozen.
func (o *operation) sourceValue() Word1 { return MakeWord1(o.pair.Value(), o.source.Version()) }

// idleSource is word 0 of that member before it is marked.
func (o *operation) idleSource() Word0 {
	return MemberWord(o.pair.Key(), o.source.Offset(), o.source.Generation())
}

// markedSource is the same when it is marked.
func (o *operation) markedSource() Word0 { return EngagedWord(o.pair.Key(), o.ref) }

// oldBase and newBase are word 0 of the home cell in operation, with the key that it had and with
// the one that it gets.
func (o *operation) oldBase() Word0 { return OperatingWord(o.plan.Key(), o.ref) }

func (o *operation) newBase() Word0 {
	switch kind := o.head.Kind(); {
	case kindsThatFlip.has(kind):
		return OperatingWord(o.pair.Key(), o.ref)
	case kind == KindClear:
		return OperatingWord(KeyLost, o.ref)
	}
	return o.oldBase()
}

// thawed is the next word 1 of the base.
func (o *operation) thawed() Word1 {
	switch kind := o.head.Kind(); {
	case kindsThatFlip.has(kind):
		return o.expect.Next(o.pair.Value())
	case kind == KindClear:
		return o.expect.Next(0)
	}
	return o.expect.Next(o.expect.Value())
}

// final is the last word 0 of the base.
func (o *operation) final() Word0 {
	members := o.plan.Map()
	switch o.head.Kind() {
	case KindClear:
		return EmptyWord(o.expect.Version().Next())
	case KindAdd:
		members = members.With(o.target.Offset())
	case KindLift, KindDrop:
		members = members.Without(o.source.Offset())
	case KindMove:
		members = members.Without(o.source.Offset()).With(o.target.Offset())
	}
	return BaseWord(o.newBase().Key(), members)
}
