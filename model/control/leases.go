package control

// turns is where a turn of a janitor begins, with as many leases as there may be.
func (x *stepper) turns(l Local, run uint8) Local {
	l = local(LeaseFind, l.Call)
	if !x.m.rule(ruleClock) {
		l.PC = LeaseClock
	}
	l.phase, l.i, l.run = owning, 1, run
	return l
}

// turned is the end of a turn. One who keeps the lease has the next turn.
func (x *stepper) turned(l Local, k Kind) Local {
	if c := x.call(); c.Op == OpKeep {
		return x.turns(l, c.N)
	}
	return l.returns(Result{k, l.run, 0})
}

// looks looks at word i for a vacant lease.
func (x *stepper) looks(l Local, i uint8) Local {
	if i > min(l.run, uint8(len(x.m.p.Leases))) {
		return x.turned(l, NoResult)
	}
	l.PC, l.phase, l.i, l.lease = LeaseLook, taking, i, Lease{}
	if x.m.rule(ruleClock) {
		l.clock = 0
	}
	return l
}

// nextOwn looks at the next word in search of the process's own.
func (x *stepper) nextOwn(l Local) Local {
	switch {
	case int(l.i) < len(x.m.p.Leases):
		l.PC, l.lease = LeaseFind, Lease{}
		l.i++
		return l
	case l.phase == leaving:
		return l.returns(Result{Kind: Left})
	}
	return x.looks(l, 1)
}

// lease makes the steps of a janitor.
func (x *stepper) lease(l Local) {
	switch l.PC {
	case LeaseFind:
		x.take(x.found(l, x.s.Lease[l.i-1]))
	case LeaseLook:
		x.take(x.looked(l, x.s.Lease[l.i-1]))
	case LeaseClock:
		x.take(x.timed(l, x.s.Clock))
	case LeaseAsk:
		if (x.m.alive(x.s, l.lease.Owner) || !x.m.rule(ruleAsk)) && x.m.rule(ruleProof) {
			x.take(x.looks(l, l.i+1))
		} else {
			x.take(l.at(LeaseTake))
		}
	case LeaseTake:
		x.has(l, ruleTake, x.looks(l, l.i+1))
	case LeaseRenew:
		x.has(l, ruleRenew, x.turned(l, NoResult))
	case LeaseGive:
		x.give(l)
	}
}

// give gives a lease up. It fails if somebody has taken it over.
func (x *stepper) give(l Local) {
	then := x.turned
	if l.phase == leaving {
		then = func(l Local, _ Kind) Local { return x.nextOwn(l) }
	}
	same := x.s.Lease[l.i-1] == l.lease
	if next := x.take(then(l, NoResult)); same {
		next.Lease[l.i-1] = Lease{}
	}
}

// found is what a janitor makes of a word that may be its own.
func (x *stepper) found(l Local, w Lease) Local {
	m := l
	m.lease = w
	switch {
	case w.Owner != x.me():
		return x.nextOwn(l)
	case l.phase == leaving || l.i > l.run && x.m.rule(ruleGive):
		return m.at(LeaseGive)
	case x.m.rule(ruleClock):
		return m.at(LeaseClock)
	}
	return m.at(LeaseRenew)
}

// looked is what a janitor makes of a word that may be vacant. Without the rule "clock" it has read the clock
// before, and a stamp of the future is very old.
func (x *stepper) looked(l Local, w Lease) Local {
	l.lease = w
	switch {
	case x.m.rule(ruleClock):
		return l.at(LeaseClock)
	case w.Owner == 0 || w.At > l.clock || l.clock-w.At > Still:
		return l.at(LeaseTake)
	}
	return l.at(LeaseAsk)
}

// timed is what a janitor does behind its look at the clock.
func (x *stepper) timed(l Local, now uint8) Local {
	l.clock = now
	switch {
	case !x.m.rule(ruleClock):
		return l.at(LeaseFind)
	case l.phase == owning:
		return l.at(LeaseRenew)
	case l.lease.Owner == 0 || now-l.lease.At > Still:
		return l.at(LeaseTake)
	}
	return l.at(LeaseAsk)
}

// has adds the compare-and-swap by which a janitor has a lease. Without its rule nothing is compared.
func (x *stepper) has(l Local, rule uint32, otherwise Local) {
	if x.s.Lease[l.i-1] != l.lease && x.m.rule(rule) {
		x.take(otherwise)
		return
	}
	next := x.take(x.turned(l, Held))
	next.Lease[l.i-1] = Lease{x.me(), l.clock}
	next.kept[x.a] = l.clock
}
