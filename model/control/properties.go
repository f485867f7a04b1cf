package control

import (
	"slices"

	"github.com/samecycle/samecycle/model/search"
)

// A Property is a claim of MCControl.tla.
type Property = search.Property[*Machine, State]

// Properties are those of states and of steps that a complete run checks.
func Properties() []Property { return slices.Clone(properties) }

// PropertyByName finds one of them, or a witness.
func PropertyByName(name string) (Property, bool) {
	return search.PropertyByName(name, properties, witnesses)
}

// ComesAbout is what must come about: each call of an actor that goes on ends, whatever the others do; if an
// actor that goes on wants to keep a lease, it is not lost for ever; and if one goes on saying that a writer
// is wanted, and one goes on asking, a wish is heard again and again.
const ComesAbout = "ComesAbout"

// Live is ComesAbout.
func (m *Machine) Live() *search.Live[State, Move] {
	live := &search.Live[State, Move]{Name: ComesAbout, Fair: func(x Move) bool {
		return x.Action != Die && slices.Contains(m.c.Fair, int(x.Actor))
	}}
	for _, a := range m.c.Fair {
		live.Bad = append(live.Bad, func(s *State) bool { return !m.atEase(s, a-1) })
	}
	if slices.ContainsFunc(m.c.Fair, func(a int) bool { return m.keeps(a - 1) }) {
		live.Bad = append(live.Bad, func(s *State) bool {
			return !slices.ContainsFunc(s.Lease[:], func(l Lease) bool { return m.alive(s, l.Owner) })
		})
	}
	going := func(does func(a int) bool) bool {
		return slices.ContainsFunc(m.c.Fair, func(a int) bool { return does(a - 1) })
	}
	if going(m.begs) && going(m.serves) {
		live.Bad = append(live.Bad, func(s *State) bool {
			return !going(func(a int) bool { return s.Loc[a].phase == hearing })
		})
	}
	return live
}

var properties = []Property{
	{Name: "MCTypes", State: types},
	{Name: "L1One", State: one},
	{Name: "L2Vacant", Step: onlyVacant},
	{Name: "L3Few", Step: few},
	{Name: "L4Lowered", State: lowered},
	{Name: "L5Held", Step: heldTold},
	{Name: "T1NoneLost", Step: noneLost},
	{Name: "T2Together", Step: together},
	{Name: "T3InOrder", State: inOrder},
	{Name: "T4Told", State: told},
	{Name: "T5Read", Step: readTold},
	{Name: "R1NoneLost", State: neverBelow},
	{Name: "R2Bound", State: bounded},
	{Name: "R3Told", State: chargesMade},
	{Name: "R4Rises", Step: rises},
	{Name: "M1Once", State: once},
	{Name: "M2Longer", Step: longer},
	{Name: "M3Kept", State: kept},
	{Name: "M4Bound", State: penaltyBounded},
	{Name: "M5Told", Step: waitTold},
	{Name: "A1Admitted", State: admitted},
	{Name: "H1Once", State: heardOnce},
	{Name: "H2Lately", Step: lately},
	{Name: "H3Kept", Step: wishKept},
	{Name: "H4Heard", Step: wishHeard},
}

// types: an owner is a process, or one that was dead at the beginning; a stamp is not of the future. The
// model's own types say most of the rest.
func types(m *Machine, s *State) bool {
	for _, l := range s.Lease[:len(m.p.Leases)] {
		if int(l.Owner) > len(m.p.Calls)+1 || l.At > s.Clock {
			return false
		}
	}
	for a := range m.p.Calls {
		if int(s.out[a].n) > len(m.p.Calls[a]) || s.Dead.Has(uint8(a+1)) && !ended(s, a) {
			return false
		}
	}
	return s.Wish.On <= 1 &&
		!slices.ContainsFunc(s.Penalty[:], func(p Penalty) bool { return p.N > offenceMost })
}

// one: a process has one lease at most.
func one(_ *Machine, s *State) bool {
	return s.Lease[0].Owner == 0 || s.Lease[0].Owner != s.Lease[1].Owner
}

// goes tells whether a step is one of an actor, from 0, and no death.
func goes(prev, next *State, a int) bool { return prev.Loc[a] != next.Loc[a] && prev.Dead == next.Dead }

// vacant tells whether a lease may be taken over.
func (m *Machine) vacant(s *State, w Lease) bool {
	return w.Owner == 0 || !m.alive(s, w.Owner) || s.Clock > s.kept[w.Owner-1]+Still
}

// onlyVacant: a lease is renewed and given up by its owner. It is taken over from nobody, from a dead
// process, and from one that has stood still for too long.
func onlyVacant(m *Machine, prev, next *State) bool {
	may := func(a uint8, w, x Lease) bool {
		if x.Owner == a {
			return w.Owner == a || m.vacant(prev, w)
		}
		return x == Lease{} && w.Owner == a
	}
	for i := range m.p.Leases {
		w, x := prev.Lease[i], next.Lease[i]
		if w == x {
			continue
		}
		lawful := false
		for a := range m.p.Calls {
			lawful = lawful || goes(prev, next, a) && may(uint8(a+1), w, x)
		}
		if !lawful {
			return false
		}
	}
	return true
}

// few: a lease is taken only within the number that the janitor has found allowed.
func few(m *Machine, prev, next *State) bool {
	for i := range m.p.Leases {
		for a := range m.p.Calls {
			me := uint8(a + 1)
			if next.Lease[i].Owner == me && prev.Lease[i].Owner != me && i+1 > int(prev.Loc[a].run) {
				return false
			}
		}
	}
	return true
}

// lowered: behind a turn that has found fewer leases allowed, the process has none of the others.
func lowered(m *Machine, s *State) bool {
	for a := range m.p.Calls {
		out := s.out[a].all()
		if m.p.Calls[a][0].Op != OpTurn || !is(s, a, ClientCall) && !ended(s, a) || len(out) == 0 {
			continue
		}
		for i := range m.p.Leases {
			if i+1 > int(out[len(out)-1].A) && s.Lease[i].Owner == uint8(a+1) {
				return false
			}
		}
	}
	return true
}

// changed asks of each word of live parameters that a step changes whether it does what one of the changes
// may do that this word is in the hands of.
func (m *Machine) changed(prev, next *State, lawful func(set, old, new Pair) bool) bool {
	for i := range m.p.Params {
		if prev.Param[i] == next.Param[i] {
			continue
		}
		ok := false
		for a, calls := range m.p.Calls {
			l := &prev.Loc[a]
			if !goes(prev, next, a) || int(l.Call) > len(calls) {
				continue
			}
			c := &calls[l.Call-1]
			ok = ok || c.Op == OpTune && int(l.i) == i+1 && lawful(c.Set[i], prev.Param[i], next.Param[i])
		}
		if !ok {
			return false
		}
	}
	return true
}

// noneLost: a change of live parameters leaves those as they are that it does not name.
func noneLost(m *Machine, prev, next *State) bool {
	return m.changed(prev, next, func(set, old, new Pair) bool {
		return (set.A != 0 || new.A == old.A) && (set.B != 0 || new.B == old.B)
	})
}

// together: live parameters of one word that are tuned together change together.
func together(m *Machine, prev, next *State) bool {
	return m.changed(prev, next, func(set, _, new Pair) bool {
		return (set.A == 0 || new.A == set.A) && (set.B == 0 || new.B == set.B)
	})
}

// inOrder: live parameters of the first word change before those of the second one.
func inOrder(m *Machine, s *State) bool {
	return len(m.p.Params) < 2 || s.Param[1] == Pair{} || s.Param[0] != Pair{}
}

// told: who was told so has made the change.
func told(m *Machine, s *State) bool {
	for a := range m.p.Calls {
		n := 0
		for i := range s.out[a].all() {
			n += len(m.p.Calls[a][i].Set)
		}
		if int(s.did[a]) < n {
			return false
		}
	}
	return true
}
