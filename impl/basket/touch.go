package basket

import (
	"math/bits"

	"github.com/samecycle/samecycle/internal/seam"
)

// Recency is a bit for each unit of records, in a section of its own. A record has the bits of its first
// three units, and each use sets the lowest one that is not set yet. So the bits count its uses, up to
// three. A late mark, set after the basket has its next life, marks another record as used, and does no
// other harm. A mark may be lost.
//
// If a policy lets a record stay, it may give the record uses, which are set from the highest bit down. So
// unless all three bits are set, given uses can be told from later ones.
//
// The marks of a record are in one word. So a record that begins at one of the last two units of a word has
// the last three bits, and a record of three or four units in front of it may share some of them. The third
// mark of a record of two units, whose key and value are empty, is also the first mark of the record behind
// it.

// touchedInWord is the number of units that have their marks in one word. touchedMost is the largest number
// of uses that is counted.
const (
	touchedInWord = 8 * touchedBytes / UnitBytes
	touchedMost   = 3
)

// touchOf returns the word with the marks of the record at that unit, and which of its bits they are.
func touchOf(unit uint32) (word, shift uint32, marks uint64) {
	shift = min(unit%touchedInWord, touchedInWord-touchedMost)
	return unit / touchedInWord, shift, (1<<touchedMost - 1) << shift
}

// touched counts a use of the record at that unit, if fewer than three are counted.
func (s *Store) touched(unit uint32) {
	word, _, marks := touchOf(unit)
	if left := marks &^ s.touchRead(word); left != 0 {
		s.touchMark(word, left&-left)
	}
}

// marks are the bits of a record; the lowest bit is that of its first unit.
type marks uint8

// given returns the marks of a record that is given so many uses, 0 to 3.
func given(uses int) marks { return allMarks &^ (allMarks >> uses) }

const allMarks marks = 1<<touchedMost - 1

// uses is the number of marks.
func (m marks) uses() int { return bits.OnesCount8(uint8(m)) }

// given is how many of the uses were given to the record, as far as the marks show: 0 if all three are set.
func (m marks) given() int {
	switch m {
	case 0b100, 0b101:
		return 1
	case 0b110:
		return 2
	}
	return 0
}

// touches returns the marks of the record at that unit.
func (s *Store) touches(unit uint32) marks {
	word, shift, _ := touchOf(unit)
	return marks(s.touchRead(word)>>shift) & allMarks
}

// touchAs sets exactly these marks for the record at that unit, and clears those of an earlier life.
func (s *Store) touchAs(unit uint32, m marks) {
	word, shift, marks := touchOf(unit)
	has, wants := s.touchRead(word)&marks, uint64(m)<<shift
	if old := has &^ wants; old != 0 {
		s.touchClear(word, old)
	}
	if more := wants &^ has; more != 0 {
		s.touchMark(word, more)
	}
}

// forget clears the marks of all records of a basket. These are whole words or a part of one word, because
// the units of a basket are a power of two. Marks that are set during the call may be lost.
func (s *Store) forget(b uint32) {
	units := uint64(s.units)
	from, n := uint64(b)*units, min(units, touchedInWord)
	for unit := from; unit < from+units; unit += n {
		mask := (uint64(1)<<(n-1)<<1 - 1) << (unit % touchedInWord)
		if word := uint32(unit / touchedInWord); s.touchRead(word)&mask != 0 {
			s.touchClear(word, mask)
		}
	}
}

// touchRequest requests the word with the marks of a record, before the copy of the record. Without it a get
// would wait for memory a third time when it sets a mark. It is not an access of the protocol, and reads
// nothing.
func (s *Store) touchRequest(ref Ref) {
	if word, _, _ := touchOf(ref.unit()); uint64(word) < uint64(len(s.touch)) {
		seam.Request(&s.touch[word])
	}
}

func (s *Store) touchRead(word uint32) uint64 { return s.touch[word].Load() }

func (s *Store) touchMark(word uint32, mark uint64) { s.touch[word].Or(mark) }

func (s *Store) touchClear(word uint32, mask uint64) { s.touch[word].And(^mask) }
