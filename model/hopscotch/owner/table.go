package owner

import "fmt"

// generation is g, which a set of values must be able to hold.
func (m *Machine) generation(g uint8) uint8 {
	if g >= generations {
		panic(fmt.Sprintf("owner: %s: a descriptor has %d generations: make generations larger",
			m.c.Name, g))
	}
	return g
}

// ready makes the steps of an actor that has a handle and is in no call.
func (x *stepper) ready(l Local) {
	x.fill(l)
	if x.m.reclaimers.Has(x.a) {
		y := l
		y.Why = ForReclaim
		x.take(CallReclaim, x.further(y, 0))
	}
	if x.m.closers.Has(x.a) {
		y := l
		y.I, y.Why = l.D, ForClose
		x.take(CallClose, y.at(OwnerRetire))
	}
	if !x.m.clearers.Has(x.a) {
		return
	}
	// Who it is may have been told long ago; the own entry nobody clears.
	for e := uint8(1); e <= x.m.entries; e++ {
		for ep := uint8(1); e != l.W.E && ep <= x.s.Entries[e-1].Ep; ep++ {
			y := l
			y.Seen, y.Why = Word{E: e, Ep: ep}, ForClear
			x.take(CallClear, y.at(ProcessClearLock))
		}
	}
}

// fill begins an operation. A generation is in the handle, for the head is its owner's.
func (x *stepper) fill(l Local) {
	if !x.m.callers.Has(x.a) || int(x.s.Ops[x.a-1]) >= x.m.c.MaxOps {
		return
	}
	g := x.m.generation(l.Gen + 1)
	l.Gen, l.I, l.Why = g, l.D, ForCall
	l.N++
	for _, kind := range [...]Kind{Leaves, Stays} {
		next := x.take(TableFill, l.at(TableTarget))
		next.Head[l.D-1] = Head{g, kind}
		next.Ops[x.a-1]++
	}
}

// meeting tells whether an actor may meet somebody else's operation, and help: before, between and
// behind its own ones, and in the midst of one, where its key may be in the other half.
func meeting(pc Action) bool {
	return pc == Ready || pc == TableFill || pc == TableHelp || pc == CallReturn
}

// meet makes the steps of a helper of somebody else's operation; and of any helper who finds the hole
// taken for which the operation was committed.
func (x *stepper) meet(l Local) {
	for d := uint8(1); d <= x.m.descriptors; d++ {
		if l.PC != TableHelp || l.I != d {
			x.help(TableMeet, l, d)
		}
		g := x.s.Cell[d-1]
		if g != 0 && x.s.Head[d-1] == (Head{g, Stays}) && x.s.Target[d-1].St == Committed {
			x.take(TableTakeBack, l).Target[d-1].St = Full
		}
	}
}

// table makes the steps of an operation: the words of the descriptor, the installation, the steps of
// its helpers. The owner goes on as one of them.
func (x *stepper) table(l Local) {
	switch l.PC {
	case TableFill:
		x.fill(l)
	case TableTarget:
		x.take(TableTarget, l.at(TableInstall)).Target[l.D-1] = Target{Gen: l.Gen}
	case TableInstall: // or somebody was faster, and it never is
		x.take(TableInstall, l.at(TableHelp)).Cell[l.D-1] = l.Gen
		for _, pc := range x.onward(l) {
			x.take(TableInstall, l.at(pc))
		}
	case TableHelp:
		if x.s.Cell[l.I-1] == 0 {
			x.over(l)
		} else {
			x.help(TableHelp, l, l.I)
		}
	case CallReturn:
		pocket := l.Pocket
		l.Pocket = 0
		x.take(CallReturn, rest(l)).Given |= pocket
	}
}

// help is what a step of any helper does to the operation of descriptor d: it is decided, or the cell
// is let go.
func (x *stepper) help(action Action, l Local, d uint8) {
	cell, t := x.s.Cell[d-1], x.s.Target[d-1]
	switch {
	case cell == 0 || x.s.Head[d-1].Gen != cell:
	case t.St == Undecided:
		x.take(action, l).Target[d-1].St = Aborted
		if x.s.Head[d-1].Kind == Stays {
			x.take(action, l).Target[d-1].St = Full
		}
		next := x.take(action, l)
		next.Target[d-1].St = Committed
		if x.s.Head[d-1].Kind == Leaves {
			next.Left |= value(d, cell)
		}
	default:
		x.take(action, l).Cell[d-1] = 0
	}
}

// over: the operation is over. Of an own one the call may go on with another one.
func (x *stepper) over(l Local) {
	if l.Why != ForCall {
		x.take(TableOver, l.at(OwnerTarget))
		return
	}
	won := x.s.winnings(l.I)
	l.Pocket |= won
	for _, pc := range x.onward(l) {
		x.take(TableOver, l.at(pc)).see(won, l.W)
	}
}

// onward is what may come behind an operation: the call may go on with another one.
func (x *stepper) onward(l Local) []Action {
	if int(l.N) < x.m.c.MaxCall && int(x.s.Ops[x.a-1]) < x.m.c.MaxOps {
		return []Action{CallReturn, TableFill}
	}
	return []Action{CallReturn}
}

// crash ends the process between two steps; the system drops its lock.
func (x *stepper) crash(l Local) {
	next := x.take(CallCrash, x.after(l))
	next.Deaths++
	next.die(l.W)
	next.Lost |= l.Pocket &^ x.s.inDescriptor()
	for e := range next.Lock {
		if next.Lock[e] == x.a {
			next.Lock[e] = 0
		}
	}
}
