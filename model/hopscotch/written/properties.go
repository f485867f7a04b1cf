package written

import "fmt"

// Property is an invariant of the specification. Bad returns "" where it holds, else what is wrong.
type Property struct {
	Name string
	Bad  func(m *Machine, s *State) string
}

// Names of what is not an invariant. Evaluation is the verdict where the specification has no value.
const (
	Terminates = "Terminates" // everybody returns and the services come to rest, under weak fairness
	Deadlock   = "Deadlock"   // nobody can move before that
	Evaluation = "Evaluation"
)

// Properties returns the invariants in the order of the specification's configurations.
func Properties() []Property {
	return []Property{
		{"TypeOK", (*Machine).typeOK},
		{"NoPhantom", (*Machine).noPhantom},
		{"NothingMissed", (*Machine).nothingMissed},
		{"OneWinner", (*Machine).oneWinner},
		{"NothingLost", atRest((*Machine).nothingLost)},
		{"NothingBack", atRest((*Machine).nothingBack)},
		{"KeysUnique", atRest((*Machine).keysUnique)},
		{"ValueKept", atRest((*Machine).valueKept)},
		{"Owned", atRest((*Machine).owned)},
		{"TakenExact", atRest((*Machine).takenExact)},
		{"NothingLeft", atRest((*Machine).nothingLeft)},
		{"StashBack", atRest((*Machine).stashBack)},
		{"Reclaimed", atRest((*Machine).reclaimed)},
	}
}

// PropertyByName returns the invariant of that name.
func PropertyByName(name string) (Property, bool) {
	for _, p := range Properties() {
		if p.Name == name {
			return p, true
		}
	}
	return Property{}, false
}

func atRest(bad func(m *Machine, s *State) string) func(m *Machine, s *State) string {
	return func(m *Machine, s *State) string {
		if !m.atRest(s) {
			return ""
		}
		return bad(m, s)
	}
}

func (m *Machine) typeOK(s *State) string {
	if all := upTo(1, uint8(m.p.Records)); s.free&^all != 0 {
		return fmt.Sprintf("the records %v are free, there are only %v", s.free, all)
	}
	return ""
}

// returns finds a client that is about to return one of the results, and no history allows it.
func (m *Machine) returns(s *State, wanted func(r uint8) bool) string {
	for t := 1; t <= m.clients; t++ {
		l := &s.l[t-1]
		if l.pc == Return && wanted(l.r) && !m.allowed(s, t) {
			return fmt.Sprintf("client %d: %v = %s", t, m.op(s, t), resultText(l.r))
		}
	}
	return ""
}

func resultText(r uint8) string {
	if r > Deleted {
		return fmt.Sprint(r)
	}
	return [...]string{"nothing", "absent", "added", "updated", "deleted"}[r]
}

func (m *Machine) noPhantom(s *State) string {
	return m.returns(s, func(r uint8) bool { return r > Deleted })
}

func (m *Machine) nothingMissed(s *State) string {
	return m.returns(s, func(r uint8) bool { return r == Absent })
}

func (m *Machine) oneWinner(s *State) string {
	return m.returns(s, func(r uint8) bool { return r == Updated || r == Deleted })
}

// membersOf is the map of the base's members, in the cell or in the stash.
func (m *Machine) membersOf(s *State, b uint8) Set {
	switch w := s.c[b]; w.F {
	case Base:
		return w.M
	case BaseOp:
		return s.st[w.S].Real
	}
	return 0
}

// places are the cells where a search would find the key.
func (m *Machine) places(s *State, k uint8) []uint8 {
	var list []uint8
	for b := m.home[k]; b < m.cells; b += m.n {
		if s.c[b].isBase() && s.c[b].K == k {
			list = append(list, b)
		}
		for _, o := range m.membersOf(s, b).Without(0).list() {
			if a := m.up(b, o); s.c[a].isMember() && s.c[a].K == k {
				list = append(list, a)
			}
		}
	}
	return list
}

// valueMayBe reports whether some history leaves the key with such a value.
func valueMayBe(s *State, k uint8, ok func(v uint8) bool) bool {
	for _, y := range s.of(k) {
		if ok(y.v) {
			return true
		}
	}
	return false
}

func (m *Machine) nothingLost(s *State) string {
	for _, k := range m.keys {
		if len(m.places(s, k)) == 0 && !valueMayBe(s, k, func(v uint8) bool { return v == None }) {
			return fmt.Sprintf("key %d is in no cell that a search finds", k)
		}
	}
	return ""
}

func (m *Machine) nothingBack(s *State) string {
	for _, k := range m.keys {
		at := m.places(s, k)
		if len(at) > 0 && !valueMayBe(s, k, func(v uint8) bool { return v != None }) {
			return fmt.Sprintf("key %d is gone, and stands in the cells %v", k, at)
		}
	}
	return ""
}

func (m *Machine) valueKept(s *State) string {
	for _, k := range m.keys {
		for _, a := range m.places(s, k) {
			stored := s.tv[a].V
			if valueMayBe(s, k, func(v uint8) bool { return v != None }) &&
				!valueMayBe(s, k, func(v uint8) bool { return v == stored }) {
				return fmt.Sprintf("key %d has the value %d in cell %d", k, stored, a)
			}
		}
	}
	return ""
}

func (m *Machine) keysUnique(s *State) string {
	for _, k := range m.keys {
		var at []uint8
		for a := uint8(0); a < m.cells; a++ {
			if s.c[a].K == k {
				at = append(at, a)
			}
		}
		if len(at) > 1 {
			return fmt.Sprintf("key %d stands in the cells %v", k, at)
		}
	}
	return ""
}

// owned: every occupied cell belongs to somebody, who names it.
func (m *Machine) owned(s *State) string {
	for a := uint8(0); a < m.cells; a++ {
		w := s.c[a]
		if w.isMember() && (w.F != Member || !m.membersOf(s, m.down(a, w.O)).Has(w.O)) {
			return fmt.Sprintf("the member in cell %d is in the map of no base", a)
		}
		if !w.isBase() {
			continue
		}
		for _, o := range m.membersOf(s, a).Without(0).list() {
			if y := s.c[m.up(a, o)]; y.F != Member || y.O != o {
				return fmt.Sprintf("base %d has a member at %d, where %v stands", a, o, y)
			}
		}
	}
	return ""
}

// takenExact: taken maps are complete and sound.
func (m *Machine) takenExact(s *State) string {
	for a := uint8(0); a < m.cells; a++ {
		if !s.c[a].isBase() {
			continue
		}
		want := upTo(0, 0)
		for o := uint8(1); o < m.w; o++ {
			if s.c[m.up(a, o)].F != Empty {
				want = want.With(o)
			}
		}
		if y := s.tv[a]; y.F != TakenBy || y.M != want {
			return fmt.Sprintf("base %d has %v, taken are %v", a, y, want)
		}
	}
	return ""
}

// nothingLeft: no operation is left behind.
func (m *Machine) nothingLeft(s *State) string {
	for a := uint8(0); a < m.cells; a++ {
		w := s.c[a]
		if w.F == BaseOp || w.F == MemberOp || w.N != 0 || w.FL != 0 || s.tv[a].F == Stashed {
			return fmt.Sprintf("cell %d: %v, %v", a, w, s.tv[a])
		}
	}
	return ""
}

func (m *Machine) stashBack(s *State) string {
	if all := upTo(1, uint8(m.p.Records)); s.free != all {
		return fmt.Sprintf("the records %v are free, not %v", s.free, all)
	}
	return ""
}

// reclaimed: a cell whose key was deleted is empty in the end.
func (m *Machine) reclaimed(s *State) string {
	for a := uint8(0); a < m.cells; a++ {
		if s.c[a].K == Lost {
			return fmt.Sprintf("cell %d: %v", a, s.c[a])
		}
	}
	return ""
}
