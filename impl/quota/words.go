package quota

import "fmt"

// This file is the only place that knows which bit means what.

// Level is a cell with a level. Zero is an empty bucket.
//
//	bits    field
//	63..0   instant at which the bucket is empty, in nanoseconds of the clock that all processes share
type Level uint64

// at is how full the bucket is at an instant, at most most.
func (x Level) at(now, most uint64) uint64 {
	if uint64(x) <= now {
		return 0
	}
	return min(uint64(x)-now, most)
}

// charged is the word after a charge. It is never lower, however long ago the caller has read the clock, but
// for a word that nobody can have written.
func (x Level) charged(now, cost, most uint64) Level {
	full := Level(now + most)
	if uint64(x) > now+AheadMost {
		return full
	}
	return max(x, min(max(x, Level(now))+Level(cost), full))
}

// Penalty is a cell with a penalty. Zero is none. Of two words the larger one ends later.
//
//	bits    field
//	63..3   instant at which it ends, in units of 8 nanoseconds of the clock that all processes share
//	2..0    offences
type Penalty uint64

const offencesMask = 7

// MakePenalty packs a penalty. The end is rounded down to a multiple of 8.
func MakePenalty(end uint64, offences int) Penalty {
	return Penalty(end&^offencesMask) | Penalty(min(max(offences, 0), OffencesMax))
}

// End is the instant at which it ends, in nanoseconds.
func (p Penalty) End() uint64 { return uint64(p) &^ offencesMask }

// Offences is how many there were.
func (p Penalty) Offences() int { return int(p & offencesMask) }

// bounded is the penalty, but for one that nobody can have made: that lasts as long as one can.
func (p Penalty) bounded(now, longest uint64) Penalty {
	if p.End() > now+AheadMost {
		return MakePenalty(now+longest, p.Offences())
	}
	return p
}

// remembered is how many offences count still: one is forgotten each time that so long has gone by since the
// end.
func (p Penalty) remembered(now, forget uint64) int {
	if p.End() >= now {
		return p.Offences()
	}
	return max(p.Offences()-int(min((now-p.End())/forget, OffencesMax)), 0)
}

// String prints the fields.
func (p Penalty) String() string { return fmt.Sprintf("%d offences until %d", p.Offences(), p.End()) }
