package control

// tuned is the word with what a change names.
func (p Pair) tuned(set Pair) Pair {
	if set.A != 0 {
		p.A = set.A
	}
	if set.B != 0 {
		p.B = set.B
	}
	return p
}

// tunes is where the change of a word begins.
func tunes(l Local, word uint8) Local {
	l = local(TuneLoad, l.Call)
	l.phase, l.i = first, word
	return l
}

// nextTune is what follows the change of a word. Without the rule "pair" its second parameter is changed by a
// step of its own.
func (x *stepper) nextTune(l Local) Local {
	switch {
	case !x.m.rule(rulePair) && l.phase == first:
		l = tunes(l, l.i)
		l.phase = second
		return l
	case int(l.i) < len(x.call().Set):
		return tunes(l, l.i+1)
	}
	return l.returns(Result{Kind: Tuned})
}

// param makes the steps of live parameters.
func (x *stepper) param(l Local) {
	c := x.call()
	switch l.PC {
	case ParamRead:
		v := x.s.Param[max(c.N, 1)-1]
		if c.Op == OpTurn {
			x.take(x.turns(l, v.A))
		} else {
			x.take(l.returns(Result{Got, v.A, v.B}))
		}
	case TuneLoad:
		l.old = x.s.Param[l.i-1]
		x.take(l.at(TuneSwap))
	case TuneSwap:
		if x.s.Param[l.i-1] != l.old && x.m.rule(ruleTune) {
			l.old = Pair{}
			x.take(l.at(TuneLoad))
			return
		}
		set := c.Set[l.i-1]
		if !x.m.rule(rulePair) {
			if l.phase == first {
				set.B = 0
			} else {
				set.A = 0
			}
		}
		next := x.take(x.nextTune(l))
		next.Param[l.i-1] = l.old.tuned(set)
		next.did[x.a]++
	}
}
