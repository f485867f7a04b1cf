package basket

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

func (s *Store) touchRead(word uint32) uint64 { return s.touch[word].Load() }

func (s *Store) touchMark(word uint32, mark uint64) { s.touch[word].Or(mark) }

func (s *Store) touchClear(word uint32, mask uint64) { s.touch[word].And(^mask) }
