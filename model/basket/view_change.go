package basket

import "slices"

// The accesses of a change in the code: index, copies, appends.

func (p *pacer) lookup() {
	l := p.local()
	w := p.s.Word[p.x.Index-1]
	switch {
	case l.PC != IndexLookup:
		p.at()
	case l.frame.hash != p.x.Index:
		p.no("the word of hash %d is loaded, the actor is about hash %d", p.x.Index, l.frame.hash)
	case l.frame.errand == toSet && w.Ref == 0:
		l.frame.ticket = w
		p.put(l.at(planned))
	default:
		p.step(func(x *stepper) { x.take(x.lookup(l)) })
	}
}

// still: the ticket is asked for. A change asks, too; the specification has its swap for that.
func (p *pacer) still() {
	l := p.local()
	holds := l.frame.hash != 0 && p.holds(&l)
	switch {
	case l.frame.hash != p.x.Index:
		p.no("the word of hash %d is loaded, the actor is about hash %d", p.x.Index, l.frame.hash)
	case l.PC == IndexStill && holds:
		p.step(func(x *stepper) { x.take(x.still(l)) })
	case l.PC == planned && holds:
		x := &stepper{m: p.m, a: p.a, s: &p.s.State}
		if f := x.plan(l.frame, int(l.frame.basket)); l.frame.errand == toDelete && f.todo.len() == 0 {
			f.basket, l.frame = 0, f
			l = x.onward(l)
		}
		p.put(l)
	case l.PC == CopyLow && l.frame.errand == toGet && holds: // ahead of memory for the value
		p.stay()
	case !holds && (l.PC == IndexStill || l.PC == planned || l.PC == CopyHead || l.PC == CopyLow ||
		l.PC == CopyHigh):
		p.void(l)
	default:
		p.at()
	}
}

// ofAdd is the local state of the change whose add goes on, though what was handed over is not dropped yet.
func (p *pacer) ofAdd() (l Local, pushed bool) {
	if l = p.resumed(); l.frame.errand != toPush || l.PC != IndexDrop {
		return l, false
	}
	l.frame, l.PC = p.s.Kept[p.a], p.s.KeptAt[p.a]
	return l, true
}

// pushed lets what the add came to wait for the drop.
func (p *pacer) pushed() {
	for i := range p.list {
		next := &p.list[i]
		next.keep(p.a)
		next.Loc[p.a].frame, next.Loc[p.a].PC = p.s.Loc[p.a].frame, IndexDrop
	}
}

// add looks whether the hash has nothing.
func (p *pacer) add() {
	l, pushed := p.ofAdd()
	w := p.s.Word[p.x.Index-1]
	switch {
	case l.PC != IndexSwap || l.frame.ticket.Ref != 0 || l.frame.hash != p.x.Index:
		p.at()
	case w.Ref == 0:
		l.frame.ticket = w
		p.put(l)
	default:
		p.void(l)
	}
	if pushed {
		p.pushed()
	}
}

func (p *pacer) swap() {
	l, pushed := p.ofAdd()
	if l.PC == planned {
		x := &stepper{m: p.m, a: p.a, s: &p.s.State}
		f := x.plan(l.frame, int(l.frame.basket))
		if f.todo.len() > 0 || f.tell.len() > 0 {
			p.no("the word is swapped, and %d records are not appended, %d not copied", f.todo.len(),
				f.tell.len())
			return
		}
		f.basket, l.frame = 0, f
		l = x.onward(l)
	}
	success := p.s.Word[p.x.Index-1] == l.frame.ticket
	switch {
	case l.PC != IndexSwap || l.frame.hash != p.x.Index:
		p.at()
	case success != p.x.OK:
		p.no("the ticket holds: %v, the swap was made: %v", success, p.x.OK)
	case success:
		p.step(func(x *stepper) { x.swap(l) })
	case l.frame.errand == toMark: // it is given up
		p.step(func(x *stepper) { x.swap(l) })
	default:
		p.void(l)
	}
	if pushed {
		p.pushed()
	}
}

// head: a record of a chain is looked at. Where the specification plans, the change keeps the chain.
func (p *pacer) head() {
	l := p.local()
	f := &l.frame
	if l.PC != CopyHead || f.at != p.x.ref() {
		if p.isVoid(&l) {
			p.stay() // what is torn may lead anywhere
			return
		}
		p.no("record %d of basket %d is looked at; the actor is before %v, of ref %d", p.x.Slot, p.x.Basket,
			l.PC, f.at)
		return
	}
	x := &stepper{m: p.m, a: p.a, s: &p.s.State}
	r := p.s.rec(f.at)
	c := r.copied(f.at)
	if f.errand == toPush || f.errand == toTake {
		f.copy, f.count = c, f.count+1
		p.put(l)
		return
	}
	switch ends := r.Next == 0 || f.chain.len()+int(f.count) >= len(p.m.p.Hashes); {
	case f.errand == toHand && basketOf(f.at) == l.Retiring: // it may be taken if its owner is dead, or not
		l.frame = Frame{}
		p.put(l.at(WalkNumber))
	case f.errand == toGet || f.errand == toHand || x.asks(f, &c):
		p.put(x.copied(l, r))
	case x.wanted(f, &c):
		f.chain = f.chain.with(c)
		f.basket, f.at = uint8(f.chain.len()), 0
		p.put(l.at(planned))
	case ends && f.errand == toSet:
		f.chain = f.chain.with(c)
		f.basket, f.at = 0, 0
		p.put(l.at(planned))
	default:
		p.put(x.copied(l, r))
	}
}

// isVoid reports whether the actor copies behind a ticket that holds no more.
func (p *pacer) isVoid(l *Local) bool {
	copies := l.PC == CopyHead || l.PC == CopyLow || l.PC == CopyHigh || l.PC == IndexStill || l.PC == planned
	return copies && l.frame.hash != 0 && !p.holds(l)
}

// value: a reader copies. So does who is about to mark what it finds; its ticket tells whether that is whole.
func (p *pacer) value() {
	l := p.local()
	right := l.frame.at == p.x.ref() && (l.frame.errand == toGet || l.frame.errand == toMark)
	if l.PC == planned && l.frame.errand == toMark && l.frame.chain.item[l.frame.basket-1].Ref == p.x.ref() {
		p.stay()
		return
	}
	switch {
	case right && (p.x.Part == Low && l.PC == CopyLow || p.x.Part == High && l.PC == CopyHigh):
		p.step(func(x *stepper) { x.copies(l) })
	case right && p.x.Part == Rest || p.isVoid(&l):
		p.stay()
	default:
		p.at()
	}
}

// note: a record is copied for the telling. Of what is replaced or deleted nobody is told.
func (p *pacer) note() {
	l := p.resumed()
	x := &stepper{m: p.m, a: p.a, s: &p.s.State}
	f := &l.frame
	if l.PC == planned && f.errand == toEvict {
		g := x.plan(*f, int(f.basket))
		if g.todo.len() > x.roomOf(&l) {
			g = planCut(*f, int(f.basket))
		}
		g.basket, l.frame = 0, g
		l = x.onward(l)
	}
	right := f.tell.len() > 0 && f.at == p.x.ref()
	switch {
	case f.errand == toPush || f.errand == toTake:
		p.handed(l)
	case f.errand == toSet || f.errand == toDelete:
		p.put(l)
	case f.errand.moves():
		p.no("what is moved is told")
	case right && (p.x.Part == Low && l.PC == CopyLow || p.x.Part == High && l.PC == CopyHigh):
		p.step(func(x *stepper) { x.copies(l) })
	case right && p.x.Part == Rest:
		p.put(l)
	default:
		p.at()
	}
}

// handed: a record that was handed over is copied, one after the other.
func (p *pacer) handed(l Local) {
	f := &l.frame
	if f.at != p.x.ref() || f.copy.Ref != f.at {
		p.at()
		return
	}
	switch r := p.s.rec(f.at); p.x.Part {
	case Low:
		f.copy.Low, l.PC = r.Low, CopyHigh
	case High:
		f.copy.High = r.High
		f.told = f.told.with(Told{f.copy.Key, f.copy.value()})
		f.at, l.PC = f.copy.Next, CopyHead
		if f.at == 0 || int(f.count) > len(p.m.p.Hashes) {
			f.at, f.count, l.PC = 0, 0, IndexDrop
		}
		f.copy = Copy{}
	}
	p.put(l)
}

// push: an add finds the index full, and takes out what another hash has.
func (p *pacer) push() {
	l := p.local()
	switch {
	case l.PC != IndexSwap || l.frame.ticket.Ref != 0:
		p.at()
	case !p.x.OK:
		p.stay()
	case p.s.Word[p.x.Index-1].Ref == 0:
		p.no("hash %d is taken out, which has nothing", p.x.Index)
	default:
		s := *p.s
		s.keep(p.a)
		p.s = &s
		l.PC, l.frame = IndexPush, Frame{errand: toPush, hash: p.x.Index}
		p.step(func(x *stepper) { x.push(l) })
	}
}

// claim: what a dead actor has in its hand belongs from here on to the actor that copies it.
func (p *pacer) claim() {
	l := p.local()
	of := p.x.Index
	s := *p.s
	switch {
	case !p.x.OK:
		p.stay()
		return
	case !s.Dead.Has(of):
		p.no("the hand of actor %d is taken, who lives", of)
		return
	case l.PC == WalkNumber: // of the basket that retires
	case s.KeptAt[p.a] == noAction:
		s.keep(p.a)
	}
	p.s = &s
	l.PC, l.frame = CopyHead, Frame{errand: toTake, basket: of, at: s.Hand[of-1]}
	l.frame.ticket.Ref = s.Hand[of-1]
	p.put(l)
}

// drop: what was handed over is copied, and leaves the hand.
func (p *pacer) drop() {
	l := p.local()
	of := l.frame.basket
	if l.frame.errand == toPush {
		of = uint8(p.a + 1)
	}
	if l.PC != IndexDrop || of != p.x.Index {
		p.at()
		return
	}
	p.step(func(x *stepper) { x.drop(l) })
}

// zero: the size word behind the next record, or that of what is given up.
func (p *pacer) zero() {
	l := p.resumed()
	f := &l.frame
	x := &stepper{m: p.m, a: p.a, s: &p.s.State}
	p.into(&l)
	if l.PC == AppendZero && f.todo.len() == 0 { // what is given up
		if p.mine(&l) {
			p.step(func(x *stepper) { x.appends(l) })
		}
		return
	}
	if l.PC == planned {
		g := x.plan(*f, int(f.basket))
		if g.todo.len() == 0 || g.todo.len() > x.roomOf(&l) {
			p.no("%d records are to be appended, and there is room for %d", g.todo.len(), x.roomOf(&l))
			return
		}
		if f.errand == toEvict {
			p.no("a record is appended, and the one that leaves is not copied for the telling")
			return
		}
		g.basket, l.frame = 0, g
		l = x.onward(l)
	}
	if l.PC != AppendZero || f.tell.len() > 0 {
		p.at()
		return
	}
	lane := x.lane(&l)
	if l.Open[lane] != p.x.Basket || int8(p.x.Slot) != l.Position[lane]+1 {
		p.no("record %d of basket %d is ended; the actor appends record %d of basket %d", p.x.Slot,
			p.x.Basket, l.Position[lane], l.Open[lane])
		return
	}
	p.step(func(x *stepper) { x.appends(l) })
}

// into chooses the lane of a set that has appended nothing yet: that of the basket of the access.
func (p *pacer) into(l *Local) {
	lane := slices.Index(l.Open[:], p.x.Basket)
	begins := l.PC == planned || l.PC == AppendZero && l.frame.todo.len() > 0
	if lane > 0 && begins && l.frame.count == 0 && l.frame.errand == toSet {
		l.frame.lane = uint8(lane + 1)
	}
}

// copied: a neighbour is copied.
func (p *pacer) copied() {
	l := p.local()
	f := &l.frame
	right := f.todo.len() > 0 && f.tell.len() == 0 && f.at == p.x.ref()
	switch {
	case right && (p.x.Part == Low && l.PC == CopyLow || p.x.Part == High && l.PC == CopyHigh):
		p.step(func(x *stepper) { x.copies(l) })
	case right && p.x.Part == Rest && (l.PC == CopyLow || l.PC == CopyHigh):
		p.stay()
	default:
		p.at()
	}
}

// append writes what the specification writes, to the own record.
func (p *pacer) append() {
	l := p.local()
	if l.PC != AppendHead && l.PC != AppendSize {
		p.at()
		return
	}
	if p.mine(&l) {
		p.step(func(x *stepper) { x.appends(l) })
	}
}

// bytes writes part of a key, or of a value.
func (p *pacer) bytes() {
	l := p.local()
	switch {
	case !p.mine(&l):
	case p.x.Part == Low && l.PC == AppendLow, p.x.Part == High && l.PC == AppendHigh:
		p.step(func(x *stepper) { x.appends(l) })
	case p.x.Part == Rest && (l.PC == AppendLow || l.PC == AppendHigh):
		p.stay()
	default:
		p.at()
	}
}

// mine refuses what is not the record that the actor appends.
func (p *pacer) mine(l *Local) bool {
	lane := p.m.lane(&p.s.State, l)
	open, position := l.Open[lane], l.Position[lane]
	if open == 0 || open != p.x.Basket || int8(p.x.Slot) != position {
		p.no("record %d of basket %d is written; the actor appends record %d of basket %d", p.x.Slot,
			p.x.Basket, position, open)
		return false
	}
	return true
}
