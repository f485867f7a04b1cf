package quota

import "fmt"

// Only this file knows the meaning of each bit.

// Level is a cell with a level. Zero is an empty bucket.
//
//	bits    field
//	63..0   instant at which the bucket is empty, in nanoseconds of the clock that all processes share
type Level uint64

// at is how full the bucket is at an instant, bounded by most.
func (x Level) at(now, most uint64) uint64 {
	if uint64(x) <= now {
		return 0
	}
	return min(uint64(x)-now, most)
}

// charged is the word after a charge. It is never lower than before, however long ago the caller has read
// the clock, except for a word that no call can have written.
func (x Level) charged(now, cost, most uint64) Level {
	full := Level(now + most)
	if uint64(x) > now+AheadMost {
		return full
	}
	return max(x, min(max(x, Level(now))+Level(cost), full))
}

// Penalty is a cell with a penalty. Zero is no penalty. Of two words the larger one ends later.
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

// End is the instant at which the penalty ends, in nanoseconds.
func (p Penalty) End() uint64 { return uint64(p) &^ offencesMask }

// Offences is the number of offences.
func (p Penalty) Offences() int { return int(p & offencesMask) }

// bounded returns the penalty. A penalty that no call can have made is shortened to the longest possible
// one.
func (p Penalty) bounded(now, longest uint64) Penalty {
	if p.End() > now+AheadMost {
		return MakePenalty(now+longest, p.Offences())
	}
	return p
}

// remembered is the number of offences that still count. One is forgotten each time that the time forget has
// passed since the end.
func (p Penalty) remembered(now, forget uint64) int {
	if p.End() >= now {
		return p.Offences()
	}
	return max(p.Offences()-int(min((now-p.End())/forget, OffencesMax)), 0)
}

// String prints the fields.
func (p Penalty) String() string { return fmt.Sprintf("%d offences until %d", p.Offences(), p.End()) }
