package basket

import "github.com/samecycle/samecycle/internal/seam"

// Recency: a byte for each 64 bytes of records, apart from them. So a mark that comes late, when the basket
// has its next life, says that another record was used, and does no other harm. A mark may be lost.

// touchedUnits is how many units share a byte, touchedInWord how many a word.
const (
	touchedUnits  = touchedBytes / UnitBytes
	touchedInWord = 8 * touchedUnits
)

// touchOf is the word, and the shift in it, of the byte of a unit.
func touchOf(unit uint32) (word, shift uint32) {
	return unit / touchedInWord, unit / touchedUnits % 8 * 8
}

// touched marks the record at that unit, if it is not marked yet.
func (s *Store) touched(unit uint32) {
	word, shift := touchOf(unit)
	if s.touchRead(word)>>shift&1 == 0 {
		s.touchMark(word, 1<<shift)
	}
}

// wasTouched reports whether it is marked.
func (s *Store) wasTouched(unit uint32) bool {
	word, shift := touchOf(unit)
	return s.touchRead(word)>>shift&1 != 0
}

// untouch forgets all marks of the record at that unit.
func (s *Store) untouch(unit uint32) {
	word, shift := touchOf(unit)
	if s.touchRead(word)>>shift&0xFF != 0 {
		s.touchClear(word, 0xFF<<shift)
	}
}

// touchRequest asks for the word with the mark of a record, ahead of the copy of the record: else a get waits
// for memory a third time when it marks. It is no access of the protocol, and looks at nothing.
func (s *Store) touchRequest(ref Ref) {
	if word, _ := touchOf(ref.unit()); uint64(word) < uint64(len(s.touch)) {
		seam.Request(&s.touch[word])
	}
}

func (s *Store) touchRead(word uint32) uint64 { return s.touch[word].Load() }

func (s *Store) touchMark(word uint32, mark uint64) { s.touch[word].Or(mark) }

func (s *Store) touchClear(word uint32, mask uint64) { s.touch[word].And(^mask) }
