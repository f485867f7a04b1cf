package basket

import (
	"slices"

	"github.com/samecycle/samecycle/model/search"
)

// A Property is a claim of MCBasket.tla.
type Property = search.Property[*Machine, State]

// Properties are those of states and of steps that a complete run checks.
func Properties() []Property { return append([]Property(nil), properties...) }

// PropertyByName finds one of them, or a witness.
func PropertyByName(name string) (Property, bool) {
	return search.PropertyByName(name, properties, witnesses)
}

// What must come about.
const (
	LoneEnds = "LoneEnds" // each operation of an actor that goes on ends, whatever the others do
	RoomEnds = "RoomEnds" // the same when somebody has died, where baskets are scarce
)

// LiveByName is what must come about in a machine; false if nothing has that name.
func LiveByName(m *Machine, name string) (*search.Live[State, Move], bool) {
	if name != LoneEnds && name != RoomEnds {
		return nil, false
	}
	live := &search.Live[State, Move]{Name: name, Fair: func(x Move) bool {
		return x.Action < over && slices.Contains(m.c.Fair, int(x.Actor))
	}}
	for _, a := range m.c.Fair {
		live.Bad = append(live.Bad, func(s *State) bool {
			return !m.ended(s, a-1) && (name == LoneEnds || s.Dead != 0)
		})
	}
	return live, true
}

// Live is what must come about in the complete run of the machine's program.
func (m *Machine) Live() *search.Live[State, Move] {
	name := LoneEnds
	if m.p.Scarce {
		name = RoomEnds
	}
	live, _ := LiveByName(m, name)
	return live
}

var properties = []Property{
	{Name: "MCTypes", State: types},
	{Name: "B1NoneFreed", State: noneFreed},
	{Name: "B2Whole", State: whole},
	{Name: "B3KeyOnce", State: keyOnce},
	{Name: "B4Walkable", State: walkable},
	{Name: "B5ThisLife", State: thisLife},
	{Name: "B6Owned", State: owned},
	{Name: "B7Untorn", State: untorn},
	{Name: "B8ByItsOwner", Step: byItsOwner},
	{Name: "B9ToTheTop", Step: toTheTop},
	{Name: "B10MarkOfSeen", Step: markOfSeen},
	{Name: "B11ChangeOfIt", Step: changeOfIt},
	{Name: "B12OnePair", Step: onePair},
	{Name: "B13ByThePair", Step: byThePair},
	{Name: "ToldRefined", Step: toldRefined},
	{Name: "B14ToldOnce", Step: toldOnce},
}

// baskets calls f with each basket and its head, as long as f holds.
func (m *Machine) baskets(s *State, f func(basket uint8, h *Head) bool) bool {
	for i := range m.p.Heads {
		if !f(uint8(i+1), &s.Head[i]) {
			return false
		}
	}
	return true
}

func types(m *Machine, s *State) bool {
	return s.Pair.Low <= 2 && s.Pair.High <= 2 && m.baskets(s, func(basket uint8, h *Head) bool {
		has := h.Life == Open || h.Life == Retiring
		alone := func(other uint8, g *Head) bool {
			return other == basket || h.Number == 0 || h.Number != g.Number
		}
		return h.Life != NoLife && int(h.Tier) < m.p.tiers() && has == (h.Owner != 0) && m.baskets(s, alone)
	})
}

// led calls f with each record that the index leads to, its hash and those before it, as long as f holds.
func (m *Machine) led(s *State, f func(ref, hash uint8, before []uint8) bool) bool {
	for h := range uint8(m.p.hashes()) {
		chain := m.chain(s, h+1)
		for i, ref := range chain {
			if !f(ref, h+1, chain[:i]) {
				return false
			}
		}
	}
	return true
}

// noneFreed: index and hands lead to records of this life, in baskets that are not free.
func noneFreed(m *Machine, s *State) bool {
	good := func(ref uint8) bool {
		h := s.head(basketOf(ref))
		return h.Life != Free && s.born[ref-1] == h.Generation
	}
	for a := range m.clients() {
		for _, ref := range m.chainOf(s, s.Hand[a]) {
			if !good(ref) {
				return false
			}
		}
	}
	return m.led(s, func(ref, _ uint8, _ []uint8) bool { return good(ref) })
}

// whole: the index leads to whole records of its hash.
func whole(m *Machine, s *State) bool {
	return m.led(s, func(ref, hash uint8, _ []uint8) bool {
		r := s.rec(ref)
		return r.Size == hash && m.p.Hashes[r.Key-1] == hash && r.Low == r.High
	})
}

// keyOnce: a chain has each key once.
func keyOnce(m *Machine, s *State) bool {
	return m.led(s, func(ref, _ uint8, before []uint8) bool {
		return !slices.ContainsFunc(before, func(x uint8) bool { return s.rec(x).Key == s.rec(ref).Key })
	})
}

// walked tells whether a walk of its basket comes by a record.
func walked(s *State, ref uint8) bool {
	for x := refOf(basketOf(ref), 1); x <= ref; x++ {
		if s.rec(x).Size == 0 {
			return false
		}
	}
	return true
}

// walkable: a walk comes by each record that the index leads to.
func walkable(m *Machine, s *State) bool {
	return m.led(s, func(ref, _ uint8, _ []uint8) bool { return walked(s, ref) })
}

// thisLife: a walk comes by none of an earlier life.
func thisLife(m *Machine, s *State) bool {
	return m.baskets(s, func(basket uint8, h *Head) bool {
		for i := range uint8(Slots) {
			ref := refOf(basket, i+1)
			if h.Life != Retiring && walked(s, ref) && s.born[ref-1] != h.Generation {
				return false
			}
		}
		return true
	})
}

// owned: an owner knows what it has: one basket that retires, and one open basket in each lane, of the lane's
// tier, at most. What is free is in the top tier.
func owned(m *Machine, s *State) bool {
	for a := range m.clients() {
		l := &s.Loc[a]
		knows := func(basket uint8, h *Head) bool {
			mine := int(h.Owner) == a+1
			return h.Life != Open && h.Life != Retiring ||
				h.Life == Open && mine == slices.Contains(l.Open[:], basket) ||
				h.Life == Retiring && mine == (basket == l.Retiring)
		}
		if !s.Dead.Has(uint8(a+1)) && !(m.has(s, l) && m.baskets(s, knows)) {
			return false
		}
	}
	return m.baskets(s, func(_ uint8, h *Head) bool {
		return h.Life != NoLife && (h.Life != Free || h.Tier == 0)
	})
}

// has tells whether the baskets that an actor knows are what it knows them as.
func (m *Machine) has(s *State, l *Local) bool {
	for lane, basket := range l.Open[:m.p.lanes()] {
		if basket != 0 && (s.head(basket).Life != Open || int(s.head(basket).Tier) != lane) {
			return false
		}
	}
	return l.Retiring == 0 || s.head(l.Retiring).Life == Retiring
}

// untorn: no answer is torn, and nothing that is told.
func untorn(m *Machine, s *State) bool {
	for a := range m.clients() {
		l := &s.Loc[a]
		if l.answer < 0 || slices.ContainsFunc(l.owed.all(), func(x Told) bool { return x.Value <= 0 }) {
			return false
		}
	}
	return true
}

// byItsOwner: a basket changes its life as the picture says, and only its owner, or somebody after the
// owner's death, changes one that has an owner.
func byItsOwner(m *Machine, prev, next *State) bool {
	return m.baskets(prev, func(basket uint8, was *Head) bool {
		is := next.head(basket)
		if *is == *was {
			return true
		}
		for a := range m.clients() {
			actor := uint8(a + 1)
			goes := !prev.Dead.Has(actor) && prev.Loc[a] != next.Loc[a]
			if goes && m.mayChange(was, is, actor, was.Owner != 0 && prev.Dead.Has(was.Owner)) {
				return true
			}
		}
		return false
	})
}

// mayChange: left tells that the owner of the basket has died. The tier is that of a lane when the basket is
// opened; it changes while the basket is sealed, by one, and by nothing else.
func (m *Machine) mayChange(was, is *Head, actor uint8, left bool) bool {
	same := was.Generation == is.Generation && was.Tier == is.Tier
	own, gets, stays := was.Owner == actor, is.Owner == actor, was.Number == is.Number
	switch [2]Life{was.Life, is.Life} {
	case [2]Life{Free, Open}:
		return gets && was.Generation == is.Generation && int(is.Tier) < m.p.lanes()
	case [2]Life{Open, Sealed}:
		return (own || left) && same && stays
	case [2]Life{Sealed, Sealed}:
		aged := *was
		aged.Tier++
		return *is == aged && int(is.Tier) < m.p.tiers()
	case [2]Life{Sealed, Retiring}:
		return gets && same && stays
	case [2]Life{Retiring, Retiring}:
		return left && gets && same && is.Number > was.Number
	case [2]Life{Retiring, Sealed}:
		return own && same && is.Number > was.Number
	case [2]Life{Retiring, Free}:
		return own && is.Generation == was.Generation+1
	}
	return false
}

// toTheTop: what is promoted is in the top tier from the swap on.
func toTheTop(m *Machine, prev, next *State) bool {
	for a := range m.clients() {
		l := &prev.Loc[a]
		promotes := l.PC == IndexSwap && l.frame.errand == toPromote && *l != next.Loc[a]
		for h := range m.p.hashes() {
			ref := next.Word[h].Ref
			if promotes && ref != 0 && ref != prev.Word[h].Ref && next.head(basketOf(ref)).Tier != 0 {
				return false
			}
		}
	}
	return true
}

// markOfSeen: a mark comes, or goes, by the swap of an operation that is about this, and only while the key
// has the value that this one has copied; what is set has none.
func markOfSeen(m *Machine, prev, next *State) bool {
	was, is := m.abstraction(prev), m.abstraction(next)
	for k := range m.p.Hashes {
		switch {
		case was.store[k] != is.store[k]:
			if is.sus[k] != 0 {
				return false
			}
		case was.sus[k] != is.sus[k] && !m.marks(prev, next, uint8(k+1), is.sus[k], was.store[k]):
			return false
		}
	}
	return true
}

// marks tells whether an actor is about to give the key that mark, whose value it has copied, and does it.
func (m *Machine) marks(prev, next *State, key, mark uint8, value int8) bool {
	for a := range m.clients() {
		f := &prev.Loc[a].frame
		if m.is(prev, a, IndexSwap) && prev.Loc[a] != next.Loc[a] && f.errand == toMark && f.key == key &&
			f.value == mark && int8(f.record) == value {
			return true
		}
	}
	return false
}
