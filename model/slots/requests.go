package slots

// nextFree looks at the next slot, in search of a free one.
func (x *stepper) nextFree(l Local) Local {
	if l.Slot == x.m.p.Slots {
		return l.returns(NotDone)
	}
	l.Slot++
	return l.at(SlotLook)
}

// request makes the steps of a client with a slot.
func (x *stepper) request(l Local) {
	switch l.PC {
	case SlotLook:
		x.take(x.looked(l, *x.s.word(l.Slot)))
	case SlotClaim:
		w := l.word.to(Claimed)
		if !x.finds(&l) {
			l.word = Word{}
			x.take(x.nextFree(l))
			return
		}
		l.word = w
		x.put(l.at(SlotWrite), w)
	case SlotWrite:
		x.take(l.at(SlotPublish)).Request[l.Slot-1] = number(x.a+1, l.Call)
	case SlotPublish:
		w := l.word.to(Published)
		if !x.finds(&l) {
			x.take(l.returns(NotDone))
			return
		}
		l.word = w
		x.put(l.at(BellRing), w)
	case SlotWait:
		x.sleep(l.at(SlotLook), *x.s.word(l.Slot) == l.word)
	case SlotRead:
		l.result = Wrong
		if x.s.Response[l.Slot-1] == number(x.a+1, l.Call) {
			l.result = Performed
		}
		x.take(l.at(SlotFree))
	default:
		x.ends(l)
	}
}

// looked is what a client makes of a state word.
func (x *stepper) looked(l Local, w Word) Local {
	m := l
	m.word = w
	switch l.phase {
	case claiming:
		if w.Life == Free {
			return m.at(SlotClaim)
		}
		return x.nextFree(l)
	case attaching:
		if w.Life == Free || w.Life == Abandoned {
			return x.nextSlot(l)
		}
		return m.at(SlotReclaim)
	}
	switch w.Life {
	case Published, Taken:
		return pending(m)
	case Done:
		return m.at(SlotRead)
	case Failed:
		m.result = Unknown
		return m.at(SlotFree)
	}
	return l.returns(Unknown)
}

// pending is what a client does whose request has no answer yet.
func pending(l Local) Local {
	switch {
	case l.phase == waiting:
		return l.at(SlotWait)
	case l.phase == late:
		return l.at(PeerLook)
	case l.word.Life == Published:
		return l.at(SlotWithdraw)
	}
	return l.at(SlotAbandon)
}

// ends makes the steps by which a client is done with the slot that it holds.
func (x *stepper) ends(l Local) {
	again := l.at(SlotLook)
	switch l.PC {
	case SlotFree:
		x.ifFound(l, Free, l.returns(l.result), l.returns(l.result))
	case SlotWithdraw:
		x.ifFound(l, Free, l.returns(NotDone), again)
	case SlotAbandon:
		x.ifFound(l, Abandoned, l.returns(Unknown), again)
	case SlotFail:
		again.phase = waiting
		x.ifFound(l, Failed, again, again)
	}
}

// ifFound adds a compare-and-swap of the slot, and where the actor goes on.
func (x *stepper) ifFound(l Local, to Life, then, otherwise Local) {
	if x.finds(&l) {
		x.put(then, l.word.to(to))
	} else {
		x.take(otherwise)
	}
}
