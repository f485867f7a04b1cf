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
	{"I13HandedOnce", handedOnce},
	{"I14Conserved", conserved},
	{"I15NothingLost", nothingLost},
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
	for i := range m.checked {
		if detail := m.checked[i].check(m, s); detail != "" {
			bad = append(bad, m.checked[i].name+": "+detail)
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
		if m.bits[w.V] == 0 || w.Z > 1 || s.at0(a).F > Marked {
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
		if w := s.at0(a); w.hasKey() && w.K == 0 {
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
		isHole := d.Target.C != 0 && a == m.at(d.Head.H, d.Head.Home, d.Target.C)
		isSource := d.Head.Kind.ofMember() && a == m.at(d.Head.H, d.Head.Home, d.Source.C)
		ok := false
		switch w.F {
		case InWork:
			ok = isHome
		case Marked:
			ok = isSource
		case Claimed:
			ok = isHole || isHome && d.Head.Kind == KindNew
		}
		if !ok {
			return fmt.Sprintf("cell %v is %v, and has nothing to do with %v, %v, %v",
				a, w, d.Head, d.Source, d.Target)
		}
		return ""
	})
}

func frozenIsHeld(m *Machine, s *State) string {
	return m.each(func(a addr) string {
		if s.at1(a).Z == 1 && !s.at0(a).is(InWork, Marked) {
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

// current are the offsets where the base's members are at this instant: a copy does not count before
// the base is flipped, nor the place that a member has left.
func (m *Machine) current(s *State, a addr) Offsets {
	w := s.at0(a)
	if w.F == Base {
		return w.M
	}
	d := m.descOf(w, s)
	left := false
	switch d.Head.Kind {
	case KindAdd:
		if w.K != d.Plan.K {
			return m.offsets(s, a)
		}
	case KindMove, KindDrop:
		left = d.Target.St == Committed && s.at1(a).N != d.Expect.N
	case KindLift:
		left = w.K != d.Plan.K
	}
	if left {
		rest := d.Plan.M.Without(d.Source.C)
		if d.Target.C != 0 {
			rest = rest.With(d.Target.C)
		}
		return rest
	}
	return d.Plan.M
}

// baseOf is the base of the member at a.
func (m *Machine) baseOf(s *State, a addr) addr {
	w := s.at0(a)
	if w.F == Member {
		return m.below(a, w.P)
	}
	d := m.descOf(w, s)
	return addr{d.Head.H, d.Head.Home}
}

func membersOwned(m *Machine, s *State) string {
	return m.each(func(a addr) string {
		w := s.at0(a)
		if !w.is(Member, Marked) {
			return ""
		}
		b := m.baseOf(s, a)
		if b.c == noCell {
			return fmt.Sprintf("cell %v is %v, of no base", a, w)
		}
		x, o := s.at0(b), m.offsetOf(a, b)
		if o == 0 || o >= m.w {
			return fmt.Sprintf("cell %v is %v, beyond the window of %v", a, w, b)
		}
		if !x.is(Base, InWork) || !m.offsets(s, b).Has(o) {
			return fmt.Sprintf("cell %v is %v, %v does not name it: %v", a, w, b, x)
		}
		if w.F == Marked && (x.F != InWork || x.R != w.R) {
			return fmt.Sprintf("cell %v is %v, its base %v is %v", a, w, b, x)
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
		for left := w.M; left != 0; left = left.Without(left.least()) {
			o := left.least()
			c := m.at(a.h, a.c, o)
			if x := s.at0(c); x.F != Member || x.P != o {
				return fmt.Sprintf("cell %v is %v, %v is %v", a, w, c, x)
			}
		}
		return ""
	})
}

func inItsBucket(m *Machine, s *State) string {
	return m.each(func(a addr) string {
		w := s.at0(a)
		if !w.hasKey() || w.K > MaxKeys {
			return ""
		}
		home := m.home(a.h, w.K)
		if w.is(Base, InWork) && home != a || w.is(Member, Marked) && home != m.baseOf(s, a) {
			return fmt.Sprintf("cell %v is %v, the key's home is %v", a, w, home)
		}
		return ""
	})
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
		held, bases := 0, 0
		m.each(func(a addr) string {
			if w := s.at0(a); w.held() && int(w.R.D) == t {
				if held++; w.F == InWork {
					bases++
				}
			}
			return ""
		})
		if held > 3 || bases > 1 {
			return fmt.Sprintf("descriptor %d holds %d cells, %d bases among them", t, held, bases)
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
		return ", it has taken effect"
	}
	return ", it has not taken effect"
}
