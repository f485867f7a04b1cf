package slots

// behind is the slot behind another one, in a circle.
func (x *stepper) behind(slot uint8) uint8 { return slot%x.m.p.Slots + 1 }

// atSlot is where a scan looks at a slot.
func (x *stepper) atSlot(l Local, slot uint8) Local {
	l.PC = SlotScan
	if x.client() {
		l.PC = SlotLook
	}
	l.Slot, l.word, l.copied, l.held = slot, Word{}, 0, l.phase == tidying && l.held
	return l
}

// scan is where a scan begins: behind the slot that was served last, or at the first one for a service that
// tidies.
func (x *stepper) scan(l Local, p phase) Local {
	from := l.from
	if p == tidying {
		from = 1
	}
	l.phase, l.found, l.held = p, false, false
	l.last = (from+x.m.p.Slots-2)%x.m.p.Slots + 1
	l = x.atSlot(l, from)
	if p == tidying && !x.m.rule(ruleOrder) {
		l.PC = PeerLook
	}
	return l
}

// idle is a service between two scans.
func idle(l Local, pc Action) Local {
	l.PC, l.Slot, l.word, l.copied, l.last, l.held, l.found = pc, 0, Word{}, 0, 0, false, false
	return l
}

// afterScan is what follows a scan.
func (x *stepper) afterScan(l Local) Local {
	switch {
	case l.phase == attaching:
		return l.returns(Attached)
	case l.phase == first && !l.found:
		return idle(l, BellSleep)
	case l.phase == again && l.found:
		return idle(l, BellRise)
	case l.phase == again:
		return idle(l, BellWait)
	}
	return x.scan(l, first)
}

func (x *stepper) nextSlot(l Local) Local {
	if l.Slot == l.last {
		return x.afterScan(l)
	}
	return x.atSlot(l, x.behind(l.Slot))
}

// peer makes the steps about the locks, and about what the dead have left.
func (x *stepper) peer(l Local) {
	switch l.PC {
	case PeerLock:
		x.lock(l)
	case PeerLook:
		x.take(x.look(l))
	case SlotScan:
		x.take(x.scanned(l, *x.s.word(l.Slot)))
	case SlotReclaim:
		x.reclaim(l)
	}
}

func (x *stepper) lock(l Local) {
	side := func(s *State) *uint8 {
		if x.client() {
			return &s.Lock.Client
		}
		return &s.Lock.Service
	}
	if *side(x.s) != 0 && (x.client() || x.m.rule(ruleService)) {
		x.take(l.returns(Busy))
		return
	}
	*side(x.take(x.scan(l, attaching))) = x.m.p.Processes[x.a]
}

// look asks for the lock of the other side: a client whose wait has timed out, and a service that finds a
// slot in the hands of a client.
func (x *stepper) look(l Local) Local {
	held := x.s.Lock.Client != 0 && x.m.rule(ruleClient)
	if x.client() {
		held = x.s.Lock.Service != 0 && x.m.rule(ruleService)
	}
	switch {
	case !x.client() && !x.m.rule(ruleOrder):
		l.held = held
		return l.at(SlotScan)
	case !x.client() && held:
		return x.afterScan(l)
	case !x.client():
		return l.at(SlotReclaim)
	case held:
		l.phase = waiting
		return l.at(SlotLook)
	case l.word.Life == Published:
		l.phase = leaving
		return l.at(SlotLook)
	}
	return l.at(SlotFail)
}

// scanned is what a service does with a slot. It works at one at a time. So a slot that it finds taken was
// taken by one that is dead.
func (x *stepper) scanned(l Local, w Word) Local {
	m := l
	m.word = w
	switch {
	case l.phase == tidying && (!w.Life.clients() || l.held):
		return x.nextSlot(l)
	case l.phase == tidying && x.m.rule(ruleOrder):
		return m.at(PeerLook)
	case l.phase == tidying || w.Life == Taken:
		return m.at(SlotReclaim)
	case w.Life == Abandoned:
		return m.at(SlotDrop)
	case w.Life == Published && l.phase != attaching && !l.held:
		return m.at(SlotTake)
	}
	return x.nextSlot(l)
}

// reclaim changes what the dead have left. If somebody else has changed the slot, it is looked at again, but
// for a service that only tidies.
func (x *stepper) reclaim(l Local) {
	to := l.word.to(Free)
	if l.word.Life == Taken {
		to = l.word.to(Failed)
		if x.client() {
			to = l.word.to(Abandoned)
		}
	}
	switch {
	case x.finds(&l) && to.Life == Failed:
		x.put(l.at(SlotWake), to)
	case x.finds(&l):
		x.put(x.nextSlot(l), to)
	case l.phase == tidying:
		x.take(x.nextSlot(l))
	default:
		l = x.atSlot(l, l.Slot)
		l.held = !x.client()
		x.take(l)
	}
}
