package control

// counts tells whether a wish that was loaded counts at an instant.
func (m *Machine) counts(w Wish, now uint8) bool {
	return w.On == 1 && (w.End > now || !m.rule(ruleOver)) &&
		(int(w.End)-int(now) <= Lasts || !m.rule(ruleFar))
}

// wants is where the call of one who wants a writer begins.
func (x *stepper) wants(l Local) Local {
	l = local(WishSee, l.Call)
	if !x.m.rule(ruleBehind) {
		l.PC = WishClock
	}
	l.phase = wanting
	return l
}

// wished is the end of a call. One without end begins anew, and has been heard of or not.
func (x *stepper) wished(l Local, k Kind) Local {
	if op := x.call().Op; op != OpBeg && op != OpServe {
		return l.returns(Result{Kind: k})
	}
	l = local(ClientCall, l.Call)
	if k == Heard {
		l.phase = hearing
	}
	return l
}

// seen is what one who wants a writer makes of the word.
func (x *stepper) seen(l Local, now uint8) Local {
	if x.m.counts(l.wish, now) {
		return x.wished(l, Said)
	}
	l.clock = now
	return l.at(WishSay)
}

// wish makes the steps of handovers.
func (x *stepper) wish(l Local) {
	switch l.PC {
	case WishSee:
		l.wish = x.s.Wish
		if x.m.rule(ruleBehind) {
			x.take(l.at(WishClock))
		} else {
			x.take(x.seen(l, l.clock))
		}
	case WishClock:
		x.wishClock(l, x.s.Clock)
	case WishSay:
		if x.s.Wish != l.wish && x.m.rule(ruleSay) {
			x.take(x.wished(l, Unsaid))
			return
		}
		next := x.take(x.wished(l, Said))
		next.Wish = Wish{1, l.clock + Lasts}
		next.till = max(next.till, next.Wish.End)
	case WishLook:
		if l.wish = x.s.Wish; l.wish == (Wish{}) {
			x.take(x.wished(l, Quiet))
		} else {
			x.take(l.at(WishTake))
		}
	case WishTake:
		if x.s.Wish != l.wish && x.m.rule(ruleHear) {
			x.take(x.wished(l, Quiet))
			return
		}
		x.take(l.at(WishClock)).Wish = Wish{}
	}
}

// wishClock reads the clock. Without the rule "behind" that is the first step of who wants a writer.
func (x *stepper) wishClock(l Local, now uint8) {
	switch {
	case l.phase == asking:
		k := Quiet
		if x.m.counts(l.wish, now) {
			k = Heard
		}
		x.take(x.wished(l, k))
	case x.m.rule(ruleBehind):
		x.take(x.seen(l, now))
	default:
		l.clock = now
		x.take(l.at(WishSee))
	}
}

// owes changes what is owed, by what a step does to the word and by how it ends a call, whichever action it
// is: a wish is said; one that is still in the word is replaced; a call is told of one; or a call forgets the
// one it has taken.
func owes(prev *State, step *Step) {
	next, a := &step.Next, step.Actor-1
	if next.owed = prev.owed; step.Action.Action == Die {
		return
	}
	if next.Wish != prev.Wish && next.Wish.On == 1 {
		next.owed += 1 - int8(prev.Wish.On)
	}
	switch was := &prev.Loc[a]; {
	case callEnds(prev, next, a) && next.Loc[a].heard():
		next.owed--
	case was.PC == WishClock && was.phase == asking && !next.Loc[a].heard():
		next.owed -= int8(was.wish.On)
	}
}

// heard tells whether the call that has ended has heard of a wish.
func (l *Local) heard() bool { return l.phase == hearing || l.res.Kind == Heard }
