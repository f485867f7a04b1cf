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

// clear makes the steps that make the entry of a dead process idle. Others take the lock for that of a
// process that lives as long as it is held.
func (x *stepper) clear(l Local) {
	e, dead := l.Seen.E-1, Entry{l.Seen.Ep, true}
	switch l.PC {
	case ProcessClearLock:
		if holder := x.s.Lock[e]; holder != 0 && holder != x.a {
			x.take(ProcessClearLock, cleared(l))
			return
		}
		x.take(ProcessClearLock, l.at(ProcessClearRead)).Lock[e] = x.a
	case ProcessClearRead:
		to := ProcessClearUnlock
		if x.s.Entries[e] == dead {
			to = ProcessClearState
		}
		x.take(ProcessClearRead, l.at(to))
	case ProcessClearState:
		if next := x.take(ProcessClearState, l.at(ProcessClearUnlock)); next.Entries[e] == dead {
			next.Entries[e].At = false
		}
	case ProcessClearUnlock:
		x.take(ProcessClearUnlock, cleared(l)).Lock[e] = 0
	}
}

// cleared is the end of a clear, whatever came of it.
func cleared(l Local) Local {
	l.Seen = Word{}
	return rest(l)
}
