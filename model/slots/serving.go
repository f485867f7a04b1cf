package slots

import "github.com/samecycle/samecycle/model/search"

// serve makes the steps of a service with a slot that it takes.
func (x *stepper) serve(l Local) {
	switch l.PC {
	case SlotTake:
		if !x.finds(&l) {
			x.take(x.nextSlot(l))
			return
		}
		l.word = l.word.to(Taken)
		l.from, l.found = x.behind(l.Slot), true
		x.put(l.at(SlotCopy), l.word)
	case SlotCopy:
		l.copied = x.s.Request[l.Slot-1]
		x.take(l.at(SlotPerform))
	case SlotPerform:
		x.take(l.at(SlotAnswer)).did[l.copied/10-1][l.copied%10-1]++
	case SlotAnswer:
		response := l.copied
		l.copied = 0
		x.take(l.at(SlotDone)).Response[l.Slot-1] = response
	case SlotDone:
		if x.finds(&l) || !x.m.rule(ruleSwap) {
			x.put(l.at(SlotWake), l.word.to(Done))
			return
		}
		l.word = l.word.to(Abandoned)
		x.take(l.at(SlotDrop))
	case SlotDrop:
		x.ifFound(l, Free, x.nextSlot(l), x.nextSlot(l))
	case SlotWake:
		x.take(x.nextSlot(l)).Asleep &^= x.waiters(l.Slot)
	}
}

// waiters are the clients at a slot.
func (x *stepper) waiters(slot uint8) (set search.Set) {
	if !x.m.rule(ruleWake) {
		return 0
	}
	for a := range x.m.p.Clients {
		if x.s.Loc[a].Slot == slot {
			set |= search.One(uint8(a + 1))
		}
	}
	return set
}
