package bell

// rung is a ringer behind its ring.
func (x *stepper) rung(l Local) Local {
	l.Word = Word{}
	if !x.m.rule(ruleWork) {
		return l.at(WorkAfter)
	}
	l.I = 0
	return l.at(Ready)
}

// owe: of a ring that is over it is owed what was there when it began.
func (x *stepper) owe(next *State) {
	next.Owed |= x.s.Meant[x.a-1] & x.s.Work
	next.Meant[x.a-1] = 0
}

// fresh is what is made. Nobody asks for the end of a service that is dead.
func (x *stepper) fresh(i uint8) Set {
	if i == 0 && x.m.gone(x.s, x.m.stopped) {
		return 0
	}
	return One(i)
}

func (m *Machine) gone(s *State, a uint8) bool {
	pc := s.Loc[a-1].PC
	return pc == Over || pc == Dead
}

// ringer makes the steps of an actor that makes work and rings.
func (x *stepper) ringer(l Local) {
	switch l.PC {
	case Ready:
		x.make(l)
	case WorkAfter: // only where the ring comes first
		fresh := x.fresh(l.I)
		l.I = 0
		next := x.take(WorkAfter, l.at(Ready))
		next.Work |= fresh
		next.Owed |= fresh
	case BellRead:
		x.read(l)
	case BellRing:
		x.ring(l)
	case BellWake: // the system wakes all who sleep
		var asleep []int
		for i, other := range x.s.Loc[:x.m.actors] {
			if other.PC == Asleep {
				asleep = append(asleep, i)
			}
		}
		if x.m.rule(ruleAll) || len(asleep) == 0 {
			x.wake(l, asleep)
			return
		}
		for i := range asleep {
			x.wake(l, asleep[i:i+1])
		}
	case BellQuiet: // they are awake; who fails leaves it to the next ring
		next := x.take(BellQuiet, x.rung(l))
		if next.Bell == l.Word {
			next.Bell.Waking = false
		}
		x.owe(next)
	}
}

// make: work first, then the ring; or none.
func (x *stepper) make(l Local) {
	if int(x.s.Made[x.a-1]) == x.m.c.MaxWork {
		return
	}
	first, last := uint8(1), x.m.places
	if x.m.stoppers.Has(x.a) {
		first, last = 0, 0
	}
	for i := first; i <= last; i++ {
		to := []Local{l.at(BellRead)}
		switch {
		case !x.m.rule(ruleWork):
			to[0].I = i
		case !x.m.stoppers.Has(x.a):
			to = append(to, l)
		}
		for _, y := range to {
			next := x.take(WorkMake, y)
			next.Made[x.a-1]++
			if x.m.rule(ruleWork) {
				next.Work |= x.fresh(i)
			}
		}
	}
}

// read: nobody listens, and nobody is to be woken: that is all.
func (x *stepper) read(l Local) {
	switch {
	case x.s.Bell.Asleep:
		l.Word = x.s.Bell
		x.take(BellRead, l.at(BellRing)).Meant[x.a-1] = x.s.Work
	case x.s.Bell.Waking:
		l.Word = x.s.Bell
		x.take(BellRead, l.at(BellWake)).Meant[x.a-1] = x.s.Work
	default:
		x.take(BellRead, x.rung(l)).Owed |= x.s.Work
	}
}

// ring: who fails was too late, and wakes as well.
func (x *stepper) ring(l Local) {
	switch {
	case x.s.Bell == l.Word:
		l.Word = Word{N: uint8((int(l.Word.N) + 1) % x.m.c.Circle), Waking: x.m.rule(ruleWaking)}
		next := x.take(BellRing, l.at(BellWake))
		next.Bell, next.Rang = l.Word, x.m.services
	case x.m.rule(ruleLate):
		l.Word = Word{}
		x.take(BellRing, l.at(BellWake))
	default:
		x.owe(x.take(BellRing, x.rung(l)))
	}
}

// wake ends some sleeps.
func (x *stepper) wake(l Local, some []int) {
	to := l.at(BellQuiet)
	if !l.Word.Waking {
		to = x.rung(l)
	}
	next := x.take(BellWake, to)
	for _, i := range some {
		next.Loc[i] = next.Loc[i].at(BellLook)
	}
	if !l.Word.Waking {
		x.owe(next)
	}
}
