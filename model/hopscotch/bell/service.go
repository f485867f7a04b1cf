package bell

// head is where the loop of a service begins. Only a service that may be stopped looks whether it is.
func (x *stepper) head(l Local) Local {
	if x.a == x.m.stopped && x.m.rule(ruleStop) {
		return l.at(ServiceStopped)
	}
	return l.at(ServiceCrop)
}

// listen: who listens does so ahead of a look for work, and of the first one.
func (x *stepper) listen(l Local) Local {
	l.Rest, l.Over, l.Word = x.m.places, false, Word{}
	switch {
	case !x.m.rule(ruleFirst):
		return x.head(l)
	case x.a == x.m.stopped && !x.m.rule(ruleStop):
		return l.at(ServiceStopped)
	}
	return l.at(BellListen)
}

// asks: whoever is awake does not sleep.
func (x *stepper) asks(l Local) Local {
	if x.a == x.m.stopped && x.m.rule(ruleStop) {
		return l.at(BellAwake)
	}
	return l.at(BellLook)
}

// listening is a service that has read how often the bell has been rung.
func (x *stepper) listening(l Local) Local {
	l.Word = Word{N: x.s.Bell.N, Asleep: true}
	if x.m.rule(ruleFirst) {
		return x.head(l)
	}
	return x.asks(l)
}

// heard tells whether nobody has rung since.
func (s *State) heard(l Local) bool { return s.Bell.N == l.Word.N && s.Bell.Asleep }

// done: a place has nothing to reclaim any more.
func (s *State) done(place uint8) {
	s.Work &^= One(place)
	s.Owed &^= One(place)
	for i := range s.Meant {
		s.Meant[i] &^= One(place)
	}
}

// service makes the steps of who listens, works and sleeps.
func (x *stepper) service(l Local) {
	switch l.PC {
	case BellListen:
		if !x.s.Bell.Asleep {
			x.take(BellListen, l.at(BellSay))
			return
		}
		x.take(BellListen, x.listening(l)).Rang &^= One(x.a)
	case BellSay: // in one step with the number that it is compared with
		next := x.take(BellSay, x.listening(l))
		next.Bell.Asleep = true
		next.Rang &^= One(x.a)
	case ServiceStopped:
		switch {
		case x.s.Work.Has(0):
			x.take(ServiceStopped, l.at(Over)).done(0)
		case x.m.rule(ruleStop):
			x.take(ServiceStopped, l.at(ServiceCrop))
		default:
			x.take(ServiceStopped, l.at(BellListen))
		}
	case ServiceCrop:
		x.crop(l)
	case BellAwake:
		if x.s.Work.Has(0) {
			x.take(BellAwake, x.head(l))
			return
		}
		x.take(BellAwake, l.at(BellLook))
	case BellLook: // rung, or not within the bound, or to sleep
		switch {
		case !x.s.heard(l):
			x.take(BellLook, x.listen(l))
		case l.Over:
			l.Over = false
			x.take(BellLook, x.head(l))
		default:
			x.take(BellLook, l.at(BellSleep))
		}
	case BellSleep:
		if x.s.heard(l) || !x.m.rule(ruleCompare) {
			x.take(BellSleep, l.at(Asleep))
			return
		}
		x.take(BellSleep, l.at(BellLook))
	case Asleep:
		l.Over = true
		x.take(BellTimeOut, l.at(BellLook))
	}
}

// crop is a bit of work. In the midst of a pass nobody asks for a ring; the bit that ends the last pass is
// followed by others as long as they find anything.
func (x *stepper) crop(l Local) {
	place, found := l.I, x.s.Work.Has(l.I)
	l.I = l.I%x.m.places + 1
	if l.Rest > 0 {
		l.Rest--
	}
	switch {
	case found || l.Rest > 0:
		l = x.head(l)
	case !x.m.rule(ruleFirst):
		l = l.at(BellListen)
	default:
		l = x.asks(l)
	}
	x.take(ServiceCrop, l).done(place)
}
