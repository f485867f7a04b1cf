package hopscotch

// Finishing an installed operation: done by its owner, and by whoever meets its reference in a
// cell. There is no other recovery. S01, S02, S04, S05, S06. Specification: spec/tla/Help.tla.
//
// Every step is a compare-and-swap whose expected value occurs once in the life of the word: an
// empty cell by its generation, a reference by the descriptor's, word 1 by its version, the
// target by its generation and hole. A helper that wakes up after the operation has ended
// changes nothing. (Generations and versions wrap: "once" means once in as many operations as
// they can count while one helper sleeps.)

// ending tells where an operation stands.
type ending uint8

const (
	underway   ending = iota // go on from the target
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
	pair   Pair
	plan   Plan // zero for a new base
	expect Word1
	target Target
}

// hole is an empty cell for the displaced element; offset 0 is none.
type hole struct {
	offset  uint32
	version Version
}

// help finishes the operation that r means, which somebody else has installed.
func (o *operation) help(t *Table, r Ref) ending {
	if r.Index() >= uint32(len(t.descriptors)) {
		return broken
	}
	o.table, o.ref, o.d = t, r, &t.descriptors[r.Index()]
	if e := o.load(); e != underway {
		return e
	}
	return o.finish()
}

// load reads the words that do not change, and the head again: they are of one generation.
func (o *operation) load() ending {
	o.head = o.helpHead()
	if o.head.Generation() != o.ref.Generation() {
		return gone
	}
	o.pair, o.plan = o.helpPair(), 0
	if o.head.Kind() != KindNew {
		o.plan = o.helpPlan()
	}
	o.expect = o.helpExpect()
	if o.helpHeadAgain() != o.head {
		return gone
	}
	h := &o.table.halves[0]
	if !o.table.sound(o.head) || o.pair.Key().Reserved() || !o.plan.Valid(o.head.Kind()) ||
		o.plan.Map()&h.beyond != 0 || !o.expect.Valid() {
		return broken
	}
	return underway
}

// finish drives the operation to its end from where its target says it is. Progress: lock-free;
// each round ends the operation or follows a step of another actor.
func (o *operation) finish() ending {
	e := o.take(o.helpTarget())
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
	if tg.Generation() != o.ref.Generation() {
		return gone
	}
	if !tg.Valid() || Map(0).With(tg.Offset())&o.table.halves[0].beyond != 0 {
		return broken
	}
	o.target = tg
	return underway
}

// moved goes on after a compare-and-swap of the target to tg: from tg if it succeeded, else from
// what others made of it.
func (o *operation) moved(swapped bool, tg Target) ending {
	if swapped {
		o.target = tg
		return underway
	}
	return o.take(o.helpTarget())
}

// round leads from one target to the next, or to the end.
func (o *operation) round() ending {
	isNew := o.head.Kind() == KindNew
	switch o.target.Status() {
	case StatusUndecided:
		return o.decide()
	case StatusCommitted:
		switch {
		case isNew:
			o.helpWriteValue()
			o.helpPublishNew()
			return over
		case o.target.Has():
			return o.displace()
		}
		tg := o.chosen(o.probe())
		return o.moved(o.helpPropose(tg), tg)
	}
	if isNew {
		o.helpClearVersion()
		o.helpReopen()
		return over
	}
	// An aborted operation freezes before it thaws: what was frozen once, or has moved on,
	// cannot be frozen by a helper that comes late.
	if !o.helpFreeze() {
		o.helpFreezeCheck()
	}
	o.helpThaw()
	o.helpRelease()
	return over
}

// decide commits the operation, or aborts it when its key is in the other half or on its way
// there. S04: of two undecided adds of one key the one in half 0 wins.
func (o *operation) decide() ending {
	aborted := MakeTarget(o.ref.Generation()).Decide(StatusAborted)
	var free hole
	if o.head.Kind() == KindAdd {
		if !o.helpFreeze() && !o.helpFreezeCheck() {
			return o.moved(o.helpAbort(aborted), aborted)
		}
		free = o.probe()
	}
	half := 1 - o.head.Half()
	home, h1 := Homes(uint32(o.pair.Key()), o.table.cells)
	if half == 1 {
		home = h1
	}
	w, _, found := o.table.halves[half].searchIdle(home, o.pair.Key())
	s := search{outcome: found}
	if found != absent {
		s = search{mode: modeLook, key: o.pair.Key(), place: place{half, home},
			seen: w, outcome: found}
		o.table.goOn(&s)
	}
	switch s.outcome {
	case absent:
		tg := o.chosen(free)
		return o.moved(o.helpCommit(tg), tg)
	case pending:
		if s.target.Status() == StatusUndecided && o.head.Half() == 0 {
			o.helpAbortOther(s.ref, s.target)
			// The own operation may be decided by now; a helper that is late and looked
			// again at once would abort the other one for ever.
			return o.take(o.helpTarget())
		}
		return o.moved(o.helpAbort(aborted), aborted)
	case present:
		return o.moved(o.helpAbort(aborted), aborted)
	case damaged:
		return broken
	}
	return unfinished
}

// probe finds the lowest empty cell of the window above the base.
func (o *operation) probe() hole {
	for offset := uint32(1); offset < o.table.window; offset++ {
		if w := o.helpProbe(offset); w.Form() == FormEmpty {
			return hole{offset, w.Version()}
		}
	}
	return hole{}
}

// chosen is the target that says: this hole.
func (o *operation) chosen(free hole) Target {
	tg := MakeTarget(o.ref.Generation())
	switch {
	case o.head.Kind() == KindNew:
		return tg.Decide(StatusCommitted)
	case free.offset == 0:
		return tg.Decide(StatusFull)
	}
	return tg.Decide(StatusCommitted).Propose(free.offset, free.version)
}

// displace brings the displaced element to its hole and the new one into the base. S02.
func (o *operation) displace() ending {
	flip := false
	if !o.helpReserve() {
		switch o.helpReserveCheck() {
		case ClaimedWord(o.ref):
		case o.memberWord():
			flip = true
		default:
			return o.lostHole()
		}
	}
	if !flip {
		o.helpCopyValue()
		o.helpPublishMember()
	}
	o.helpFlip()
	o.helpUnfreeze()
	o.helpFinish()
	return over
}

// lostHole goes on when somebody else has the hole. Only an operation that still holds its base
// unflipped may look for another one. If the base has moved on with this very hole, it has been
// flipped, and the rest may be repeated.
func (o *operation) lostHole() ending {
	if o.helpStillHeld() {
		tg := MakeTarget(o.ref.Generation()).Decide(StatusCommitted)
		return o.moved(o.helpWithdraw(tg), tg)
	}
	tg := o.helpTargetAgain()
	if tg != o.target {
		return o.take(tg)
	}
	o.helpUnfreeze()
	o.helpFinish()
	return over
}

// home is the cell that the operation is about.
func (o *operation) home() *cell {
	return &o.table.halves[o.head.Half()].cells[o.head.Home()]
}

// holeCell is the cell that the displaced element goes to.
func (o *operation) holeCell() *cell {
	return o.table.halves[o.head.Half()].at(o.head.Home(), o.target.Offset())
}

// memberWord is word 0 of the displaced element in its hole.
func (o *operation) memberWord() Word0 {
	return MemberWord(o.plan.Key(), o.target.Offset(), o.target.Version().Next())
}
