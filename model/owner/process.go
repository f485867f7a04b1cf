package owner

// process makes the steps of the process table: attaching takes the lock of an entry, then its state
// with a new epoch; detaching goes the other way. Only the holder of the lock changes the state.
func (x *stepper) process(l Local) {
	switch l.PC {
	case ProcessLock:
		switch {
		case x.s.Lock[l.I-1] == 0:
			x.take(ProcessLock, l.at(ProcessPublish)).Lock[l.I-1] = x.a
		case l.I < x.m.entries:
			l.I++
			x.take(ProcessLock, l)
		default:
			x.take(ProcessLock, x.after(l))
		}
	case ProcessPublish:
		e, ep := l.I, x.s.Entries[l.I-1].Ep+1
		l.W = Word{x.a, e, ep}
		l.I, l.Why = 1, ForTake
		x.take(ProcessPublish, l.at(OwnerTake)).Entries[e-1] = Entry{ep, true}
	case ProcessWithdraw:
		next := x.take(ProcessWithdraw, l.at(ProcessUnlock))
		if e := &next.Entries[l.W.E-1]; *e == (Entry{l.W.Ep, true}) {
			e.At = false
		}
	case ProcessUnlock:
		x.take(ProcessUnlock, x.after(l)).Lock[l.W.E-1] = 0
	case ProcessState:
		if x.s.Entries[l.Seen.E-1] != (Entry{l.Seen.Ep, true}) {
			x.take(ProcessState, l.at(OwnerTakeOver))
		} else {
			x.take(ProcessState, l.at(ProcessLocked))
		}
	case ProcessLocked:
		if x.s.Lock[l.Seen.E-1] != 0 {
			x.take(ProcessLocked, x.further(l, l.I))
		} else {
			x.take(ProcessLocked, l.at(OwnerTakeOver))
		}
	}
}
