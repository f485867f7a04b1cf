package hopscotch

// The accesses of help.go: each function is the action of that name, and makes one access.

func (o *operation) helpHead() Head { return Head(o.d.head.Load()) }

func (o *operation) helpPair() Pair { return Pair(o.d.pair.Load()) }

func (o *operation) helpPlan() Plan { return Plan(o.d.plan.Load()) }

func (o *operation) helpExpect() Word1 { return Word1(o.d.expect.Load()) }

func (o *operation) helpSource() Source { return Source(o.d.source.Load()) }

func (o *operation) helpHeadAgain() Head { return Head(o.d.head.Load()) }

func (d *descriptor) helpTarget() Target { return Target(d.target.Load()) }

// helpFreeze bars updates of the base's value; from here on it can be copied.
// Expected: a version of word 1, which no later word of this cell has.
func (o *operation) helpFreeze() bool {
	return o.home().word1.CompareAndSwap(uint64(o.expect), uint64(o.expect.Freeze()))
}

// helpFreezeCheck reports whether this operation's freeze is in place, whoever made it.
func (o *operation) helpFreezeCheck() bool {
	return Word1(o.home().word1.Load()) == o.expect.Freeze()
}

// helpMark takes hold of the member: a delete cannot pass the mark, and the mark cannot pass a
// delete. Expected: the member with the generation that was seen. The cell is the operation's from
// here on. S13, S22.
func (o *operation) helpMark() bool {
	return o.sourceCell().word0.CompareAndSwap(uint64(o.idleSource()), uint64(o.markedSource()))
}

// helpMarkCheck reports whether this operation's mark is in place, whoever made it.
func (o *operation) helpMarkCheck() bool {
	return Word0(o.sourceCell().word0.Load()) == o.markedSource()
}

// helpFreezeMember bars updates of the member's value: what an update leaves there, it leaves
// before. No copy is ever made of a value that can still change. Expected: a version of word 1,
// which no later word of this cell has.
func (o *operation) helpFreezeMember() bool {
	e := o.sourceValue()
	return o.sourceCell().word1.CompareAndSwap(uint64(e), uint64(e.Freeze()))
}

// helpFreezeMemberCheck reports whether that freeze is in place, whoever made it.
func (o *operation) helpFreezeMemberCheck() bool {
	return Word1(o.sourceCell().word1.Load()) == o.sourceValue().Freeze()
}

func (o *operation) helpProbe(offset uint32) Word0 {
	return Word0(o.table.halves[o.head.Half()].at(o.head.Home(), offset).word0.Load())
}

// helpAbort decides against the operation. Expected: undecided in this generation, a word that
// the target leaves once. The operation keeps its cells until it has been undone.
func (o *operation) helpAbort(to Target) bool {
	return o.d.target.CompareAndSwap(uint64(o.target), uint64(to))
}

// helpAbortOther decides against the add of the same key in half 1. Expected: undecided in the
// generation in which it announced the key. Its owner, or the next to meet it, undoes it.
func (o *operation) helpAbortOther(r Ref, undecided Target) {
	to := MakeTarget(o.table.refs.Generation(r)).Decide(StatusAborted)
	o.table.descriptors[o.table.refs.Index(r)].target.CompareAndSwap(uint64(undecided), uint64(to))
}

// helpCommit decides for the operation, and names the hole in the same word. Expected: undecided
// in this generation. From here on the key is this operation's in both halves.
func (d *descriptor) helpCommit(undecided, to Target) bool {
	return d.target.CompareAndSwap(uint64(undecided), uint64(to))
}

// helpPropose names another hole. Expected: committed without a hole, in this generation. That
// word can come back by a withdrawal; then every helper looks for a hole anew, and any will do.
func (o *operation) helpPropose(to Target) bool {
	return o.d.target.CompareAndSwap(uint64(o.target), uint64(to))
}

// helpWriteValue puts the value there before the key is seen. Expected: word 1 of the empty cell
// of that generation. The cell is the operation's: nobody else writes it.
func (c *cell) helpWriteValue(empty Word1, v Value) {
	c.word1.CompareAndSwap(uint64(empty), uint64(empty.Next(v)))
}

// helpPublishNew makes the claimed cell a base. Expected: the reference of this generation.
// It publishes the element; the cell belongs to the table from here on.
//
// LP: of an add to an empty cell. S01, S04.
func (c *cell) helpPublishNew(by Ref, k Key) {
	c.word0.CompareAndSwap(uint64(ClaimedWord(by)), uint64(BaseWord(k, 0)))
}

// helpReserve takes the hole. Expected: an empty cell of the very generation that the target
// names, so a helper that comes late claims nothing. The hole is the operation's from here on.
func (o *operation) helpReserve() bool {
	return o.holeCell().word0.CompareAndSwap(
		uint64(EmptyWord(o.target.Version())), uint64(ClaimedWord(o.ref)))
}

func (o *operation) helpReserveCheck() Word0 { return Word0(o.holeCell().word0.Load()) }

// helpStillHeld reports whether the operation holds its base, unflipped.
func (o *operation) helpStillHeld() bool { return Word0(o.home().word0.Load()) == o.oldBase() }

// helpStillFrozen reports whether a move has not thawed its base.
func (o *operation) helpStillFrozen() bool {
	return Word1(o.home().word1.Load()) == o.expect.Freeze()
}

func (o *operation) helpTargetAgain() Target { return Target(o.d.target.Load()) }

// helpWithdraw takes back a hole that somebody else has. Expected: this hole with its generation,
// which cannot be proposed again: the cell is not empty in it any more.
func (o *operation) helpWithdraw(to Target) bool {
	return o.d.target.CompareAndSwap(uint64(o.target), uint64(to))
}

// helpCopyValue puts the value of the element that moves into the hole, from the descriptor.
// Expected: word 1 of the empty cell of that generation.
func (o *operation) helpCopyValue() {
	empty := EmptyWord1(o.target.Version())
	_, v := o.displaced()
	o.holeCell().word1.CompareAndSwap(uint64(empty), uint64(empty.Next(v)))
}

// helpPublishMember makes the hole a member. Expected: the reference of this generation. Readers
// find the element where it was until the base is flipped, or thawed for a move, and here from
// then on.
func (o *operation) helpPublishMember() {
	o.holeCell().word0.CompareAndSwap(uint64(ClaimedWord(o.ref)), uint64(o.memberWord()))
}

// helpFlip gives the base its new key. Expected: the old key with the reference of this
// generation. It publishes the new element; its value is in the descriptor until the thaw. The
// displaced one is in its hole already; a replaced one leaves in this instant. A lift changes
// nothing that can be seen.
//
// LP: of an add that displaces or replaces. S02, S03.
func (o *operation) helpFlip() {
	o.home().word0.CompareAndSwap(uint64(o.oldBase()), uint64(o.newBase()))
}

// helpUnfreeze puts the value that belongs to the key into the base. Expected: the frozen word, by
// its version. What a replace, a lift or a clear found there belongs to the operation's owner from
// here on. The new version ends every reader's view of the bucket with the member that leaves.
//
// LP: of an eviction by a drop. S03.
func (o *operation) helpUnfreeze() {
	o.home().word1.CompareAndSwap(uint64(o.expect.Freeze()), uint64(o.thawed()))
}

// helpClearMember empties the value of the cell that the member has left. Expected: the frozen word,
// by its version. What a drop found there belongs to the operation's owner from here on.
func (o *operation) helpClearMember() {
	e := o.sourceValue()
	o.sourceCell().word1.CompareAndSwap(uint64(e.Freeze()), uint64(e.Next(0)))
}

// helpEmptyMember makes that cell empty. Expected: the reference of this generation. The cell
// is anybody's from here on.
func (o *operation) helpEmptyMember() {
	o.sourceCell().word0.CompareAndSwap(
		uint64(o.markedSource()), uint64(EmptyWord(o.source.Version().Next())))
}

// helpFinish puts the members back into the base, with the hole and without the place that was left;
// a cleared base becomes empty. Expected: the last key with the reference of this generation. The
// base is idle and the table's again.
func (o *operation) helpFinish() {
	o.home().word0.CompareAndSwap(uint64(o.newBase()), uint64(o.final()))
}

// helpStillMarked reports whether this operation's mark is in place.
func (o *operation) helpStillMarked() bool {
	return Word0(o.sourceCell().word0.Load()) == o.markedSource()
}

// helpThawMember gives the member's value back, with a new version. Expected: the frozen word, by
// its version.
func (o *operation) helpThawMember() {
	e := o.sourceValue()
	o.sourceCell().word1.CompareAndSwap(uint64(e.Freeze()), uint64(e.Next(e.Value())))
}

// helpUnmark lets the member go, with a new generation. Expected: the reference of this one.
func (o *operation) helpUnmark() {
	o.sourceCell().word0.CompareAndSwap(uint64(o.markedSource()),
		uint64(MemberWord(o.pair.Key(), o.source.Offset(), o.source.Version().Next())))
}

// helpThaw gives the value back to its key. Expected: the frozen word, by its version.
func (o *operation) helpThaw() {
	o.home().word1.CompareAndSwap(
		uint64(o.expect.Freeze()), uint64(o.expect.Next(o.expect.Value())))
}

// helpRelease puts the base back as it was. Expected: the old key with the reference of this
// generation.
func (o *operation) helpRelease() {
	o.home().word0.CompareAndSwap(
		uint64(o.oldBase()), uint64(BaseWord(o.plan.Key(), o.plan.Map())))
}

// helpClearVersion gives the claimed cell its next version, so that it never has the same
// generation twice. Expected: word 1 of the empty cell of that generation.
func (o *operation) helpClearVersion() {
	o.home().word1.CompareAndSwap(uint64(o.expect), uint64(o.expect.Next(0)))
}

// helpReopen makes the claimed cell empty again. Expected: the reference of this generation.
func (o *operation) helpReopen() {
	o.home().word0.CompareAndSwap(
		uint64(ClaimedWord(o.ref)), uint64(EmptyWord(o.expect.Version().Next())))
}
