package basket

import (
	"math/bits"

	"github.com/samecycle/samecycle/internal/seam"
)

// Recency: a bit for each unit of records, apart from them. A record has the bits of its first three units,
// and each use sets the lowest one that is not set yet. So they count its uses, up to three. A mark that
// comes late, when the basket has its next life, says that another record was used, and does no other harm. A
// mark may be lost.
//
// The uses that a policy gives a record which it lets stay are set from the highest bit down. So until all
// three bits are set they tell what it was given from what it was used since.
//
// The marks of a record lie in one word. So one that begins at one of the last two units of a word has the
// last three bits, of which a record of three or four units in front of it may have some, too. And the third
// mark of a record of two units, whose key and value are empty, is the first one of the record behind it.

// touchedInWord is how many units have their marks in one word, touchedMost how many uses are counted.
const (
	touchedInWord = 8 * touchedBytes / UnitBytes
	touchedMost   = 3
)

// touchOf is the word with the marks of the record at that unit, and which bits of it they are.
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

// marks are the bits of a record, the lowest one that of its first unit.
type marks uint8

// given are the marks of a record that is given so many uses, 0 to 3.
func given(uses int) marks { return allMarks &^ (allMarks >> uses) }

const allMarks marks = 1<<touchedMost - 1

// uses is how many there are.
func (m marks) uses() int { return bits.OnesCount8(uint8(m)) }

// given is how many of them the record was given, as far as they tell: 0 if all three are set.
func (m marks) given() int {
	switch m {
	case 0b100, 0b101:
		return 1
	case 0b110:
		return 2
	}
	return 0
}

// touches are the marks of the record at that unit.
func (s *Store) touches(unit uint32) marks {
	word, shift, _ := touchOf(unit)
	return marks(s.touchRead(word)>>shift) & allMarks
}

// touchAs lets the record at that unit have these marks, and forgets those of an earlier life.
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

// forget clears the marks of all records of a basket. They are whole words, or a part of one, since a basket
// has a power of two of units. Marks that are set meanwhile may be lost.
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

// touchRequest asks for the word with the mark of a record, ahead of the copy of the record: else a get waits
// for memory a third time when it marks. It is no access of the protocol, and looks at nothing.
func (s *Store) touchRequest(ref Ref) {
	if word, _, _ := touchOf(ref.unit()); uint64(word) < uint64(len(s.touch)) {
		seam.Request(&s.touch[word])
	}
}

func (s *Store) touchRead(word uint32) uint64 { return s.touch[word].Load() }

func (s *Store) touchMark(word uint32, mark uint64) { s.touch[word].Or(mark) }

func (s *Store) touchClear(word uint32, mask uint64) { s.touch[word].And(^mask) }
