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
		next.owed += 1 - int8(x.s.Wish.On)
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
		x.take(x.wished(l, k)).owed -= int8(l.wish.On)
	case x.m.rule(ruleBehind):
		x.take(x.seen(l, now))
	default:
		l.clock = now
		x.take(l.at(WishSee))
	}
}
