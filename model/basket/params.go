package basket

// Pair is the parameters of ageing, two of them in one word. Which number a half stands for is up to the
// code.
type Pair struct{ Low, High uint8 }

// Compacts tells whether what lives in a basket that retires is moved by the pair; else it is evicted.
func (p Pair) Compacts() bool { return p == Pair{2, 2} }

// Sinks tells whether baskets go down by the pair from that tier, 0 for the top one or 1.
func (p Pair) Sinks(tier uint8) bool {
	if tier == 0 {
		return p.Low == 1
	}
	return p.High == 1
}

// Changed is the pair with the halves that a Tune is about.
func (p Pair) Changed(to Pair) Pair {
	if to.Low != 0 {
		p.Low = to.Low
	}
	if to.High != 0 {
		p.High = to.High
	}
	return p
}

// sinking tells whether an actor, from 0, is in a call by which baskets go down as the pair says.
func (m *Machine) sinking(s *State, a int) bool {
	return m.op(s, a).Kind == Tend && m.p.tiers() > 1
}

// params makes the accesses of the parameters.
func (x *stepper) params(l Local) {
	switch l.PC {
	case ParamRead:
		x.take(x.read(l))
	case TuneLoad:
		l.Pair = x.s.Pair
		x.take(l.at(TuneSwap))
	case TuneSwap:
		x.tune(l)
	}
}

// read loads the pair. Without the rule each half is loaded by a step of its own.
func (x *stepper) read(l Local) Local {
	switch {
	case x.m.rule(ruleOnce):
		l.Pair = x.s.Pair
	case l.Pair == Pair{}:
		l.Pair.Low = x.s.Pair.Low
		return l
	default:
		l.Pair.High = x.s.Pair.High
	}
	return looking(l)
}

// tune changes the pair as it was loaded. Without a rule it does not compare; or the second half is changed
// by a step of its own.
func (x *stepper) tune(l Local) {
	old, to, second := l.Pair, x.op().Pair, l.frame.count == 1
	l.Pair = Pair{}
	if x.s.Pair != old && x.m.rule(ruleTune) {
		x.take(l.at(TuneLoad))
		return
	}
	next := l
	next.Pair = old
	next = next.done(0)
	switch {
	case x.m.rule(ruleBoth):
	case second:
		to.Low = 0
	default:
		to.High = 0
		l.frame.count = 1
		next = l.at(TuneLoad)
	}
	x.take(next).Pair = old.Changed(to)
}

// changeOfIt: the pair changes by a call that changes it, from what it is.
func changeOfIt(m *Machine, prev, next *State) bool {
	if prev.Pair == next.Pair {
		return true
	}
	for a := range m.clients() {
		l := &prev.Loc[a]
		if !m.is(prev, a, TuneSwap) || int(l.Call) > len(m.p.Calls[a]) || *l == next.Loc[a] {
			continue
		}
		if o := m.op(prev, a); o.Kind == Tune && next.Pair == prev.Pair.Changed(o.Pair) {
			return true
		}
	}
	return false
}

// onePair: what an actor has loaded of the pair was the pair at one instant, and no call knows it from the
// one before.
func onePair(m *Machine, prev, next *State) bool {
	for a := range m.clients() {
		was, is := &prev.Loc[a], &next.Loc[a]
		none := is.Pair == Pair{}
		if was.Call != is.Call && !none ||
			was.Pair != is.Pair && !none && is.Pair != prev.Pair && is.Pair.High != 0 {
			return false
		}
	}
	return true
}

// byThePair: what is aged, evicted and moved by a call is what its pair says.
func byThePair(m *Machine, prev, next *State) bool {
	for a := range m.clients() {
		l := &prev.Loc[a]
		if !m.inTend(prev, a) || *l == next.Loc[a] {
			continue
		}
		sinks := func(basket uint8, h *Head) bool { return *h == *next.head(basket) || l.Pair.Sinks(h.Tier) }
		if l.PC == RoomAge && !m.baskets(prev, sinks) || l.PC == IndexSwap && prev.Word != next.Word &&
			(l.frame.errand == toMove) != l.Pair.Compacts() {
			return false
		}
	}
	return true
}
