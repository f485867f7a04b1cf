package owner

import (
	"math/bits"

	"github.com/samecycle/samecycle/model/search"
)

// A Property is a claim of MCOwner.tla.
type Property = search.Property[*Machine, State]

// Properties are those that a complete run checks.
func Properties() []Property { return append([]Property(nil), properties...) }

// Witnesses are claims that must be violated.
func Witnesses() []Property { return append([]Property(nil), witnesses...) }

// PropertyByName finds one of either.
func PropertyByName(name string) (Property, bool) {
	return search.PropertyByName(name, properties, witnesses)
}

var properties = []Property{
	{Name: "MCTypes", State: types},
	{Name: "J1OneHasIt", State: oneHasIt},
	{Name: "J2NobodyKeeps", State: nobodyKeeps},
	{Name: "J3FreeIsEmpty", State: freeIsEmpty},
	{Name: "J4InstalledIsWritten", State: installedIsWritten},
	{Name: "J5HandedOnce", State: func(_ *Machine, s *State) bool { return s.Again == 0 }},
	{Name: "J6CertainIsTrue", State: certainIsTrue},
	{Name: "J7OfTheDead", State: ofTheDead},
	{Name: "J8Conserved", State: conserved},
	{Name: "J9FewAreLost", State: fewAreLost},
	{Name: "J10FullStays", State: fullStays},
	{Name: "J11LivesByItsLock", State: livesByItsLock},
	{Name: "Q1FromTheDead", Step: fromTheDead},
	{Name: "Q2DeadForGood", Step: deadForGood},
	{Name: "Q3GenerationsGrow", Step: generationsGrow},
	{Name: "Q4OfTheLast", Step: ofTheLast},
	{Name: "Q5DecidedOnce", Step: decidedOnce},
}

var witnesses = []Property{
	{Name: "NobodyRacesANewcomer", State: nobodyRacesANewcomer},
	{Name: "NobodyIsSure", State: func(_ *Machine, s *State) bool { return s.Certain == 0 }},
	{Name: "NoHeirInDoubt", State: func(_ *Machine, s *State) bool {
		return s.Doubtful&^s.known() == 0
	}},
	{Name: "NoNumberTwice", State: noNumberTwice},
	{Name: "NothingIsLost", State: func(_ *Machine, s *State) bool { return s.Lost == 0 }},
	{Name: "NothingIsTakenBack", Step: nothingIsTakenBack},
	{Name: "NobodyHelpsWithin", Step: nobodyHelpsWithin},
	{Name: "NothingIsCleared", Step: nothingIsCleared},
	{Name: "NobodyComesBy", State: nobodyComesBy},
	{Name: "NobodyClearsLate", State: nobodyClearsLate},
}

// Living tells whether somebody can still make a step under this word.
func (m *Machine) Living(s *State, w Word) bool {
	for _, l := range s.Loc[:m.actors] {
		if l.W == w && !outside(l.PC) {
			return true
		}
	}
	return false
}

// outside: an actor there makes no step under its word.
func outside(pc Action) bool {
	return pc == ProcessLock || pc == ProcessPublish || pc == ProcessUnlock || pc == Over
}

// Orphan tells whether descriptor d has a dead owner.
func (m *Machine) Orphan(s *State, d int) bool {
	w := s.Owner[d-1]
	return w != (Word{}) && !m.Living(s, w)
}

// has: an actor has its own descriptor from OwnerTake to OwnerFree, and that of a dead one from
// OwnerTakeOver to OwnerFree or OwnerBack. Its owner may write its head and install its operation.
func (l *Local) has(d uint8) bool {
	if l.D == d {
		return true
	}
	if l.I != d || l.Why != ForReclaim && l.Why != ForInherit {
		return false
	}
	switch l.PC {
	case OwnerHead, OwnerHome, OwnerTarget, OwnerRetire, TableHelp, OwnerFree, OwnerBack:
		return true
	}
	return false
}

// known are the values that the owners of their operations have seen.
func (s *State) known() (all Values) {
	for _, x := range s.Known {
		all |= x.Value
	}
	return all
}

// types: of the kinds and statuses the constants see to it that they are among those.
func types(m *Machine, s *State) bool {
	for i := range m.descriptors {
		if s.Head[i].Kind > Stays || s.Target[i].St > Full || s.Target[i].Gen > s.Head[i].Gen ||
			s.Cell[i] > s.Head[i].Gen {
			return false
		}
	}
	for _, w := range s.Owner[:m.descriptors] {
		if w != (Word{}) && (w.N < 1 || w.N > m.actors) {
			return false
		}
	}
	return true
}

func oneHasIt(m *Machine, s *State) bool {
	for d := uint8(1); d <= m.descriptors; d++ {
		n := 0
		for a := range s.Loc[:m.actors] {
			if l := &s.Loc[a]; l.has(d) {
				if n++; n > 1 || s.Owner[d-1] != l.W {
					return false
				}
			}
		}
	}
	return true
}

func nobodyKeeps(m *Machine, s *State) bool {
	for d := uint8(1); d <= m.descriptors; d++ {
		w := s.Owner[d-1]
		for a := range s.Loc[:m.actors] {
			if l := &s.Loc[a]; w == l.W && m.Living(s, w) && !l.has(d) {
				return false
			}
		}
	}
	return true
}

func freeIsEmpty(m *Machine, s *State) bool {
	for i := range m.descriptors {
		if s.Owner[i] == (Word{}) && (s.Head[i].Kind != None || s.Cell[i] != 0) {
			return false
		}
	}
	return true
}

func installedIsWritten(m *Machine, s *State) bool {
	for i := range m.descriptors {
		g, h := s.Cell[i], s.Head[i]
		if g != 0 && (h.Gen != g || h.Kind == None || s.Target[i].Gen != g) {
			return false
		}
	}
	return true
}

func certainIsTrue(_ *Machine, s *State) bool { return s.Certain&s.known() == 0 }

// ofTheDead: what its owner has seen is handed over only if that owner has died.
func ofTheDead(_ *Machine, s *State) bool {
	for _, x := range s.Known {
		if x.Value&s.handed() == 0 {
			continue
		}
		dead := false
		for _, w := range s.Died {
			dead = dead || w == x.By
		}
		if !dead {
			return false
		}
	}
	return true
}

func conserved(m *Machine, s *State) bool {
	all := s.Given | s.Lost | s.inDescriptor()
	for _, l := range s.Loc[:m.actors] {
		all |= l.Pocket | l.Win
	}
	return s.Left&^all == 0
}

// fewAreLost: of the call in which an owner dies, all values but the last may be lost; of a reclaim in
// which a reclaimer dies, the values that it had taken so far.
func fewAreLost(m *Machine, s *State) bool {
	deaths := int(s.Deaths)
	return bits.OnesCount64(uint64(s.Lost)) <= deaths*(m.c.MaxCall-1)+deaths*(deaths-1)/2
}

// fullStays: full is only what has no place for an element.
func fullStays(m *Machine, s *State) bool {
	for i := range m.descriptors {
		t, h := s.Target[i], s.Head[i]
		if t.St == Full && t.Gen == h.Gen && h.Kind == Leaves {
			return false
		}
	}
	return true
}

// livesByItsLock: an actor that lives has the lock of the entry that says so.
func livesByItsLock(m *Machine, s *State) bool {
	for i, l := range s.Loc[:m.actors] {
		if !outside(l.PC) && (s.Lock[l.W.E-1] != uint8(i+1) || s.Entries[l.W.E-1] != Entry{l.W.Ep, true}) {
			return false
		}
	}
	return true
}

func fromTheDead(m *Machine, prev, next *State) bool {
	for i := range m.descriptors {
		a, b := prev.Owner[i], next.Owner[i]
		if a != b && a != (Word{}) && b != (Word{}) && m.Living(prev, a) && m.Living(prev, b) {
			return false
		}
	}
	return true
}

func deadForGood(m *Machine, prev, next *State) bool {
	for i := range m.descriptors {
		if w := prev.Owner[i]; w == next.Owner[i] && m.Orphan(prev, int(i)+1) && m.Living(next, w) {
			return false
		}
	}
	return true
}

func generationsGrow(m *Machine, prev, next *State) bool {
	for i := range m.descriptors {
		if prev.Head[i] != next.Head[i] && next.Head[i].Gen != prev.Head[i].Gen+1 {
			return false
		}
	}
	return true
}

// ofTheLast: only the value that left by the last operation of a dead owner is handed over.
func ofTheLast(_ *Machine, prev, next *State) bool {
	good := true
	fresh := next.Certain&^prev.Certain | next.Doubtful&^prev.Doubtful
	fresh.each(func(d, g uint8) { good = good && prev.Head[d-1].Gen == g })
	return good
}

// decidedOnce: a decision is one, but for the commitment of what stays that turns out to be full.
func decidedOnce(m *Machine, prev, next *State) bool {
	for i := range m.descriptors {
		was, is := prev.Target[i], next.Target[i]
		if was.Gen != is.Gen || was.St == Undecided || was.St == is.St {
			continue
		}
		if was.St != Committed || is.St != Full || prev.Head[i].Kind != Stays {
			return false
		}
	}
	return true
}

func nothingIsTakenBack(m *Machine, prev, next *State) bool {
	for i := range m.descriptors {
		if prev.Target[i].St == Committed && m.Orphan(prev, int(i)+1) && next.Target[i].St == Full {
			return false
		}
	}
	return true
}

// nobodyHelpsWithin: in the midst of another operation nobody helps that of the dead.
func nobodyHelpsWithin(m *Machine, prev, next *State) bool {
	for i := range m.descriptors {
		within := m.Orphan(prev, int(i)+1) && prev.Target[i] != next.Target[i]
		for _, l := range prev.Loc[:m.actors] {
			within = within && (!meeting(l.PC) || l.PC == TableHelp && l.I != i+1)
		}
		if within {
			return false
		}
	}
	return true
}

func nobodyRacesANewcomer(m *Machine, s *State) bool {
	for _, a := range s.Loc[:m.actors] {
		for _, b := range s.Loc[:m.actors] {
			if a.PC == OwnerTakeOver && a.Why == ForReclaim && b.PC == OwnerTakeOver &&
				b.Why == ForInherit && a.I == b.I && a.Seen == b.Seen {
				return false
			}
		}
	}
	return true
}

func noNumberTwice(m *Machine, s *State) bool {
	for d := 1; d <= int(m.descriptors); d++ {
		for _, l := range s.Loc[:m.actors] {
			if m.Orphan(s, d) && l.D != 0 && l.W.N == s.Owner[d-1].N {
				return false
			}
		}
	}
	return true
}

// nothingIsCleared: nobody makes the entry of a dead process idle.
func nothingIsCleared(m *Machine, prev, next *State) bool {
	for e := range m.entries {
		if !prev.Entries[e].At || next.Entries[e].At {
			continue
		}
		withdrawn := false
		for _, l := range prev.Loc[:m.actors] {
			withdrawn = withdrawn || l.PC == ProcessWithdraw
		}
		if !withdrawn {
			return false
		}
	}
	return true
}

// nobodyComesBy: no new process passes by an entry that it could have, because another one is clearing it.
func nobodyComesBy(m *Machine, s *State) bool {
	for _, a := range s.Loc[:m.actors] {
		for _, b := range s.Loc[:m.actors] {
			if a.PC == ProcessLock && b.PC == ProcessClearState && b.Seen.E == a.I {
				return false
			}
		}
	}
	return true
}

// nobodyClearsLate: the process to clear is never over long since, with its entry somebody else's.
func nobodyClearsLate(m *Machine, s *State) bool {
	for _, a := range s.Loc[:m.actors] {
		for _, b := range s.Loc[:m.actors] {
			if a.PC == ProcessClearLock && m.Living(s, b.W) && b.W.E == a.Seen.E && b.W.Ep > a.Seen.Ep {
				return false
			}
		}
	}
	return true
}
