package owner

// word makes the accesses of a descriptor between operations. They are the functions of the same names
// in impl/hopscotch/reclaim_steps.go.
func (x *stepper) word(l Local) {
	switch l.PC {
	case OwnerTake: // a free descriptor belongs to whoever moves it away from nobody
		if x.s.Owner[l.I-1] != (Word{}) {
			x.take(OwnerTake, x.further(l, l.I))
			return
		}
		l.D = l.I
		x.take(OwnerTake, l.at(OwnerHead)).Owner[l.I-1] = l.W
	case OwnerRead: // another owner's: is it dead?
		w := x.s.Owner[l.I-1]
		if w == (Word{}) || w == l.W {
			x.take(OwnerRead, x.further(l, l.I))
			return
		}
		l.Seen = w
		x.take(OwnerRead, l.at(ProcessState))
	case OwnerTakeOver: // from the dead to the reclaimer, or to the newcomer: of several one
		if x.s.Owner[l.I-1] != l.Seen {
			x.take(OwnerTakeOver, x.further(l, l.I))
			return
		}
		x.take(OwnerTakeOver, l.at(OwnerHead)).Owner[l.I-1] = l.W
	case OwnerHead:
		x.head(l)
	case OwnerHome: // the home cell refers to the operation, or never will
		if x.s.Cell[l.I-1] != x.s.Head[l.I-1].Gen {
			x.take(OwnerHome, l.at(OwnerTarget))
			return
		}
		l.Fin = true
		x.take(OwnerHome, l.at(TableHelp))
	case OwnerTarget: // what left by it, if it did
		l.Win = x.s.winnings(l.I)
		x.take(OwnerTarget, l.at(OwnerRetire))
	case OwnerRetire:
		x.retire(l)
	case OwnerFree: // nobody's: the end of a close, and of a reclaim
		d := l.I
		to := x.further(l, d)
		if l.Why == ForClose {
			to = l.at(ProcessWithdraw)
			to.D = 0
		}
		x.moveOwner(OwnerFree, to, d, l.W, Word{})
	case OwnerBack: // damage, or the operation could not be finished: back to the dead
		x.moveOwner(OwnerBack, x.further(l, l.I), l.I, l.W, l.Seen)
	}
}

// moveOwner makes a compare-and-swap of an owner word whose failure nobody looks at.
func (x *stepper) moveOwner(action Action, to Local, d uint8, from, word Word) {
	if next := x.take(action, to); next.Owner[d-1] == from {
		next.Owner[d-1] = word
	}
}

// head: the actor's own, to go on from its generation; or that of the dead owner, to see what its operation
// was.
func (x *stepper) head(l Local) {
	h := x.s.Head[l.I-1]
	switch {
	case l.Why == ForTake && l.Pocket == 0:
		l.Gen = h.Gen
		l = rest(l)
	case l.Why == ForTake:
		l.Gen = h.Gen
		l = l.at(CallReturn)
	case h.Kind == None:
		l = settled(l)
	default:
		l = l.at(OwnerHome)
	}
	x.take(OwnerHead, l)
}

// retire ends the generation; what left is the caller's from here on, and in no descriptor any more.
func (x *stepper) retire(l Local) {
	d, g, win, fin := l.I, x.s.Head[l.I-1].Gen, l.Win, l.Fin
	if l.Why == ForClose {
		g = l.Gen
		l = l.at(OwnerFree)
	} else {
		l.Pocket |= win
		l = settled(l)
	}
	next := x.take(OwnerRetire, l)
	next.Head[d-1] = Head{Gen: x.m.generation(g + 1)}
	next.Again |= win & x.s.handed()
	if fin {
		next.Certain |= win
	} else {
		next.Doubtful |= win
	}
}
