package hopscotch

// The accesses of help.go: each function is the action of that name, and makes one access.

func (o *operation) helpHead() Head { return Head(o.d.head.Load()) }

func (o *operation) helpPair() Pair { return Pair(o.d.pair.Load()) }

func (o *operation) helpPlan() Plan { return Plan(o.d.plan.Load()) }

func (o *operation) helpExpect() Word1 { return Word1(o.d.expect.Load()) }

func (o *operation) helpHeadAgain() Head { return Head(o.d.head.Load()) }

func (o *operation) helpTarget() Target { return Target(o.d.target.Load()) }

// helpFreeze bars updates of the displaced value; from here on it is a copy in all but name.
// Expected: a version of word 1, which no later word of this cell has.
func (o *operation) helpFreeze() bool {
	return o.home().word1.CompareAndSwap(uint64(o.expect), uint64(o.expect.Freeze()))
}

// helpFreezeCheck reports whether this operation's freeze is in place, whoever made it.
func (o *operation) helpFreezeCheck() bool {
	return Word1(o.home().word1.Load()) == o.expect.Freeze()
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
	to := MakeTarget(r.Generation()).Decide(StatusAborted)
	o.table.descriptors[r.Index()].target.CompareAndSwap(uint64(undecided), uint64(to))
}

// helpCommit decides for the operation, and names the hole in the same word. Expected: undecided
// in this generation. From here on the key is this operation's in both halves.
func (o *operation) helpCommit(to Target) bool {
	return o.d.target.CompareAndSwap(uint64(o.target), uint64(to))
}

// helpPropose names another hole. Expected: committed without a hole, in this generation. That
// word can come back by a withdrawal; then every helper looks for a hole anew, and any will do.
func (o *operation) helpPropose(to Target) bool {
	return o.d.target.CompareAndSwap(uint64(o.target), uint64(to))
}

// helpWriteValue puts the value there before the key is seen. Expected: word 1 of the empty cell
// of that generation. The cell is the operation's: nobody else writes it.
func (o *operation) helpWriteValue() {
	o.home().word1.CompareAndSwap(uint64(o.expect), uint64(o.expect.Next(o.pair.Value())))
}

// helpPublishNew makes the claimed cell a base. Expected: the reference of this generation.
// It publishes the element; the cell belongs to the table from here on.
//
// LP: of an add to an empty cell. S01, S04.
func (o *operation) helpPublishNew() {
	o.home().word0.CompareAndSwap(uint64(ClaimedWord(o.ref)), uint64(BaseWord(o.pair.Key(), 0)))
}

// helpReserve takes the hole. Expected: an empty cell of the very generation that the target
// names, so a helper that comes late claims nothing. The hole is the operation's from here on.
func (o *operation) helpReserve() bool {
	return o.holeCell().word0.CompareAndSwap(
		uint64(EmptyWord(o.target.Version())), uint64(ClaimedWord(o.ref)))
}

func (o *operation) helpReserveCheck() Word0 { return Word0(o.holeCell().word0.Load()) }

// helpStillHeld reports whether the operation holds its base, unflipped.
func (o *operation) helpStillHeld() bool {
	return Word0(o.home().word0.Load()) == OperatingWord(o.plan.Key(), o.ref, PhaseOne)
}

func (o *operation) helpTargetAgain() Target { return Target(o.d.target.Load()) }

// helpWithdraw takes back a hole that somebody else has. Expected: this hole with its generation,
// which cannot be proposed again: the cell is not empty in it any more.
func (o *operation) helpWithdraw(to Target) bool {
	return o.d.target.CompareAndSwap(uint64(o.target), uint64(to))
}

// helpCopyValue puts the displaced value into the hole, from the descriptor. Expected: word 1 of
// the empty cell of that generation.
func (o *operation) helpCopyValue() {
	empty := EmptyWord1(o.target.Version())
	o.holeCell().word1.CompareAndSwap(uint64(empty), uint64(empty.Next(o.expect.Value())))
}

// helpPublishMember makes the hole a member. Expected: the reference of this generation. Readers
// find the displaced element in the base until the flip, and here from then on.
func (o *operation) helpPublishMember() {
	o.holeCell().word0.CompareAndSwap(uint64(ClaimedWord(o.ref)), uint64(o.memberWord()))
}

// helpFlip gives the base its new key. Expected: the old key with the reference of this
// generation. It publishes the new element; its value is in the descriptor until the thaw.
//
// LP: of an add that displaces. S02.
func (o *operation) helpFlip() {
	o.home().word0.CompareAndSwap(
		uint64(OperatingWord(o.plan.Key(), o.ref, PhaseOne)),
		uint64(OperatingWord(o.pair.Key(), o.ref, PhaseOne)))
}

// helpUnfreeze puts the new value into the base. Expected: the frozen word, by its version.
func (o *operation) helpUnfreeze() {
	o.home().word1.CompareAndSwap(
		uint64(o.expect.Freeze()), uint64(o.expect.Next(o.pair.Value())))
}

// helpFinish puts the members back into the base, the hole among them. Expected: the new key with
// the reference of this generation. The base is idle and the table's again.
func (o *operation) helpFinish() {
	members := o.plan.Map().With(o.target.Offset())
	o.home().word0.CompareAndSwap(
		uint64(OperatingWord(o.pair.Key(), o.ref, PhaseOne)),
		uint64(BaseWord(o.pair.Key(), members)))
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
		uint64(OperatingWord(o.plan.Key(), o.ref, PhaseOne)),
		uint64(BaseWord(o.plan.Key(), o.plan.Map())))
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
