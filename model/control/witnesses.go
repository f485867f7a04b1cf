package control

import "github.com/samecycle/samecycle/model/search"

// Witnesses are claims that must be violated: that the race of a state does not happen.
func Witnesses() []Property { return append([]Property(nil), witnesses...) }

// WitnessesOf are those of the programs of a state.
func WitnessesOf(state string) []Property { return search.WitnessesOf(state, witnesses) }

// never is the claim that no actor, by its number from 0, is seen so.
func never(name string, seen func(m *Machine, s *State, a int, l *Local) bool) Property {
	return Property{Name: "No" + name, State: func(m *Machine, s *State) bool {
		for a := range m.p.Calls {
			if seen(m, s, a, &s.Loc[a]) {
				return false
			}
		}
		return true
	}}
}

// both tells whether another actor is in the same phase.
func both(m *Machine, s *State, a int, p phase) bool {
	for b := range m.p.Calls {
		if b != a && s.Loc[a].phase == p && s.Loc[b].phase == p {
			return true
		}
	}
	return false
}

// takes tells whether an actor is about to take a lease.
func takes(s *State, a int) bool {
	l := &s.Loc[a]
	return is(s, a, LeaseTake) && s.Lease[l.i-1] == l.lease
}

// hears tells whether an actor is about to take a wish.
func hears(s *State, a int) bool { return is(s, a, WishTake) && s.Wish == s.Loc[a].wish }

var witnesses = []Property{
	// Two are about to take one lease.
	never(p01, func(m *Machine, s *State, a int, l *Local) bool {
		for b := range m.p.Calls {
			if b != a && takes(s, a) && takes(s, b) && l.i == s.Loc[b].i {
				return true
			}
		}
		return false
	}),
	// Somebody is about to take the lease of one who has died meanwhile.
	never(p02, func(_ *Machine, s *State, a int, l *Local) bool {
		return takes(s, a) && s.Dead.Has(l.lease.Owner)
	}),
	// The owner is about to renew a lease that another one has taken over.
	never(p03, func(_ *Machine, s *State, a int, l *Local) bool {
		return is(s, a, LeaseRenew) && s.Lease[l.i-1].Owner != 0 && s.Lease[l.i-1].Owner != uint8(a+1)
	}),
	// The owner is about to renew a lease that there may not be any more.
	never(p04, func(m *Machine, s *State, a int, l *Local) bool {
		return is(s, a, LeaseRenew) && len(m.p.Params) > 0 && l.i > s.Param[0].A
	}),
	// Somebody is about to change a word that another one has changed.
	never(p05, func(_ *Machine, s *State, a int, l *Local) bool {
		return is(s, a, TuneSwap) && s.Param[l.i-1] != l.old
	}),
	// The same of the level of a cell.
	never(p06, func(m *Machine, s *State, a int, l *Local) bool {
		return is(s, a, LevelSwap) && s.Level[CellOf(m.p.Calls[a][l.Call-1].N, l.i)-1] != l.x
	}),
	// Two have seen one offence, and mark it.
	never(p07, func(m *Machine, s *State, a int, _ *Local) bool { return both(m, s, a, marking) }),
	// Two have found room for one.
	never(p08, func(m *Machine, s *State, a int, _ *Local) bool { return both(m, s, a, admitting) }),
	// Two are about to take one wish.
	never(p09, func(m *Machine, s *State, a int, _ *Local) bool {
		for b := range m.p.Calls {
			if b != a && hears(s, a) && hears(s, b) {
				return true
			}
		}
		return false
	}),
}
