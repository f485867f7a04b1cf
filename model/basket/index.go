package basket

// holds tells whether the index still has what a reader's ticket says.
func (x *stepper) holds(f *Frame) bool {
	w := x.s.Word[f.hash-1]
	return w.Ref == f.ticket.Ref && (w.Version == f.ticket.Version || !x.m.rule(ruleVersion))
}

// becomes is the word of a hash with another ref.
func (m *Machine) becomes(w Word, ref uint8) Word {
	if m.rule(ruleStamp) {
		w.Version++
	}
	w.Ref = ref
	return w
}

// flip finishes the add that is installed for a hash.
func (m *Machine) flip(s *State, h uint8) {
	s.Word[h-1] = m.becomes(s.Word[h-1], s.Pending[h-1].Ref)
	s.Pending[h-1] = Pending{}
}

// word makes the accesses of the index.
func (x *stepper) word(l Local) {
	switch l.PC {
	case IndexLookup:
		x.take(x.lookup(l))
	case IndexStill:
		x.take(x.still(l))
	case IndexSwap:
		x.swap(l)
	case IndexInstall:
		x.install(l)
	case IndexFlip:
		f := l.frame
		to := x.again(l)
		if f.record == 1 {
			to = x.swapped(l)
		}
		next := x.take(to)
		p := x.s.Pending[f.hash-1]
		if p != (Pending{}) && (f.record != 1 || int(p.Owner) == x.a+1) {
			x.m.flip(next, f.hash)
		}
	case IndexPush:
		x.push(l)
	case IndexDrop:
		x.drop(l)
	}
}

// lookup that finds nothing answers at this instant.
func (x *stepper) lookup(l Local) Local {
	f := &l.frame
	w := x.s.Word[f.hash-1]
	switch {
	case w.Ref != 0:
		f.ticket, f.at = w, w.Ref
		return l.at(CopyHead)
	case f.errand == toSet:
		f.ticket = w
		return x.planned(l, 0)
	case f.errand.ofRecord():
		return x.nextRecord(l)
	}
	return l.done(0)
}

// still: if the ticket holds, what was copied is whole, and was there at this instant.
func (x *stepper) still(l Local) Local {
	f := &l.frame
	switch {
	case !x.holds(f):
		return x.again(l)
	case f.errand.ofRecord():
		return x.nextRecord(l)
	case f.errand == toGet && f.copy.Key == f.key:
		l.mark = f.copy.Suspect
		return l.done(f.copy.value())
	case f.errand == toMark && f.copy.Key == f.key && f.copy.Suspect == f.value:
		return l.done(f.copy.value())
	case f.errand == toMark && f.copy.Key == f.key:
		f.at, f.record = f.copy.Ref, f.copy.High
		return l.at(IndexSwap)
	}
	return l.done(0)
}

// swapped: the change is made.
func (x *stepper) swapped(l Local) Local {
	f := &l.frame
	switch {
	case f.errand == toSet:
		return l.done(0)
	case f.errand == toDelete:
		return l.done(1)
	case f.errand == toMark:
		return l.done(int8(f.record))
	case f.told.len() > 0:
		l.owed, l.frame = f.told, Frame{}
		return l.at(WalkTell)
	}
	return x.nextRecord(l)
}

// swap is the one compare-and-swap of every change. A mark that is overtaken is given up: what it was about
// is not there any more. Without a rule it is a store, wherever the record is by now.
func (x *stepper) swap(l Local) {
	f := l.frame
	is := x.s.Word[f.hash-1]
	blind := (f.errand == toEvict || f.errand == toMark) && !x.m.rule(ruleCompare)
	switch {
	case f.errand == toMark && !x.m.rule(ruleSwap):
		x.take(x.swapped(l)).rec(f.at).Suspect = f.value
	case is == f.ticket || blind:
		x.take(x.swapped(l)).Word[f.hash-1] = x.m.becomes(is, f.next)
	case f.errand.ofRecord() && !x.m.rule(ruleAgain):
		x.take(x.nextRecord(l))
	case f.errand == toMark:
		x.take(l.givenUp())
	default:
		x.take(x.again(l))
	}
}

// install: of a new key. The record of the frame is 1 as soon as the own operation is installed.
func (x *stepper) install(l Local) {
	f := l.frame
	vacant := x.s.Pending[f.hash-1] == Pending{}
	switch {
	case vacant && x.s.Word[f.hash-1] == f.ticket:
		l.frame.record = 1
		x.take(l.at(IndexFlip)).Pending[f.hash-1] = Pending{uint8(x.a + 1), f.next}
	case vacant:
		x.take(x.again(l))
	default:
		x.take(l.at(IndexFlip))
	}
}

// push: an add of another key finds the index full and takes an entry out. In the same step the ref is in the
// descriptor of the actor that adds: that actor tells it, and the index has it no more.
func (x *stepper) push(l Local) {
	h := l.frame.hash
	ref := x.s.Word[h-1].Ref
	if ref == 0 {
		l.frame = Frame{}
		x.take(l.at(ClientReturn))
		return
	}
	l.frame.at = ref
	next := x.take(l.at(CopyHead))
	next.Word[h-1] = x.m.becomes(x.s.Word[h-1], 0)
	next.Hand[x.a] = ref
}

// drop: what was handed over is copied, and goes out of the descriptor. Of what the dead had, whoever swaps
// it out tells it.
func (x *stepper) drop(l Local) {
	f := l.frame
	of := f.basket
	if f.errand == toPush {
		of = uint8(x.a + 1)
	}
	if f.errand != toPush && x.s.Hand[of-1] != f.ticket.Ref {
		l.frame = Frame{basket: of}
		x.take(l.at(WalkHand))
		return
	}
	l.owed, l.frame = f.told, Frame{errand: f.errand}
	x.take(l.at(WalkTell)).Hand[of-1] = 0
}

// index makes the steps that are nobody's: it finishes what is installed, and makes room within itself.
func (x *stepper) index() {
	for h := range uint8(x.m.p.hashes()) {
		if x.s.Pending[h] != (Pending{}) {
			x.m.flip(x.move(help), h+1)
		}
		if int(x.s.Moved) < x.m.p.Moves && x.s.Word[h].Ref != 0 {
			next := x.move(move)
			next.Moved++
			next.Word[h].Version++
		}
	}
}
