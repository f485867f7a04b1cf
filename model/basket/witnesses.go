package basket

import "github.com/samecycle/samecycle/model/search"

// Witnesses are claims that must be violated: that the race of a state does not happen.
func Witnesses() []Property { return append([]Property(nil), witnesses...) }

// WitnessesOf are those of the programs of a state.
func WitnessesOf(state string) []Property { return search.WitnessesOf(state, witnesses) }

// is tells whether an actor, from 0, lives and stands before an action.
func (m *Machine) is(s *State, a int, pc Action) bool {
	return s.Loc[a].PC == pc && !s.Dead.Has(uint8(a+1))
}

// two tells whether something holds of two actors, in this order.
func (m *Machine) two(s *State, holds func(a, b int, l, k *Local) bool) bool {
	for a := range m.clients() {
		for b := range m.clients() {
			if a != b && holds(a, b, &s.Loc[a], &s.Loc[b]) {
				return true
			}
		}
	}
	return false
}

// some tells whether something holds of an actor.
func (m *Machine) some(s *State, holds func(a int, l *Local) bool) bool {
	for a := range m.clients() {
		if holds(a, &s.Loc[a]) {
			return true
		}
	}
	return false
}

// swaps tells whether an actor is about to swap a word as it is.
func (m *Machine) swaps(s *State, a int, e errand) bool {
	f := &s.Loc[a].frame
	return m.is(s, a, IndexSwap) && f.errand == e && s.Word[f.hash-1] == f.ticket
}

// race tells whether two are about to swap.
func (m *Machine) race(s *State, one, other errand) bool {
	return m.two(s, func(a, b int, _, _ *Local) bool { return m.swaps(s, a, one) && m.swaps(s, b, other) })
}

// chained tells whether each hash has a chain of two.
func (m *Machine) chained(s *State) bool {
	for h := range uint8(m.p.hashes()) {
		if len(m.chain(s, h+1)) != 2 {
			return false
		}
	}
	return true
}

func never(name string, seen func(m *Machine, s *State) bool) Property {
	return Property{Name: "No" + name, State: func(m *Machine, s *State) bool { return !seen(m, s) }}
}

func racing(name string, one, other errand) Property {
	return never(name, func(m *Machine, s *State) bool { return m.race(s, one, other) })
}

var witnesses = []Property{
	never(c01, func(m *Machine, s *State) bool {
		for a := range m.clients() {
			f := &s.Loc[a].frame
			if m.is(s, a, CopyHigh) && f.errand == toGet && f.copy.Low != s.rec(f.at).Low {
				return true
			}
		}
		return false
	}),
	racing(c02, toSet, toEvict),
	racing(c03, toSet, toMove),
	racing(c04, toDelete, toEvict),
	racing(c05, toSet, toPromote),
	// The other lane is open when a record is moved into the lower one.
	never(c05+"_Lanes", func(m *Machine, s *State) bool {
		return m.two(s, func(a, b int, _, k *Local) bool {
			return m.swaps(s, a, toSet) && m.swaps(s, b, toMove) && k.Open[0] != 0 &&
				s.head(basketOf(k.frame.next)).Tier == 1
		})
	}),
	never(c06, func(m *Machine, s *State) bool {
		about := func(l *Local) bool {
			return l.frame.best.basket == 1 && l.frame.best.head == s.Head[0]
		}
		return m.two(s, func(a, b int, l, k *Local) bool {
			return m.is(s, a, RoomAge) && m.is(s, b, RoomTake) && about(l) && about(k)
		})
	}),
	// Somebody aged a basket and died, and another one would age what it was.
	never(c06+"_Three", func(m *Machine, s *State) bool {
		return m.two(s, func(a, b int, l, k *Local) bool {
			x := &k.frame.best
			return s.Dead.Has(uint8(a+1)) && l.PC == ClientReturn && m.is(s, b, RoomAge) &&
				x.head.Tier < s.head(x.basket).Tier
		})
	}),
	racing(c07, toSet, toSet),
	racing(c08, toDelete, toSet),
	never(c09, func(m *Machine, s *State) bool {
		return m.chained(s) && m.race(s, toSet, toEvict)
	}),
	// An actor died with a record that was written and not published; the next one walks over that record.
	never(c10, func(m *Machine, s *State) bool {
		return m.two(s, func(a, b int, l, k *Local) bool {
			return s.Dead.Has(uint8(a+1)) && l.PC == IndexSwap && m.is(s, b, IndexLookup) &&
				k.frame.record == l.frame.next
		})
	}),
	never(c10+"_New", func(m *Machine, s *State) bool {
		return m.two(s, func(a, b int, _, k *Local) bool {
			if !s.Dead.Has(uint8(a+1)) || !m.is(s, b, RoomSettle) || int(k.frame.best.head.Owner) != a+1 {
				return false
			}
			for _, p := range s.Pending {
				if int(p.Owner) == a+1 {
					return true
				}
			}
			return false
		})
	}),
	never(c11, func(m *Machine, s *State) bool {
		takes := func(a int, l *Local) bool {
			x := &l.frame.best
			return m.is(s, a, RoomTake) && s.Dead.Has(x.head.Owner) && *s.head(x.basket) == x.head
		}
		return m.two(s, func(a, b int, l, k *Local) bool {
			return takes(a, l) && takes(b, k) && l.frame.best.head.Owner == k.frame.best.head.Owner
		})
	}),
	never(c12, func(m *Machine, s *State) bool {
		opens := func(a int, l *Local) bool { return m.is(s, a, RoomOpen) && l.frame.best.basket == 2 }
		return s.Head[1].Life == Free && m.two(s, func(a, b int, l, k *Local) bool {
			return opens(a, l) && opens(b, k)
		})
	}),
	never(c13, func(m *Machine, s *State) bool {
		return m.two(s, func(a, b int, l, k *Local) bool {
			return m.is(s, a, CopyHigh) && l.frame.errand == toPush && m.is(s, b, WalkHand) &&
				int(k.frame.basket) == a+1 && basketOf(l.frame.at) == k.Retiring
		})
	}),
	// An actor dropped what it had and died, and who has seen that record wants it.
	never(c13+"_Two", func(m *Machine, s *State) bool {
		return m.two(s, func(a, b int, _, k *Local) bool {
			f := &k.frame
			return s.Dead.Has(uint8(a+1)) && m.is(s, b, IndexDrop) && f.errand == toTake &&
				int(f.basket) == a+1 && s.Hand[a] != f.ticket.Ref
		})
	}),
	racing(c19, toSet, toMark),
	racing(c19+"_Delete", toDelete, toMark),
	never(c19+"_Colliding", func(m *Machine, s *State) bool {
		return m.chained(s) && m.race(s, toSet, toMark)
	}),
	racing(c19+"_Evict", toMark, toEvict),
	racing(c19+"_Move", toMark, toMove),
	never(c19+"_Both", func(m *Machine, s *State) bool {
		return m.two(s, func(a, b int, l, k *Local) bool {
			return m.swaps(s, a, toMark) && m.is(s, b, IndexSwap) && k.frame.errand == toMark &&
				k.frame.value != l.frame.value
		})
	}),
	// Where the record was that somebody would mark there is another value.
	never(c19+"_Reuse", func(m *Machine, s *State) bool {
		for a := range m.clients() {
			f := &s.Loc[a].frame
			if m.is(s, a, IndexSwap) && f.errand == toMark && f.ticket.Ref != 0 &&
				s.rec(f.ticket.Ref).Low != f.record {
				return true
			}
		}
		return false
	}),
	// Somebody is about to age by a pair that is not there any more.
	never(c20, func(m *Machine, s *State) bool {
		return m.some(s, func(a int, l *Local) bool {
			return m.is(s, a, RoomTake) && m.inTend(s, a) && l.Pair != s.Pair
		})
	}),
	never(c20+"_Halves", func(m *Machine, s *State) bool {
		tunes := func(a int, l *Local) bool { return m.is(s, a, TuneSwap) && l.Pair == s.Pair }
		return m.two(s, func(a, b int, l, k *Local) bool { return tunes(a, l) && tunes(b, k) })
	}),
	// What is in one basket is gone by the pair before, and what is in the next one is to be moved.
	never(c20+"_Again", func(m *Machine, s *State) bool {
		return s.Word[0].Ref == 0 && m.some(s, func(a int, l *Local) bool {
			return m.is(s, a, IndexSwap) && m.inTend(s, a) && l.frame.errand == toMove
		})
	}),
	never(c20+"_Tiers", func(m *Machine, s *State) bool {
		return m.some(s, func(a int, l *Local) bool {
			x := &l.frame.best
			return m.is(s, a, RoomAge) && m.inTend(s, a) && *s.head(x.basket) == x.head &&
				!s.Pair.Sinks(x.head.Tier)
		})
	}),
}
