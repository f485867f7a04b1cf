package bell

import "github.com/samecycle/samecycle/model/search"

// A Property is a claim of MCBell.tla.
type Property = search.Property[*Machine, State]

// Properties are those of states and of steps that a complete run checks.
func Properties() []Property { return append([]Property(nil), properties...) }

// Witnesses are claims that must be violated.
func Witnesses() []Property { return append([]Property(nil), witnesses...) }

// PropertyByName finds one of either.
func PropertyByName(name string) (Property, bool) {
	return search.PropertyByName(name, properties, witnesses)
}

// What must come about.
const (
	OwedIsDone = "OwedIsDone" // without the bound of any sleep
	AllIsDone  = "AllIsDone"  // with it
)

// LiveByName is what must come about in a machine.
func LiveByName(m *Machine, name string) (*search.Live[State, Action], bool) {
	live := &search.Live[State, Action]{Name: name}
	var left func(s *State) Set
	switch name {
	case OwedIsDone:
		left = func(s *State) Set { return s.Owed }
		live.Fair = func(a Action) bool { return a != CallCrash && a != BellTimeOut }
	case AllIsDone:
		left = func(s *State) Set { return s.Work }
		live.Fair = func(a Action) bool { return a != CallCrash }
	default:
		return nil, false
	}
	for i := range m.places + 1 {
		if i != 0 || m.stopped != 0 {
			live.Bad = append(live.Bad, func(s *State) bool { return left(s).Has(i) && m.serves(s, i) })
		}
	}
	return live, true
}

// serves tells whether somebody is there to do what is owed.
func (m *Machine) serves(s *State, place uint8) bool {
	if place == 0 {
		return !m.gone(s, m.stopped)
	}
	for a := uint8(1); a <= m.actors; a++ {
		if m.services.Has(a) && !m.gone(s, a) {
			return true
		}
	}
	return false
}

// LiveOf is the name of what must come about in a complete run.
func LiveOf(program string) string {
	if program == Bound {
		return AllIsDone
	}
	return OwedIsDone
}

var properties = []Property{
	{Name: "MCTypes", State: types},
	{Name: "B1SleepersAreKnown", State: sleepersAreKnown},
	{Name: "S1RingsAreCounted", Step: ringsAreCounted},
	{Name: "S2RungIsTrue", Step: rungIsTrue},
	{Name: "S3WokenBefore", Step: wokenBefore},
}

var witnesses = []Property{
	{Name: "NobodyRingsWithin", State: nobodyRingsWithin},
	{Name: "NobodyWakesForTheDead", State: nobodyWakesForTheDead},
	{Name: "NobodyIsLate", State: func(_ *Machine, s *State) bool {
		return !s.any(func(l *Local) bool { return l.PC == BellWake && !l.Word.Waking })
	}},
	{Name: "NobodyOversleeps", State: func(_ *Machine, s *State) bool {
		return s.Work == 0 || !s.any(func(l *Local) bool { return l.Over })
	}},
}

func (s *State) any(is func(l *Local) bool) bool {
	for i := range s.Loc {
		if is(&s.Loc[i]) {
			return true
		}
	}
	return false
}

func types(m *Machine, s *State) bool {
	for i := range s.Meant {
		if s.Meant[i]&^s.Work != 0 {
			return false
		}
	}
	return int(s.Bell.N) < m.c.Circle && s.Work < One(m.places+1) && s.Owed&^s.Work == 0 &&
		s.Rang&^m.services == 0
}

// sleepersAreKnown: the next ring is for a service that sleeps, or wakes it, or a living actor is about to
// do so.
func sleepersAreKnown(_ *Machine, s *State) bool {
	return s.Bell.Waking || s.any(func(l *Local) bool { return l.PC == BellWake }) || s.allHear()
}

// allHear: nobody has rung since those who sleep began to listen.
func (s *State) allHear() bool {
	return !s.any(func(l *Local) bool { return l.PC == Asleep && !s.heard(*l) })
}

// ringsAreCounted one by one, and each ends the listening.
func ringsAreCounted(m *Machine, prev, next *State) bool {
	was, is := prev.Bell, next.Bell
	if is.N != was.N {
		return was.Asleep && !is.Asleep && int(is.N) == (int(was.N)+1)%m.c.Circle
	}
	return !was.Asleep || is.Asleep || m.c.Circle == 1
}

// rungIsTrue: who says that somebody has rung tells the truth.
func rungIsTrue(m *Machine, prev, next *State) bool {
	for i := range m.actors {
		if prev.Loc[i].PC == BellLook && next.Loc[i].PC == BellListen && !prev.Rang.Has(i+1) {
			return false
		}
	}
	return true
}

// wokenBefore: that a wake may be missing is forgotten when nobody sleeps any more but who listens since.
func wokenBefore(_ *Machine, prev, next *State) bool {
	return !prev.Bell.Waking || next.Bell.Waking || prev.allHear()
}

func nobodyRingsWithin(m *Machine, s *State) bool {
	for i := range m.actors {
		if s.Rang.Has(i+1) && s.Loc[i].PC == ServiceCrop {
			return false
		}
	}
	return true
}

func nobodyWakesForTheDead(m *Machine, s *State) bool {
	dead := false
	for i := range m.actors {
		dead = dead || m.ringers.Has(i+1) && s.Loc[i].PC == Dead
	}
	return !dead || s.allHear() || !s.any(func(l *Local) bool { return l.PC == BellWake })
}
