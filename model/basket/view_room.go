package basket

import "slices"

// The accesses of the code by which baskets are looked at, opened, sealed, claimed, walked over and freed.

// beside takes a step of the specification that leaves what the actor is about as it is.
func (p *pacer) beside(pc Action, f Frame, do func(*stepper, Local)) *Sight {
	was := p.local()
	l := was
	l.PC, l.frame = pc, f
	next := p.step(func(x *stepper) { do(x, l) })
	next.Loc[p.a].PC, next.Loc[p.a].frame = was.PC, was.frame
	return next
}

func (p *pacer) look() {
	next := *p.s
	next.Seen[p.a][p.x.Basket-1] = *p.s.head(p.x.Basket)
	p.list = append(p.list, next)
}

// seen is the head that an actor has seen, and expects.
func (p *pacer) seen() Head { return p.s.Seen[p.a][p.x.Basket-1] }

// made refuses a compare-and-swap that came out otherwise than that of the specification.
func (p *pacer) made(should bool) bool {
	if should != p.x.OK {
		p.no("the head is as the actor has seen it: %v, the swap was made: %v", should, p.x.OK)
	}
	return should == p.x.OK
}

// left reports whether the owner is dead.
func (p *pacer) left(h Head) bool { return h.Owner != 0 && p.s.Dead.Has(h.Owner) }

func (p *pacer) seal() {
	l := p.local()
	h, lane := p.seen(), slices.Index(l.Open[:], p.x.Basket)
	switch {
	case lane >= 0 && p.made(true):
		p.beside(RoomSeal, Frame{}, func(x *stepper, l Local) { x.seal(l, lane) })
	case lane >= 0:
	case h.Life != Open || !p.left(h):
		p.no("basket %d, which is %v of actor %d, is sealed by another one", p.x.Basket, h.Life, h.Owner)
	case p.made(h == *p.s.head(p.x.Basket)):
		p.beside(RoomTake, Frame{best: candidate{p.x.Basket, h}}, (*stepper).takeOver)
	}
}

func (p *pacer) number() {
	next := p.beside(RoomNumber, Frame{}, (*stepper).room)
	next.Drawn[p.a] = p.s.Number
}

func (p *pacer) open() {
	h, l := p.seen(), p.local()
	switch {
	case h.Life != Free || p.s.Drawn[p.a] == 0 || !slices.Contains(l.Open[:p.m.p.lanes()], 0):
		p.no("basket %d is opened, which was %v; the actor has %d open, and has drawn %d", p.x.Basket, h.Life,
			l.Open, p.s.Drawn[p.a])
	case p.made(h == *p.s.head(p.x.Basket)):
		for lane, basket := range l.Open[:p.m.p.lanes()] {
			if basket != 0 {
				continue
			}
			next := p.beside(RoomOpen, Frame{best: candidate{p.x.Basket, h}, count: p.s.Drawn[p.a]},
				func(x *stepper, l Local) { x.open(l, lane) })
			next.Drawn[p.a] = 0
			if !p.x.OK {
				return
			}
		}
	}
}

// age: a sealed basket goes to the tier below.
func (p *pacer) age() {
	switch h := p.seen(); {
	case !p.m.ages(h):
		p.no("basket %d ages, which was %v in tier %d", p.x.Basket, h.Life, h.Tier)
	case p.m.inTend(&p.s.State, p.a) && !p.local().Pair.Sinks(h.Tier):
		p.no("basket %d ages, and by the parameters %v nothing goes down from tier %d", p.x.Basket,
			p.local().Pair, h.Tier)
	case p.made(h == *p.s.head(p.x.Basket)):
		next := p.beside(RoomAge, Frame{best: candidate{p.x.Basket, h}}, (*stepper).age)
		if p.x.OK { // it may age again
			next.Seen[p.a][p.x.Basket-1] = *next.head(p.x.Basket)
		}
	}
}

func (p *pacer) take() {
	h, l := p.seen(), p.local()
	left := h.Life == Retiring && p.left(h)
	switch {
	case p.m.inTend(&p.s.State, p.a) && l.Pair == Pair{}:
		p.no("basket %d is claimed, and the actor has not loaded the parameters", p.x.Basket)
	case h.Life != Sealed && !left || l.Retiring != 0 || left && p.s.Drawn[p.a] == 0:
		p.no("basket %d is claimed, which was %v of actor %d; the actor retires %d", p.x.Basket, h.Life,
			h.Owner, l.Retiring)
	case p.made(h == *p.s.head(p.x.Basket)):
		next := p.beside(RoomTake, Frame{best: candidate{p.x.Basket, h}, count: p.s.Drawn[p.a]},
			(*stepper).takeOver)
		next.Drawn[p.a] = 0
	}
}

// size: the walk begins, goes on, or ends.
func (p *pacer) size() {
	l := p.local()
	s := *p.s
	service := p.m.op(&s.State, p.a).Kind.Service()
	switch {
	case l.Retiring == 0 || l.Retiring != p.x.Basket || l.Walked != p.x.Slot:
		p.no("record %d of basket %d is walked to; the actor retires basket %d, and has come to record %d",
			p.x.Slot, p.x.Basket, l.Retiring, l.Walked)
		return
	case l.PC == planned && !l.frame.errand.ofRecord():
		s.keep(p.a)
	case l.rests(), l.PC == ClientReturn && service:
	default:
		p.at()
		return
	}
	p.s = &s
	x := &stepper{m: p.m, a: p.a, s: &s.State}
	l.PC = WalkSize
	p.errands(x.size(l))
}

// emptied is the local state of who looks at what was in a hand, and that is in no hand any more: it counts
// no more, whatever it leads to by now.
func (p *pacer) emptied() Local {
	l := p.local()
	if f := &l.frame; f.errand == toHand && l.PC == CopyHead && p.s.Hand[f.basket-1] != f.ticket.Ref {
		return (&stepper{m: p.m, a: p.a, s: &p.s.State}).nextHand(l, f.basket)
	}
	return l
}

// hand: somebody's hand is looked into, from the first one on; again behind a settlement.
func (p *pacer) hand() {
	l := p.emptied()
	if l.PC == WalkNumber && p.x.Index == 1 {
		l = (&stepper{m: p.m, a: p.a, s: &p.s.State}).nextHand(l, 0)
	}
	if l.PC != WalkHand || l.frame.basket != p.x.Index {
		p.at()
		return
	}
	p.step(func(x *stepper) { x.take(x.hand(l)) })
}

func (p *pacer) walkZero() {
	l := p.emptied()
	if l.PC != WalkZero || l.Retiring != p.x.Basket || p.x.Slot != 1 {
		p.at()
		return
	}
	p.step(func(x *stepper) { x.walk(l) })
}

func (p *pacer) free() {
	l := p.local()
	if l.PC != WalkFree || l.Retiring != p.x.Basket {
		p.at()
		return
	}
	if p.made(true) {
		p.step(func(x *stepper) { x.walk(l) }).left(p.a)
	}
}

// left: the actor has done with the basket that retired.
func (s *Sight) left(a int) {
	if s.KeptAt[a] != noAction {
		s.resume(a)
	}
}

// back: the basket is given back, since somebody's hand leads into it. Or what a dead actor retired is
// given back by anybody (results/divergences.md).
func (p *pacer) back() {
	l, h := p.local(), Head{}
	if p.x.Basket != 0 {
		h = p.seen()
	}
	switch {
	case l.PC == WalkNumber && p.x.Basket == 0:
		p.step(func(x *stepper) { x.walk(l) })
	case p.x.Basket == 0:
		p.number()
	case l.PC == WalkBack && l.Retiring == p.x.Basket:
		if p.made(true) {
			p.step(func(x *stepper) { x.walk(l) }).left(p.a)
		}
	case h.Life != Retiring || !p.left(h) || p.s.Drawn[p.a] == 0:
		p.at()
	case p.made(h == *p.s.head(p.x.Basket)):
		next := *p.s
		if p.x.OK {
			*next.head(p.x.Basket) = Head{Life: Sealed, Generation: h.Generation, Number: p.s.Drawn[p.a],
				Tier: h.Tier}
		}
		next.Drawn[p.a] = 0
		p.list = append(p.list, next)
	}
}

// inherits reports whether what a dead one retired is given back under a new number, and no other head
// changes.
func (m *Machine) inherits(before, after *State) bool {
	return m.baskets(before, func(basket uint8, was *Head) bool {
		is := after.head(basket)
		return *is == *was || was.Life == Retiring && before.Dead.Has(was.Owner) && is.Number > was.Number &&
			*is == Head{Life: Sealed, Generation: was.Generation, Number: is.Number, Tier: was.Tier}
	})
}

// Both reports whether the race of a witness happens in the code, which looks for baskets beside what it is
// about: two living actors have seen a head as it is, and have drawn the numbers with which they want it, or
// are in calls that age and promote.
func (m *Machine) Both(s *Sight, witness string) bool {
	switch witness {
	case "No" + c06:
		return m.wantedForBoth(s)
	case "No" + c06 + "_Three":
		return m.agedBefore(s)
	case "No" + c20, "No" + c20 + "_Tiers":
		return m.agesByAnother(s)
	}
	wants := func(a int, basket uint8) bool {
		h := s.Seen[a][basket-1]
		if s.Dead.Has(uint8(a+1)) || s.Drawn[a] == 0 || h != *s.head(basket) {
			return false
		}
		switch witness {
		case "No" + c11:
			return h.Life == Retiring && s.Dead.Has(h.Owner)
		case "No" + c12:
			return h.Life == Free
		}
		return false
	}
	for b := range m.p.Heads {
		n := 0
		for a := range m.clients() {
			if wants(a, uint8(b+1)) {
				n++
			}
		}
		if n > 1 {
			return true
		}
	}
	return false
}

// in reports whether a living actor, from 0, is within a call of that kind.
func (m *Machine) in(s *Sight, a int, k Kind) bool {
	l := &s.Loc[a]
	return !s.Dead.Has(uint8(a+1)) && l.stage == opened && m.op(&s.State, a).Kind == k
}

// wantedForBoth reports whether who ages and who promotes have seen a basket as it is, which can do either.
func (m *Machine) wantedForBoth(s *Sight) bool {
	return m.two(&s.State, func(a, b int, _, k *Local) bool {
		return m.in(s, a, Age) && m.in(s, b, Promote) && k.Retiring == 0 &&
			!m.baskets(&s.State, func(basket uint8, h *Head) bool {
				return !m.ages(*h) || s.Seen[a][basket-1] != *h || s.Seen[b][basket-1] != *h
			})
	})
}

// agedBefore reports whether somebody has died and a basket has aged that another one has seen before, and
// would age.
func (m *Machine) agedBefore(s *Sight) bool {
	return m.two(&s.State, func(a, b int, _, _ *Local) bool {
		return s.Dead.Has(uint8(a+1)) && m.in(s, b, Age) &&
			!m.baskets(&s.State, func(basket uint8, h *Head) bool {
				seen := s.Seen[b][basket-1]
				older := h.Life == Sealed && h.Generation == seen.Generation && h.Tier > seen.Tier
				return !m.ages(seen) || !older
			})
	})
}

// agesByAnother reports whether a living actor is about to retire a basket, or to let one go down, which it
// has seen as it is, by parameters that are not there any more.
func (m *Machine) agesByAnother(s *Sight) bool {
	return m.some(&s.State, func(a int, l *Local) bool {
		if !m.in(s, a, Tend) || l.Pair == (Pair{}) || l.Pair == s.Pair || l.Retiring != 0 {
			return false
		}
		return !m.baskets(&s.State, func(basket uint8, h *Head) bool {
			can := h.Life == Sealed
			if m.p.tiers() > 1 {
				can = m.ages(*h) && l.Pair.Sinks(h.Tier) && !s.Pair.Sinks(h.Tier)
			}
			return !can || s.Seen[a][basket-1] != *h
		})
	})
}
