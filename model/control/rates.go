package control

// CellOf is the cell of an identity in a row, both from 1. Two identities share all but that of the first
// row.
func CellOf(id, row uint8) uint8 {
	if id == 2 && row == 1 {
		return Rows + 1
	}
	return row
}

// levelAt is how full a bucket is at an instant.
func levelAt(x, now uint8) uint8 {
	if x <= now {
		return 0
	}
	return min(x-now, levelMost)
}

// charged is a level after a charge.
func charged(x, now, cost uint8) uint8 { return max(x, min(max(x, now)+cost, now+levelMost)) }

// cost is what a call charges, in the part of it that the actor is in.
func (c *Call) cost(p phase) uint8 {
	switch {
	case c.Op != OpTake:
		return c.Units
	case p == admitting:
		return min(c.Units, Burst)
	}
	return c.Units - 1
}

// row is where a call looks at a row.
func (l Local) row(pc Action, p phase, row uint8) Local {
	l.PC, l.phase, l.i, l.x, l.p = pc, p, row, 0, Penalty{}
	return l
}

// rates is where a call begins to look at levels, or to charge them.
func rates(l Local, p phase) Local {
	l = local(LevelLoad, l.Call).row(LevelLoad, p, 1)
	l.low = levelMost
	return l
}

// remembered is how many offences count still.
func (p Penalty) remembered(now uint8) uint8 {
	if p.End >= now {
		return p.N
	}
	return p.N - min(p.N, min((now-p.End)/forget, offenceMost))
}

// wait is how long an identity with so many offences is a suspect.
func wait(n uint8) uint8 { return Retry << (n - 1) }

// ruling is what a penalty means.
func (p Penalty) ruling(now uint8) Result {
	if p.End <= now {
		return Result{Kind: OK}
	}
	return Result{Suspected, p.End, p.N}
}

// afterLevels is what follows the last row of levels.
func (x *stepper) afterLevels(l Local) Local {
	c := x.call()
	wants := l.low + min(c.Units, Burst)
	switch {
	case l.phase == looking && wants <= Burst && x.m.rule(ruleAdmit):
		return rates(l, admitting)
	case l.phase == looking && wants <= Burst || l.phase == admitting:
		return l.returns(Result{Taken, c.Units, 0})
	case l.phase == looking:
		return rates(l, denying)
	case l.phase == denying:
		return l.returns(Result{Denied, wants - Burst, 0})
	case c.Op == OpCharge:
		return l.returns(Result{LevelIs, l.low, 0})
	}
	return l.row(PenaltyLoad, seeing, 1)
}

func (x *stepper) nextLevel(l Local) Local {
	if l.i == Rows {
		return x.afterLevels(l)
	}
	return l.row(LevelLoad, l.phase, l.i+1)
}

// afterPenalties is what follows the last row of penalties. An offence is marked if the level is too high and
// no penalty is under way.
func (x *stepper) afterPenalties(l Local) Local {
	now := x.call().At
	if l.phase != seeing || l.q.End > now || l.low <= Burst {
		return l.returns(l.q.ruling(now))
	}
	n := min(l.q.remembered(now)+1, offenceMost)
	l.q = Penalty{now + max(wait(n), l.low-Burst), n}
	l.low = 0
	return l.row(PenaltyLoad, marking, 1)
}

func (x *stepper) nextPenalty(l Local) Local {
	if l.i == Rows {
		return x.afterPenalties(l)
	}
	return l.row(PenaltyLoad, l.phase, l.i+1)
}

// raised is the penalty of a cell with a mark. What other identities have there is kept.
func (x *stepper) raised(l *Local) Penalty {
	counts := l.p.remembered(x.call().At)
	p := Penalty{max(l.q.End, l.p.End), max(l.q.N, counts)}
	if !x.m.rule(ruleLonger) {
		p.End = l.q.End
	}
	if !x.m.rule(ruleCount) {
		p.N = counts + 1
	}
	return p
}

// rate makes the steps of rates and penalties.
func (x *stepper) rate(l Local) {
	c := x.call()
	at := CellOf(c.N, l.i) - 1
	switch l.PC {
	case LevelLoad:
		l.x = x.s.Level[at]
		if l.phase != looking && charged(l.x, c.At, c.cost(l.phase)) != l.x {
			x.take(l.at(LevelSwap))
			return
		}
		l.low = min(l.low, levelAt(l.x, c.At))
		x.take(x.nextLevel(l))
	case LevelSwap:
		if x.s.Level[at] != l.x && x.m.rule(ruleCharge) {
			l.x = 0
			x.take(l.at(LevelLoad))
			return
		}
		to, cost := charged(l.x, c.At, c.cost(l.phase)), c.cost(l.phase)
		l.low = min(l.low, levelAt(to, c.At))
		next := x.take(x.nextLevel(l))
		next.Level[at], next.fed[at] = to, charged(x.s.fed[at], c.At, cost)
	case PenaltyLoad:
		x.take(x.saw(l, x.s.Penalty[at]))
	case PenaltySwap:
		if x.s.Penalty[at] != l.p {
			l.p = Penalty{}
			x.take(l.at(PenaltyLoad))
			return
		}
		to := x.raised(&l)
		x.take(x.nextPenalty(l)).Penalty[at] = to
	}
}

// saw is what a call makes of the penalty of a cell.
func (x *stepper) saw(l Local, p Penalty) Local {
	if l.phase == seeing {
		if l.i == 1 || p.less(l.q) {
			l.q = p
		}
		return x.nextPenalty(l)
	}
	m := l
	m.p = p
	if x.raised(&m) == p {
		return x.nextPenalty(l)
	}
	return m.at(PenaltySwap)
}
