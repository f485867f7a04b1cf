package hopscotch

// The accesses of reclaim.go, and of NewHandle and Close: each function is the action of that name in
// spec/tla/hopscotch/Owner.tla, and makes one access. Between operations only: the head is its owner's.

// ownerTake takes a free descriptor. Expected: nobody. It is by's from here on.
func (d *descriptor) ownerTake(by Owner) bool { return d.owner.CompareAndSwap(0, uint64(by)) }

// ownerRead is the owner of the descriptor, which may have died.
func (d *descriptor) ownerRead() Owner { return Owner(d.owner.Load()) }

// ownerTakeOver takes the descriptor of a dead owner. Expected: that owner, whose attachment never comes
// back. If several actors try, one succeeds. It is by's from here on.
func (d *descriptor) ownerTakeOver(dead, by Owner) bool {
	return d.owner.CompareAndSwap(uint64(dead), uint64(by))
}

// ownerBack gives the descriptor back to the dead owner if it cannot be settled, so that another actor may
// try. Expected: by, the present owner; nobody else changes the word.
func (d *descriptor) ownerBack(by, dead Owner) { d.owner.CompareAndSwap(uint64(by), uint64(dead)) }

// ownerHead is the generation to go on from, and what the last owner was about.
func (d *descriptor) ownerHead() Head { return Head(d.head.Load()) }

// ownerHome is the look at the home cell that decides: it refers to the operation, or never will.
func (c *cell) ownerHome() Word0 { return Word0(c.word0.Load()) }

// ownerTarget is how far the operation has come; it is the last word of a descriptor to be filled.
func (d *descriptor) ownerTarget() Target { return Target(d.target.Load()) }

// ownerRetire ends the generation of a descriptor that has no operation any more, with the next one:
// nobody will hand over again what left by the last one. Only the owner calls it.
func (d *descriptor) ownerRetire(next Generation) {
	d.head.Store(uint64(MakeHead(next, KindNone, 0, 0)))
}

// ownerFree frees the descriptor. Expected: by, the present owner, so that it fails only if the word is
// damaged.
func (d *descriptor) ownerFree(by Owner) bool { return d.owner.CompareAndSwap(uint64(by), 0) }
