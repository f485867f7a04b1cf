package quota

// Verdict is the judgement of a call on an identity.
type Verdict uint8

const (
	OK      Verdict = iota // within its limits
	Suspect                // it has asked for too much, and has to wait
	Denied                 // the same, with Limits.Deny offences or more; or Take has no room
)

// String is the name in lower case.
func (v Verdict) String() string {
	switch v {
	case OK:
		return "ok"
	case Suspect:
		return "suspect"
	case Denied:
		return "denied"
	}
	return "?"
}

// Ruling is a verdict, with the time to wait and the offences.
type Ruling struct {
	Verdict  Verdict
	Retry    uint64 // nanoseconds after which to ask again; 0 if OK
	Offences int    // offences of the identity; 0 for Take
}

// level is the lowest level of the identity's cells.
func (s *Sketch) level(id, now uint64, l Limits) uint64 {
	low := l.most()
	for row := range Depth {
		low = min(low, s.levelLoad(s.cell(id, row)).at(now, l.most()))
	}
	return low
}

// Level is the number of nanoseconds that the bucket of the identity needs to drain, by the limits, at most
// twice those of a burst. By chance it may be too high: see the package. It writes nothing. Progress:
// wait-free.
func (s *Sketch) Level(id, now uint64, l Limits) uint64 { return s.level(id, now, l) }

// Add charges the identity with so many units (at least 1), and returns the level afterwards, as Level does.
func (s *Sketch) Add(id, now, units uint64, l Limits) uint64 {
	return s.charge(id, now, l.cost(units), l.most())
}

// charge raises each cell of the identity, and returns the lowest level.
func (s *Sketch) charge(id, now, cost, most uint64) uint64 {
	low := most
	for row := range Depth {
		low = min(low, s.chargeCell(s.cell(id, row), now, cost, most))
	}
	return low
}

// chargeCell raises one cell, and returns its level. If others keep changing the cell, it counts as full.
func (s *Sketch) chargeCell(at int, now, cost, most uint64) uint64 {
	for range triesMost {
		old := s.levelLoad(at)
		new := old.charged(now, cost, most)
		if new == old || s.levelSwap(at, old, new) {
			return new.at(now, most)
		}
	}
	return most
}

// Take admits so many units (at least 1) if the bucket has room for them, and then charges the identity.
// Over any time t it admits at most Burst + Rate*t units, besides those of concurrent calls (see the
// package). More than Burst units count as Burst. If there is no room, the identity is Denied, and Retry
// says when there will be room if nobody else asks.
//
// A caller may ask only once for several of its calls, with a sample of them. It then passes their number as
// units. A refused sample is charged for the calls that it stands for, which were admitted without asking,
// but not for itself. So a caller that keeps asking with 1 unit gets what the limits allow.
func (s *Sketch) Take(id, now, units uint64, l Limits) Ruling {
	cost := min(l.cost(units), l.tolerance())
	if s.level(id, now, l)+cost <= l.tolerance() {
		s.charge(id, now, cost, l.most())
		return Ruling{}
	}
	level := s.charge(id, now, l.cost(units-1), l.most())
	return Ruling{Verdict: Denied, Retry: max(level+cost, l.tolerance()+1) - l.tolerance()}
}

// levelLoad loads a level.
func (s *Sketch) levelLoad(at int) Level { return Level(s.words[at].Load()) }

// levelSwap changes a level. LP: of a charge, in its row.
func (s *Sketch) levelSwap(at int, old, new Level) bool {
	return s.words[at].CompareAndSwap(uint64(old), uint64(new))
}
