package slots

import "github.com/samecycle/samecycle/model/search"

// Witnesses are claims that must be violated: that the race of a state does not happen.
func Witnesses() []Property { return append([]Property(nil), witnesses...) }

// WitnessesOf are those of the programs of a state.
func WitnessesOf(state string) []Property { return search.WitnessesOf(state, witnesses) }

// never is the claim that no client and no service, by their numbers from 0, are seen so.
func never(name string, seen func(s *State, client, service int) bool) Property {
	return Property{Name: "No" + name, State: func(m *Machine, s *State) bool {
		for a := range m.p.Clients {
			for b := m.p.Clients; b < len(m.p.Calls); b++ {
				if seen(s, a, b) {
					return false
				}
			}
		}
		return true
	}}
}

// same tells whether a slot has the word that an actor has loaded.
func same(s *State, l *Local) bool { return *s.word(l.Slot) == l.word }

var witnesses = []Property{
	// The client has given up, and the service has performed the request.
	never(b01, func(s *State, _, b int) bool {
		return is(s, b, SlotDone) && s.word(s.Loc[b].Slot).Life == Abandoned
	}),
	// A service has died with a slot in its hands, and both the next one and the client are about to say so.
	never(b02, func(s *State, a, b int) bool {
		return is(s, a, SlotFail) && is(s, b, SlotReclaim) && same(s, &s.Loc[a])
	}),
	// A client has died with a slot that the service has in its hands, and who comes after it is about to
	// take the slot back.
	never(b03, func(s *State, a, b int) bool {
		return is(s, a, SlotReclaim) && s.Loc[a].word.Life == Taken && is(s, b, SlotDone) &&
			same(s, &s.Loc[a])
	}),
	// The client has seen a service that does not sleep, and the service is about to sleep.
	never(b04, func(s *State, a, b int) bool {
		l := &s.Loc[a]
		return is(s, a, SlotLook) && l.phase == waiting && s.word(l.Slot).Life == Published &&
			is(s, b, BellSleep)
	}),
	// A service is about to free what a dead client has claimed, and another client has claimed it since.
	never(b05, func(s *State, _, b int) bool {
		l := &s.Loc[b]
		if !is(s, b, SlotReclaim) {
			return false
		}
		w := s.word(l.Slot)
		return w.Life == l.word.Life && w.Serial > l.word.Serial
	}),
}
