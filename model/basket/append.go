package basket

import "slices"

// roomOf is for how many records there is room in the open basket of the lane.
func (x *stepper) roomOf(l *Local) int {
	lane := x.lane(l)
	if l.Open[lane] == 0 {
		return 0
	}
	return Slots - int(l.Position[lane]) + 1
}

// again: the ticket is void, so the operation starts from its beginning. What was appended for it was never
// seen, so its room is used again, and its first size word is zeroed before. A get has appended nothing.
func (x *stepper) again(l Local) Local {
	f, lane := l.frame, x.lane(&l)
	taken := f.errand != toGet && f.count > 0
	if taken {
		l.Position[lane] -= int8(f.count)
	}
	if l.Open[lane] == 0 {
		l.Position[lane] = 0
	}
	if f.errand.ofRecord() {
		l.frame = Frame{errand: x.ofRecord(), hash: f.hash, record: f.record}
		l.PC = IndexLookup
	} else {
		l = x.begin(l)
	}
	if taken {
		l.frame.lane = f.lane
		return l.at(AppendZero)
	}
	return l
}

// onward is what comes next: copies for the telling, records to append, the swap.
func (x *stepper) onward(l Local) Local {
	f := &l.frame
	switch {
	case f.tell.len() > 0:
		f.copy = f.tell.item[0]
		f.at = f.copy.Ref
		return l.at(CopyLow)
	case f.todo.len() > 0:
		f.copy = f.todo.item[0]
		f.at = f.copy.Ref
		return l.at(AppendZero)
	}
	f.at, f.copy = 0, Copy{}
	switch {
	case f.errand == toPush || f.errand == toTake:
		return l.at(IndexDrop)
	case x.m.p.Described && f.ticket.Ref == 0:
		return l.at(IndexInstall)
	}
	return l.at(IndexSwap)
}

// plan: the chain was followed up to p, the record that the change is about; 0 if there is none. What is new
// comes to the front, what is moved or marked keeps its place.
func (x *stepper) plan(f Frame, p int) Frame {
	var todo []Copy
	f.next, f.tell = f.ticket.Ref, list[Copy]{}
	shared := f.errand == toSet && !x.m.rule(ruleNeighbours)
	if p > 0 {
		if !shared {
			f.next = f.chain.item[p-1].Next
		}
		for i := p - 2; i >= 0 && x.m.rule(ruleCopies) && !shared; i-- { // those before it
			todo = append(todo, f.chain.item[i])
		}
	}
	own := func() Copy {
		c := f.chain.item[p-1]
		if !x.m.rule(ruleRef) {
			c.Ref = f.record
		}
		return c
	}
	switch f.errand {
	case toSet:
		todo = append(todo, Copy{Key: f.key, Low: f.value, High: f.value})
	case toMove, toPromote:
		todo = slices.Insert(todo, 0, own())
	case toMark:
		c := own()
		c.Suspect = f.value
		todo = slices.Insert(todo, 0, c)
	case toEvict:
		f.tell = f.tell.with(own())
	}
	f.todo, f.chain, f.at, f.copy = listOf(todo), list[Copy]{}, 0, Copy{}
	return f
}

// planCut: where there is no room for copies, those before the record go, too.
func planCut(f Frame, p int) Frame {
	f.errand, f.todo, f.next = toEvict, list[Copy]{}, f.chain.item[p-1].Next
	f.tell, f.chain, f.at, f.copy = listOf(f.chain.item[:p]), list[Copy]{}, 0, Copy{}
	return f
}

// planned: all records of a change go into one basket, which is open until the change is made. So none of
// them can be retired before.
func (x *stepper) planned(l Local, p int) Local {
	f := x.plan(l.frame, p)
	switch {
	case f.todo.len() <= x.roomOf(&l):
		l.frame = f
		return x.onward(l)
	case l.frame.errand.ofRecord():
		l.frame = planCut(l.frame, p)
		return x.onward(l)
	}
	l.frame = Frame{basket: 1}
	if l.Open[x.lane(&l)] == 0 {
		return l.at(RoomLook)
	}
	return l.at(RoomSeal)
}

// wanted tells whether the copy is of the record that the operation is about.
func (x *stepper) wanted(f *Frame, c *Copy) bool {
	switch {
	case !f.errand.ofRecord():
		return c.Key == f.key
	case x.m.rule(ruleRef):
		return c.Ref == f.record
	}
	return c.Key == x.s.rec(f.record).Key
}

// nextHand looks into the hand behind that of an actor, or ends the walk.
func (x *stepper) nextHand(l Local, of uint8) Local {
	if int(of) == x.m.clients() {
		l.frame = Frame{}
		return l.at(WalkZero)
	}
	l.frame = Frame{basket: of + 1}
	return l.at(WalkHand)
}

// notFound: the chain has ended.
func (x *stepper) notFound(l Local) Local {
	f := &l.frame
	switch {
	case f.errand == toHand:
		return x.nextHand(l, f.basket)
	case f.errand == toPush || f.errand == toTake:
		f.tell, f.chain = f.chain, list[Copy]{}
		return x.onward(l)
	case f.errand == toSet:
		return x.planned(l, 0)
	case f.errand == toGet && !x.m.rule(ruleMiss):
		return l.done(0)
	case f.errand.ofRecord() && !x.m.rule(ruleWalk):
		return x.nextRecord(l)
	}
	return l.at(IndexStill)
}

// inHand: somebody's hand leads into the basket that retires. If it is dead, what it had is taken; if not,
// the basket is left for later.
func (x *stepper) inHand(l Local) Local {
	f := l.frame
	switch {
	case x.s.Dead.Has(f.basket):
		l.frame = Frame{errand: toTake, basket: f.basket, ticket: f.ticket, at: f.ticket.Ref}
		return l
	case x.m.rule(ruleBack):
		l.frame = Frame{}
		return l.at(WalkNumber)
	}
	return x.nextHand(l, f.basket-1)
}

// copies makes the loads of a record.
func (x *stepper) copies(l Local) {
	r := x.s.rec(l.frame.at)
	switch l.PC {
	case CopyHead:
		x.take(x.copied(l, r))
		return
	case CopyLow:
		l.frame.copy.Low = r.Low
		x.take(l.at(CopyHigh))
		return
	}
	f := &l.frame
	c := f.copy
	c.High = r.High
	switch {
	case f.errand == toGet, f.errand == toMark && f.todo.len() == 0:
		f.copy, f.at = c, 0
		l = l.at(IndexStill)
	case f.tell.len() > 0:
		f.told, f.tell = f.told.with(Told{c.Key, c.value()}), f.tell.tail()
		f.copy, f.at = Copy{}, 0
		l = x.onward(l)
	default:
		if f.errand == toMark && c.Key == f.key {
			f.record = c.High
		}
		f.copy, f.at = c, 0
		l = l.at(AppendHead)
	}
	x.take(l)
}

// asks tells whether the record is what a get looks for, or has the mark that there is to be, so that nothing
// is left to do. Without the rule a mark is stored into the record that is there, and nothing is appended.
func (x *stepper) asks(f *Frame, c *Copy) bool {
	marked := f.errand == toMark && (c.Suspect == f.value || !x.m.rule(ruleSwap))
	return c.Key == f.key && (f.errand == toGet || marked)
}

// copied: key and next of a record are loaded. A chain is bounded: what is longer was torn.
func (x *stepper) copied(l Local, r *Record) Local {
	f := &l.frame
	c := r.copied(f.at)
	length := f.chain.len() + int(f.count) // without this record
	on := l
	if f.errand == toGet {
		on.frame.count++
	} else {
		on.frame.chain = f.chain.with(c)
	}
	changes := f.errand == toSet || f.errand == toDelete || f.errand == toMark || f.errand.ofRecord()
	switch {
	case x.asks(f, &c):
		f.copy = c
		return l.at(CopyLow)
	case f.errand == toHand && basketOf(f.at) == l.Retiring:
		return x.inHand(l)
	case changes && x.wanted(f, &c):
		return x.planned(on, on.frame.chain.len())
	case r.Next != 0 && length < len(x.m.p.Hashes):
		on.frame.at = r.Next
		return on
	}
	on.frame.at = 0
	return x.notFound(on)
}

// appends makes the stores of a record. The size word of the one behind is zeroed first: whoever walks ends
// there, whenever the owner dies.
func (x *stepper) appends(l Local) {
	lane := x.lane(&l)
	open, position := l.Open[lane], l.Position[lane]
	at := refOf(open, uint8(position))
	c := l.frame.copy
	switch l.PC {
	case AppendZero:
		x.zero(l, at)
	case AppendHead:
		r := x.take(l.at(AppendLow)).rec(at)
		r.Key, r.Next, r.Suspect = c.Key, l.frame.next, c.Suspect
	case AppendLow:
		x.take(l.at(AppendHigh)).rec(at).Low = c.Low
	case AppendHigh:
		to := l.at(AppendSize)
		if !x.m.rule(ruleSize) {
			to = x.appended(l, at)
		}
		x.take(to).rec(at).High = c.High
	case AppendSize: // before the record can be found: a walker must not miss it
		next := x.take(x.appended(l, at))
		next.rec(at).Size = l.frame.hash
		next.born[at-1] = x.s.head(open).Generation
	}
}

// zero ends the records behind the one that comes, or what is given up.
func (x *stepper) zero(l Local, at uint8) {
	switch f := &l.frame; {
	case f.todo.len() == 0:
		f.lane = 0
		if l.PC = IndexLookup; l.stage == done {
			l.PC = ClientReturn
		}
		x.take(l).rec(at).Size = 0
		return
	case f.at != 0:
		l.PC = CopyLow
	default:
		l.PC = AppendHead
	}
	next := x.take(l)
	if at < refOf(basketOf(at), Slots) && x.m.rule(ruleZero) {
		next.rec(at + 1).Size = 0
	}
}

// appended: a record is whole.
func (x *stepper) appended(l Local, at uint8) Local {
	f, lane := &l.frame, x.lane(&l)
	l.Position[lane]++
	f.count++
	f.next, f.todo, f.copy = at, f.todo.tail(), Copy{}
	l = x.onward(l)
	if l.Position[lane] > Slots && !x.m.rule(rulePublish) {
		return l.at(RoomSeal)
	}
	return l
}
