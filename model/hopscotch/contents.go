package model

import "fmt"

// What memory holds, against the atomic map and against what has been handed out (I8, I9, I13 to I15
// of Invariants.tla).

// site reports whether a reader can see the key of the cell at a at this instant.
func (m *Machine) site(s *State, a addr) bool {
	w := s.at0(a)
	switch w.F {
	case Base, InWork:
		return true
	case Member, Marked:
		b := m.baseOf(s, a)
		return b.c != noCell && m.current(s, b).Has(m.offsetOf(a, b))
	}
	return false
}

func (m *Machine) valueAt(s *State, a addr, k uint8) uint8 {
	w := s.at0(a)
	if w.F == InWork && s.at1(a).Z == 1 {
		if d := m.descOf(w, s); d.Pair.K == k && d.Head.Kind.bringsKey() {
			return d.Pair.V
		}
	}
	return s.at1(a).V
}

func keysUnique(m *Machine, s *State) string {
	var first [MaxKeys + 1]addr
	var seen uint32
	return m.each(func(a addr) string {
		k := s.at0(a).K
		if k == 0 || k > MaxKeys || !m.site(s, a) {
			return ""
		}
		if seen>>k&1 == 1 {
			return fmt.Sprintf("key %d is in %v and in %v", k, first[k], a)
		}
		seen |= 1 << k
		first[k] = a
		return ""
	})
}

func memoryIsMap(m *Machine, s *State) string {
	var anywhere, wrong uint32 // sets of keys
	m.each(func(a addr) string {
		if k := s.at0(a).K; k != 0 && k <= MaxKeys && m.site(s, a) {
			anywhere |= 1 << k
			if m.valueAt(s, a, k) != s.contents[k] {
				wrong |= 1 << k
			}
		}
		return ""
	})
	for _, k := range m.keys {
		switch want := s.contents[k]; {
		case want == 0 && anywhere>>k&1 == 1:
			return fmt.Sprintf("key %d is in memory, not in the map", k)
		case want != 0 && (anywhere&^wrong)>>k&1 == 0:
			return fmt.Sprintf("the map has %d=%d, memory does not", k, want)
		}
	}
	return ""
}

// handedOnce: what leaves the table is handed to exactly one owner, and has left.
func handedOnce(m *Machine, s *State) string {
	if s.freed == 0 {
		return ""
	}
	for _, x := range m.values {
		if m.Freed(s, x) > 1 {
			return fmt.Sprintf("the value %d was handed out twice", x)
		}
	}
	for _, k := range m.keys {
		if x := s.contents[k]; x != 0 && m.Freed(s, x) != 0 {
			return fmt.Sprintf("the value %d of key %d was handed out", x, k)
		}
	}
	return ""
}

// atRest: everybody is done, and no operation is left behind.
func (m *Machine) atRest(s *State) bool {
	return m.AllDone(s) && m.each(func(a addr) string {
		if s.at0(a).held() || s.at1(a).Z == 1 {
			return "left"
		}
		return ""
	}) == ""
}

// conserved: nothing is lost without a trace. At the end each value that was there at first is in one
// cell, or was handed to somebody.
func conserved(m *Machine, s *State) string {
	if !m.atRest(s) {
		return ""
	}
	var times [256]int
	m.each(func(a addr) string {
		times[s.at1(a).V]++
		return ""
	})
	for _, x := range m.values {
		if n := times[x] + m.Freed(s, x); n > 1 {
			return fmt.Sprintf("the value %d is in %d cells and was handed out %d times", x,
				times[x], m.Freed(s, x))
		}
	}
	for k, x := range m.initial {
		if x != 0 && times[x]+m.Freed(s, x) != 1 {
			return fmt.Sprintf("the value %d, that key %d had at first, is nowhere", x, k)
		}
	}
	return ""
}

// nothingLost: where each delete is followed by a crop, no lost cell stays.
func nothingLost(m *Machine, s *State) string {
	if !m.cropped || s.dead != 0 || !m.AllDone(s) {
		return ""
	}
	return m.each(func(a addr) string {
		if w := s.at0(a); w.hasKey() && w.K == Lost {
			return fmt.Sprintf("all is done, and cell %v is %v", a, w)
		}
		return ""
	})
}
