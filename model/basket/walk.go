package basket

// walk makes the accesses of who retires a basket, and tells what is removed.
func (x *stepper) walk(l Local) {
	switch l.PC {
	case WalkSize:
		x.take(x.size(l))
	case WalkTell:
		x.take(x.tell(l))
	case WalkHand:
		x.take(x.hand(l))
	case WalkNumber: // a basket that somebody's hand leads into is the youngest now
		l.frame.count = x.s.Number
		x.take(l.at(WalkBack)).Number++
	case WalkBack:
		basket, number := l.Retiring, l.frame.count
		h := x.take(x.leave(l)).head(basket)
		h.Life, h.Owner, h.Number = Sealed, 0, number
	case WalkZero: // a free basket has no records
		x.take(l.at(WalkFree)).rec(refOf(l.Retiring, 1)).Size = 0
	case WalkFree:
		basket := l.Retiring
		h := x.take(x.leave(l)).head(basket)
		if *h = (Head{Life: Free, Generation: h.Generation}); x.m.rule(ruleGeneration) {
			h.Generation++
		}
	}
}

// leave: the basket is done with.
func (x *stepper) leave(l Local) Local {
	service := x.op().Kind.Service()
	freed := l.PC == WalkFree
	l.Retiring, l.Walked = 0, 0
	switch {
	case !service:
		return looking(l)
	case !freed:
		l.frame = Frame{}
	}
	return l.at(ClientReturn)
}

// size ends the walk, or gives the hash.
func (x *stepper) size(l Local) Local {
	size := uint8(0)
	if l.Walked <= Slots {
		size = x.s.rec(refOf(l.Retiring, l.Walked)).Size
	}
	switch {
	case size != 0 && x.m.rule(ruleEmpty):
		l.frame = Frame{errand: x.ofRecord(), hash: size, record: refOf(l.Retiring, l.Walked)}
		return l.at(IndexLookup)
	case x.m.rule(ruleHand):
		l.frame = Frame{basket: 1}
		return l.at(WalkHand)
	}
	return l.at(WalkZero)
}

// tell: a removal is told to whoever wants to know.
func (x *stepper) tell(l Local) Local {
	if l.owed.len() > 1 {
		l.owed = l.owed.tail()
		return l
	}
	l.owed = list[Told]{}
	switch l.frame.errand {
	case toPush:
		l.frame = Frame{}
		return l.at(ClientReturn)
	case toTake:
		return x.nextHand(l, 0)
	}
	return x.nextRecord(l)
}

// hand: what the index has handed over and its taker has not copied yet is in the taker's descriptor. Looked
// at behind the walk: then nothing can come into a hand from this basket any more.
func (x *stepper) hand(l Local) Local {
	ref := x.s.Hand[l.frame.basket-1]
	if ref == 0 {
		return x.nextHand(l, l.frame.basket)
	}
	f := &l.frame
	f.errand, f.ticket.Ref, f.at = toHand, ref, ref
	return l.at(CopyHead)
}
