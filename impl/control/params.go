package control

import "github.com/samecycle/samecycle/impl/region"

// Field says which bits of a word a live parameter has: 32 or 64 of them, from bit Shift on. Two parameters
// that must be consistent with one another are fields of one word, so one compare-and-swap changes both, and
// one load reads both.
//
//	bits of a field of 64      bits of a field of 32     meaning
//	63                         31                        tuned: somebody has chosen the value
//	62..0                      30..0                     the value
//
// A field that is zero has not been tuned, and its default applies. So a word that a later build adds needs
// no first value.
type Field struct{ Word, Shift, Bits int }

// Alone is a parameter with a word of its own.
func Alone(word int) Field { return Field{word, 0, 64} }

// First is a parameter in the lower half of a word.
func First(word int) Field { return Field{word, 0, 32} }

// Second is a parameter in the upper half of a word.
func Second(word int) Field { return Field{word, 32, 32} }

// tuned is the bit of the field that says that it is tuned.
func (f Field) tuned() uint64 { return 1 << (f.Bits - 1) }

// Most is the largest value that the field can have.
func (f Field) Most() uint64 { return f.tuned() - 1 }

// Of reads the field from a word: its value, and whether it is tuned. If no build can have written the
// field, it may have a value without being tuned.
func (f Field) Of(word uint64) (value uint64, tuned bool) {
	bits := word >> f.Shift
	return bits & f.Most(), bits&f.tuned() != 0
}

// In returns the word with that value, bounded by Most, in the field, which is then tuned.
func (f Field) In(word, value uint64) uint64 {
	return word&^(f.Most()<<f.Shift) | (value|f.tuned())<<f.Shift
}

// Read loads one word of the live parameters: all of its fields as they were at one instant. Progress:
// wait-free.
func Read(words region.Words, word int) uint64 { return paramRead(&words[word]) }

// Change is a new value for a live parameter, at most Field.Most.
type Change struct {
	Field Field
	Value uint64
}

// TriesMost is how often in a row a call of Tune may find that another process has changed the word.
const TriesMost = 1 << 16

// Tune makes the changes, no two of which may be of one field. The changes of one word are made at one
// instant. Words are changed one after the other, in the order in which the changes name them. So a process
// that is killed in the call has made the changes of the first words only.
//
// Tune returns the number of changes. If other processes have changed a word TriesMost times during the
// call, it returns the index of the first change of that word, which is not made; the changes of the words
// before are made. Progress: lock-free.
func Tune(words region.Words, changes []Change) int {
	for i, c := range changes {
		if namedBefore(changes[:i], c.Field.Word) {
			continue
		}
		if !tuneWord(words, changes, c.Field.Word) {
			return i
		}
	}
	return len(changes)
}

// namedBefore reports whether one of these changes is of that word, which means that all changes of the word
// are made already.
func namedBefore(changes []Change, word int) bool {
	for _, c := range changes {
		if c.Field.Word == word {
			return true
		}
	}
	return false
}

// tuneWord makes the changes of one word.
func tuneWord(words region.Words, changes []Change, word int) bool {
	w := &words[word]
	for range TriesMost {
		old := tuneLoad(w)
		changed := old
		for _, c := range changes {
			if c.Field.Word == word {
				changed = c.Field.In(changed, c.Value)
			}
		}
		if tuneSwap(w, old, changed) {
			return true
		}
	}
	return false
}
