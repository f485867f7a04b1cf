package slots

import (
	"slices"

	"github.com/samecycle/samecycle/model/search"
)

// A Property is a claim of MCSlots.tla.
type Property = search.Property[*Machine, State]

// Properties are those of states and of steps that a complete run checks.
func Properties() []Property { return slices.Clone(properties) }

// PropertyByName finds one of them, or a witness.
func PropertyByName(name string) (Property, bool) {
	return search.PropertyByName(name, properties, witnesses)
}

// LoneEnds is what must come about: each call of an actor that goes on ends, whatever the others do, and a
// service that goes on comes to rest.
const LoneEnds = "LoneEnds"

// Live is LoneEnds.
func (m *Machine) Live() *search.Live[State, Move] {
	live := &search.Live[State, Move]{Name: LoneEnds, Fair: func(x Move) bool {
		return x.Action != Die && slices.Contains(m.c.Fair, int(x.Actor))
	}}
	for _, a := range m.c.Fair {
		live.Bad = append(live.Bad, func(s *State) bool { return !m.quiet(s, a-1) })
	}
	return live
}

var properties = []Property{
	{Name: "MCTypes", State: types},
	{Name: "N1Once", State: once},
	{Name: "N2Honest", State: honest},
	{Name: "N3Answer", State: answer},
	{Name: "N4Alone", State: alone},
	{Name: "N5Held", State: held},
	{Name: "N6NoneLost", State: noneLost},
	{Name: "N7Performed", State: performed},
	{Name: "N8ByItsOwner", Step: byItsOwner},
}

// slots calls f with each slot and its word, as long as f holds.
func (m *Machine) slots(s *State, f func(slot uint8, w Word) bool) bool {
	for i := range m.p.Slots {
		if !f(i+1, s.Word[i]) {
			return false
		}
	}
	return true
}

// types: a lock is nobody's, or that of a process of its side. The model's own types say the rest.
func types(m *Machine, s *State) bool {
	clients, services := m.p.Processes[:m.p.Clients], m.p.Processes[m.p.Clients:]
	return (s.Lock.Client == 0 || slices.Contains(clients, s.Lock.Client)) &&
		(s.Lock.Service == 0 || slices.Contains(services, s.Lock.Service))
}

// once: a request is performed once at most.
func once(m *Machine, s *State) bool {
	for a := range m.p.Calls {
		if slices.ContainsFunc(s.did[a][:], func(n uint8) bool { return n > 1 }) {
			return false
		}
	}
	return true
}

// honest: who is told "done" has had it performed, and who is told "not done" never will.
func honest(m *Machine, s *State) bool {
	for a := range m.p.Clients {
		for n, r := range s.out[a].all() {
			if r == Performed && s.did[a][n] != 1 || r == NotDone && s.did[a][n] != 0 {
				return false
			}
		}
	}
	return true
}

// answer: a response is that of the request.
func answer(m *Machine, s *State) bool {
	return !slices.ContainsFunc(s.Loc[:m.p.Clients], func(l Local) bool { return l.result == Wrong })
}

// using is how many stand before one of two actions at a slot.
func (m *Machine) using(s *State, slot uint8, one, other Action) (n int) {
	for a := range m.p.Calls {
		if s.Loc[a].Slot == slot && (is(s, a, one) || is(s, a, other)) {
			n++
		}
	}
	return n
}

// alone: nobody writes to a data area that somebody else reads or writes.
func alone(m *Machine, s *State) bool {
	return m.slots(s, func(slot uint8, _ Word) bool {
		return m.using(s, slot, SlotWrite, SlotCopy) <= 1 && m.using(s, slot, SlotRead, SlotAnswer) <= 1
	})
}

// holds tells whether a client, from 0, holds a slot.
func holds(s *State, a int, slot uint8) bool {
	l := &s.Loc[a]
	switch l.PC {
	case ClientCall, ClientReturn, over, PeerLock, SlotReclaim, SlotClaim:
		return false
	case SlotLook:
		return l.Slot == slot && l.phase != claiming && l.phase != attaching
	}
	return l.Slot == slot
}

// holders are how many clients hold a slot.
func (m *Machine) holders(s *State, slot uint8) (n int) {
	for a := range m.p.Clients {
		if holds(s, a, slot) {
			n++
		}
	}
	return n
}

// held: a slot that a client holds is its own, in the life in which it was claimed.
func held(m *Machine, s *State) bool {
	return m.slots(s, func(slot uint8, w Word) bool {
		for a := range m.p.Clients {
			if holds(s, a, slot) && (w.Serial != s.Loc[a].word.Serial || w.Life == Free ||
				w.Life == Abandoned) {
				return false
			}
		}
		return m.holders(s, slot) <= 1
	})
}

// died tells whether an actor from one on, and below another one, has died.
func (m *Machine) died(s *State, from, below int) bool {
	for a := from; a < below; a++ {
		if m.gone(s, a) {
			return true
		}
	}
	return false
}

func (m *Machine) clientDied(s *State) bool { return m.died(s, 0, m.p.Clients) }

func (m *Machine) serviceDied(s *State) bool { return m.died(s, m.p.Clients, len(m.p.Calls)) }

// inHand tells whether a service that lives has a slot in its hands.
func (m *Machine) inHand(s *State, slot uint8) bool {
	for a := m.p.Clients; a < len(m.p.Calls); a++ {
		for _, pc := range []Action{SlotCopy, SlotPerform, SlotAnswer, SlotDone, SlotDrop, SlotReclaim} {
			if s.Loc[a].Slot == slot && is(s, a, pc) {
				return true
			}
		}
	}
	return false
}

// passedBy tells whether a client that came after a dead one has looked at a slot.
func (m *Machine) passedBy(s *State, slot uint8) bool {
	for a := range m.p.Clients {
		l := &s.Loc[a]
		if m.p.Processes[a] == s.Lock.Client && m.clientDied(s) && !(l.phase == attaching && l.Slot <= slot) {
			return true
		}
	}
	return false
}

// noneLost: a slot that is not free is in the hands of an actor that lives, or an actor has died and the one
// that comes after it has not come by the slot.
func noneLost(m *Machine, s *State) bool {
	return m.slots(s, func(slot uint8, w Word) bool {
		switch w.Life {
		case Claimed, Published, Done, Failed:
			return m.holders(s, slot) > 0 || m.clientDied(s) && !m.passedBy(s, slot)
		case Taken, Abandoned:
			return m.inHand(s, slot) || m.serviceDied(s) && s.Asleep&m.services() == 0
		}
		return true
	})
}

// performed: without a death and a time-out each request is performed.
func performed(m *Machine, s *State) bool {
	return m.p.Bounded || !slices.ContainsFunc(s.out[:m.p.Clients], func(x results) bool {
		return slices.ContainsFunc(x.all(), func(r Result) bool { return r != Performed })
	})
}

// byItsOwner: a slot changes as the picture says, and by whom the picture says.
func byItsOwner(m *Machine, prev, next *State) bool {
	return m.slots(prev, func(slot uint8, w Word) bool {
		x := *next.word(slot)
		if x == w {
			return true
		}
		for a := range m.p.Calls {
			if prev.Loc[a] != next.Loc[a] && prev.Dead == next.Dead && m.mayChange(prev, m.client(a), w, x) {
				return true
			}
		}
		return false
	})
}

func (m *Machine) mayChange(s *State, client bool, w, x Word) bool {
	if w.to(x.Life) != x {
		return false
	}
	switch [2]Life{w.Life, x.Life} {
	case [2]Life{Free, Claimed}, [2]Life{Claimed, Published}, [2]Life{Published, Free},
		[2]Life{Taken, Abandoned}:
		return client
	case [2]Life{Done, Free}, [2]Life{Failed, Free}:
		return client || m.clientDied(s)
	case [2]Life{Claimed, Free}:
		return m.clientDied(s)
	case [2]Life{Taken, Failed}:
		return m.serviceDied(s)
	case [2]Life{Published, Taken}, [2]Life{Taken, Done}, [2]Life{Abandoned, Free}:
		return !client
	}
	return false
}
