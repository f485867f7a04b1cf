package basket

// looking is where the heads of the baskets are looked at from the first one.
func looking(l Local) Local {
	l.frame = Frame{basket: 1}
	return l.at(RoomLook)
}

// left tells whether the owner of a basket is dead.
func (x *stepper) left(h Head) bool {
	return h.Owner != 0 && (x.s.Dead.Has(h.Owner) || !x.m.rule(ruleOwner))
}

// rank is which baskets are taken first: what the dead left, then those that are sealed.
func (x *stepper) rank(h Head) int {
	switch {
	case h.Life == Retiring && x.left(h) && x.m.rule(ruleTakeover):
		return 1
	case h.Life == Open && x.left(h) && x.m.rule(ruleSeal):
		return 2
	case h.Life == Sealed:
		return 3
	}
	return 4
}

// better: of two that are sealed it is the one in the lower tier, and of one tier the older one.
func (x *stepper) better(h, than Head) bool {
	a, b := x.rank(h), x.rank(than)
	if a == 3 && b == 3 && h.Tier != than.Tier {
		return h.Tier > than.Tier
	}
	return a < b || a == 3 && b == 3 && h.Number < than.Number
}

// ages tells whether a basket can age: it is sealed above the last tier.
func (m *Machine) ages(h Head) bool { return h.Life == Sealed && int(h.Tier) < m.p.tiers()-1 }

// agesNow tells whether the call of the actor lets baskets go down.
func (x *stepper) agesNow() bool { return x.op().Kind == Age || x.m.sinking(x.s, x.a) }

// chosen tells whether a look takes the basket rather than the best one so far. Of those that can age it is
// the oldest.
func (x *stepper) chosen(h, than Head) bool {
	if x.agesNow() {
		asked := x.op().Kind == Age || x.s.Loc[x.a].Pair.Sinks(h.Tier)
		return asked && x.m.ages(h) && (than.Life == NoLife || h.Number < than.Number)
	}
	return x.better(h, than)
}

// room makes the accesses of the heads of baskets.
func (x *stepper) room(l Local) {
	switch best := l.frame.best; l.PC {
	case RoomSeal:
		x.seal(l, x.lane(&l))
	case RoomLook:
		x.take(x.look(l))
	case RoomNumber:
		l.frame.count, l.PC = x.s.Number, RoomTake
		if best.head.Life == Free {
			l.PC = RoomOpen
		}
		x.take(l).Number++
	case RoomOpen:
		x.open(l, x.lane(&l))
	case RoomSettle:
		// The dead may have installed an add of a record in this basket: it is finished before anybody may
		// walk there.
		next := x.take(l.at(RoomTake))
		for h := range uint8(x.m.p.hashes()) {
			if x.s.Pending[h].Owner == best.head.Owner && x.m.rule(ruleSettle) {
				x.m.flip(next, h+1)
				break
			}
		}
	case RoomAge:
		x.age(l)
	case RoomTake:
		x.takeOver(l)
	}
}

// open: a free basket is opened in a lane.
func (x *stepper) open(l Local, lane int) {
	best, number := l.frame.best, l.frame.count
	if *x.s.head(best.basket) != best.head {
		x.take(looking(l))
		return
	}
	l.Open[lane], l.Position[lane] = best.basket, 1
	h := x.take(x.begin(l)).head(best.basket)
	h.Life, h.Owner, h.Number, h.Tier = Open, uint8(x.a+1), number, uint8(lane)
}

// seal: between changes. Without the rule a full basket is sealed before its last record is in the index.
func (x *stepper) seal(l Local, lane int) {
	basket := l.Open[lane]
	l.Open[lane], l.Position[lane] = 0, 0
	if l.frame.count == 0 {
		l = looking(l)
	} else {
		l = l.at(IndexSwap)
	}
	h := x.take(l).head(basket)
	h.Life, h.Owner = Sealed, 0
}

// look loads the head of one basket after the other.
func (x *stepper) look(l Local) Local {
	f := &l.frame
	h := *x.s.head(f.basket)
	wants := !x.op().Kind.Service()
	if h.Life == Free && wants {
		f.best = candidate{f.basket, h}
		return l.at(RoomNumber)
	}
	best := f.best
	if int(h.Owner) != x.a+1 && x.chosen(h, best.head) {
		best = candidate{f.basket, h}
	}
	switch {
	case int(f.basket) < len(x.m.p.Heads):
		f.basket++
		f.best = best
		return l
	case best.basket == 0 && wants:
		return looking(l)
	case best.basket == 0:
		l.frame = Frame{}
		return l.at(ClientReturn)
	}
	f.basket, f.best = best.basket, best
	switch {
	case x.agesNow():
		return l.at(RoomAge)
	case best.head.Life == Open:
		return l.at(RoomSettle)
	case best.head.Life == Retiring:
		return l.at(RoomNumber)
	}
	return l.at(RoomTake)
}

// age: a sealed basket goes to the tier below. Its head must be as it was seen: else one that is claimed, or
// free, or filled again would be sealed once more.
func (x *stepper) age(l Local) {
	best := l.frame.best
	if *x.s.head(best.basket) != best.head && x.m.rule(ruleAge) {
		x.take(looking(l))
		return
	}
	if l.frame = (Frame{}); x.op().Kind == Tend {
		l = looking(l)
	} else {
		l = l.at(ClientReturn)
	}
	h := x.take(l).head(best.basket)
	*h = best.head
	h.Tier++
}

// takeOver: an open basket of the dead is sealed, any other one is retired by who takes it. A walk that was
// begun is begun anew, under a number of its own: an actor that comes late does not find the head
// that it has seen again.
func (x *stepper) takeOver(l Local) {
	best := l.frame.best
	switch {
	case *x.s.head(best.basket) != best.head:
		x.take(looking(l))
	case best.head.Life == Open:
		h := x.take(looking(l)).head(best.basket)
		h.Life, h.Owner = Sealed, 0
	default:
		number := best.head.Number
		if best.head.Life == Retiring {
			number = l.frame.count
		}
		l.Retiring, l.Walked, l.frame = best.basket, 1, Frame{}
		h := x.take(l.at(WalkSize)).head(best.basket)
		h.Life, h.Owner, h.Number = Retiring, uint8(x.a+1), number
	}
}
