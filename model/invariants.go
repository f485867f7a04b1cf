package model

import "fmt"

// invariant is one safety property of a state: it returns "" or what is wrong, in words.
type invariant struct {
	name  string
	check func(m *Machine, s *State) string
}

var invariants = []invariant{
	{"TypeOK", typeOK},
	{"I1NoEmptyKey", noEmptyKey},
	{"I2EmptyWord", emptyWord},
	{"I3RefsLive", refsLive},
	{"I4FrozenIsHeld", frozenIsHeld},
	{"I5MembersOwned", membersOwned},
	{"I6MapsExact", mapsExact},
	{"I7InItsBucket", inItsBucket},
	{"I8KeysUnique", keysUnique},
	{"I9MemoryIsMap", memoryIsMap},
	{"I10NothingLeft", nothingLeft},
	{"I11HeldOnce", heldOnce},
	{"I12ResultsAllowed", resultsAllowed},
}

// InvariantNames returns the names of the state properties, in growing strength, as in the
// specification.
func InvariantNames() []string {
	var names []string
	for _, x := range invariants {
		names = append(names, x.name)
	}
	return names
}

// Check returns every violated state property as "name: detail", nil if there is none.
func (m *Machine) Check(s *State) []string {
	var bad []string
	if m.unchecked {
		return nil
	}
	for i := range invariants {
		if detail := invariants[i].check(m, s); detail != "" {
			bad = append(bad, invariants[i].name+": "+detail)
		}
	}
	return bad
}

func (s *State) at0(a addr) *Word0 { return &s.w0[a.h][a.c] }
func (s *State) at1(a addr) *Word1 { return &s.w1[a.h][a.c] }

func (a addr) String() string { return fmt.Sprintf("<%d,%d>", a.h, a.c) }

// each calls f for every cell until it returns a complaint.
func (m *Machine) each(f func(a addr) string) string {
	for h := uint8(0); h < Halves; h++ {
		for c := uint8(0); c < m.n; c++ {
			if complaint := f(addr{h, c}); complaint != "" {
				return complaint
			}
		}
	}
	return ""
}

// The specification's numbers have no end, a byte has. A program that gets there is a finding, not
// a state to go on from.
const (
	lastVersion = 250
	tooLong     = "the program is too long for this representation, or it never ends"
)

func typeOK(m *Machine, s *State) string {
	if complaint := m.each(func(a addr) string {
		w := s.at1(a)
		if w.N >= lastVersion {
			return fmt.Sprintf("cell %v is %v: %s", a, w, tooLong)
		}
		if m.bits[w.V] == 0 || w.Z > 1 || s.at0(a).F > Member {
			return fmt.Sprintf("cell %v is %v %v", a, s.at0(a), w)
		}
		return ""
	}); complaint != "" {
		return complaint
	}
	for t := 0; t < m.actors; t++ {
		if g := s.desc[t].Head.Gen; g >= lastVersion {
			return fmt.Sprintf("desc[%d].head.gen is %d: %s", t+1, g, tooLong)
		}
		if st := s.desc[t].Target.St; st > Full {
			return fmt.Sprintf("desc[%d].target.st is %v", t+1, st)
		}
		if i := s.loc[t].i; i < 1 || i > s.length[t]+1 {
			return fmt.Sprintf("loc[%d].i is %d", t+1, i)
		}
	}
	if s.dead>>m.actors != 0 {
		return fmt.Sprintf("dead is %b", s.dead)
	}
	return ""
}

func noEmptyKey(m *Machine, s *State) string {
	return m.each(func(a addr) string {
		if w := s.at0(a); w.F >= Base && w.K == 0 {
			return fmt.Sprintf("cell %v is %v", a, w)
		}
		return ""
	})
}

func emptyWord(m *Machine, s *State) string {
	return m.each(func(a addr) string {
		if w := s.at0(a); w.F == Empty && *s.at1(a) != (Word1{N: w.G}) {
			return fmt.Sprintf("cell %v is %v with %v", a, w, s.at1(a))
		}
		return ""
	})
}

// descOf is the descriptor that a held cell refers to; an empty one if it refers to nobody's.
func (m *Machine) descOf(w *Word0, s *State) Desc {
	if w.R.D == 0 || int(w.R.D) > m.actors {
		return Desc{}
	}
	return s.desc[w.R.D-1]
}

func refsLive(m *Machine, s *State) string {
	return m.each(func(a addr) string {
		w := s.at0(a)
		if !w.held() {
			return ""
		}
		d := m.descOf(w, s)
		if d.Head.Gen != w.R.G {
			return fmt.Sprintf("cell %v is %v, the descriptor has %v", a, w, d.Head)
		}
		isHome := a == addr{d.Head.H, d.Head.Home}
		isHole := w.F == Claimed && d.Target.C != 0 &&
			a == m.at(d.Head.H, d.Head.Home, d.Target.C)
		if !isHome && !isHole {
			return fmt.Sprintf("cell %v is %v, neither home nor hole of %v, %v",
				a, w, d.Head, d.Target)
		}
		return ""
	})
}

func frozenIsHeld(m *Machine, s *State) string {
	return m.each(func(a addr) string {
		if s.at1(a).Z == 1 && s.at0(a).F != InWork {
			return fmt.Sprintf("cell %v is %v with %v", a, s.at0(a), s.at1(a))
		}
		return ""
	})
}

// offsets are the offsets that belong to the base at a, in operation or not.
func (m *Machine) offsets(s *State, a addr) Offsets {
	w := s.at0(a)
	if w.F == Base {
		return w.M
	}
	d := m.descOf(w, s)
	if d.Target.C != 0 {
		return d.Plan.M.With(d.Target.C)
	}
	return d.Plan.M
}

// baseOf is the cell whose member would stand at a with distance p.
func (m *Machine) baseOf(a addr, p uint8) addr { return addr{a.h, (a.c + m.n - p) % m.n} }

func membersOwned(m *Machine, s *State) string {
	return m.each(func(a addr) string {
		w := s.at0(a)
		if w.F != Member {
			return ""
		}
		b := m.baseOf(a, w.P)
		if !s.at0(b).is(Base, InWork) || !m.offsets(s, b).Has(w.P) {
			return fmt.Sprintf("cell %v is %v, %v does not name it: %v", a, w, b, s.at0(b))
		}
		return ""
	})
}

func mapsExact(m *Machine, s *State) string {
	return m.each(func(a addr) string {
		w := s.at0(a)
		if w.F != Base {
			return ""
		}
		for o := uint8(0); o < MaxCells; o++ {
			c := m.at(a.h, a.c, o)
			if x := s.at0(c); w.M.Has(o) && (x.F != Member || x.P != o) {
				return fmt.Sprintf("cell %v is %v, %v is %v", a, w, c, x)
			}
		}
		return ""
	})
}

func inItsBucket(m *Machine, s *State) string {
	return m.each(func(a addr) string {
		w := s.at0(a)
		if w.F < Base || w.K > MaxKeys {
			return ""
		}
		home := m.home(a.h, w.K)
		if w.is(Base, InWork) && home != a || w.F == Member && m.at(a.h, home.c, w.P) != a {
			return fmt.Sprintf("cell %v is %v, the key's home is %v", a, w, home)
		}
		return ""
	})
}

// site reports whether a reader can see key k at a at this instant. While a base is in operation
// its displaced element is copied: until the flip the base has it, and the copy does not count.
func (m *Machine) site(s *State, a addr, k uint8) bool {
	w := s.at0(a)
	if w.F < Base || w.K != k {
		return false
	}
	if w.F != Member {
		return true
	}
	b := s.at0(m.baseOf(a, w.P))
	return b.F != InWork || b.K != k
}

func (m *Machine) valueAt(s *State, a addr, k uint8) uint8 {
	w := s.at0(a)
	if w.F == InWork && s.at1(a).Z == 1 {
		if d := m.descOf(w, s); d.Pair.K == k {
			return d.Pair.V
		}
	}
	return s.at1(a).V
}

func keysUnique(m *Machine, s *State) string {
	for _, k := range m.keys {
		var first addr
		sites := 0
		if complaint := m.each(func(a addr) string {
			if !m.site(s, a, k) {
				return ""
			}
			if sites++; sites > 1 {
				return fmt.Sprintf("key %d is in %v and in %v", k, first, a)
			}
			first = a
			return ""
		}); complaint != "" {
			return complaint
		}
	}
	return ""
}

func memoryIsMap(m *Machine, s *State) string {
	for _, k := range m.keys {
		want := s.contents[k]
		anywhere, right := false, false
		m.each(func(a addr) string {
			if m.site(s, a, k) {
				anywhere = true
				right = right || m.valueAt(s, a, k) == want
			}
			return ""
		})
		switch {
		case want == 0 && anywhere:
			return fmt.Sprintf("key %d is in memory, not in the map", k)
		case want != 0 && !right:
			return fmt.Sprintf("the map has %d=%d, memory does not", k, want)
		}
	}
	return ""
}

func nothingLeft(m *Machine, s *State) string {
	if !m.AllDone(s) {
		return ""
	}
	return m.each(func(a addr) string {
		w := s.at0(a)
		if !w.held() && s.at1(a).Z == 0 {
			return ""
		}
		if !w.held() || !s.Dead(int(w.R.D)) {
			return fmt.Sprintf("all is done, and cell %v is %v with %v", a, w, s.at1(a))
		}
		return ""
	})
}

func heldOnce(m *Machine, s *State) string {
	for t := 1; t <= m.actors; t++ {
		held := 0
		m.each(func(a addr) string {
			if w := s.at0(a); w.held() && int(w.R.D) == t {
				held++
			}
			return ""
		})
		if held > 2 {
			return fmt.Sprintf("descriptor %d holds %d cells", t, held)
		}
	}
	return ""
}

func resultsAllowed(m *Machine, s *State) string {
	for t := 1; t <= m.actors; t++ {
		l := &s.loc[t-1]
		if l.pc != ClientReturn {
			continue
		}
		if r := (Out{l.p.t.St, l.p.t.C}); !m.allowed(s, t, r) {
			return fmt.Sprintf("%v of actor %d is about to return %v; its key has had %v%s",
				s.busy[t-1], t, r, m.valueSet(s.seen[t-1]), effectWords(s, t))
		}
	}
	return ""
}

func effectWords(s *State, t int) string {
	if s.done&bit(t) != 0 {
		return ", its add has taken effect"
	}
	return ", no add of its own has taken effect"
}

// The properties of a step.
const (
	P1VersionsGrow    = "P1VersionsGrow"
	P2GenerationsGrow = "P2GenerationsGrow"
	RefinesMap        = "RefinesMap"
)

// CheckStep returns every property of a step that the step from prev to next violates, as
// "name: detail". Action and actor are only named.
func (m *Machine) CheckStep(prev, next *State, action string, actor int) []string {
	var bad []string
	if m.unchecked {
		return nil
	}
	no := func(name, detail string) {
		bad = append(bad, fmt.Sprintf("%s: %s of actor %d: %s", name, action, actor, detail))
	}
	if prev.w1 != next.w1 {
		if detail := m.each(func(a addr) string {
			old, now := prev.at1(a), next.at1(a)
			if *old == *now || now.N > old.N || now.N == old.N && old.Z == 0 && now.Z == 1 {
				return ""
			}
			return fmt.Sprintf("cell %v: %v -> %v", a, old, now)
		}); detail != "" {
			no(P1VersionsGrow, detail)
		}
	}
	if prev.w0 != next.w0 {
		if detail := m.each(func(a addr) string {
			old, now := prev.at0(a), next.at0(a)
			if *old == *now || now.F != Empty ||
				old.F == Claimed && prev.at1(a).N == now.G {
				return ""
			}
			return fmt.Sprintf("cell %v: %v -> %v over %v", a, old, now, prev.at1(a))
		}); detail != "" {
			no(P2GenerationsGrow, detail)
		}
	}
	if detail := m.refines(prev, next); detail != "" {
		no(RefinesMap, detail)
	}
	return bad
}
