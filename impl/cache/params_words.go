package cache

import (
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// The words of SectionParams. A parameter is a field of one of them, which its row of the table names. Two
// parameters that must be consistent with one another are fields of one word, so that one compare-and-swap
// changes both, and one load reads both.
//
//	bits of a field of 64      bits of a field of 32     meaning
//	63                         31                        tuned: somebody has chosen the value
//	62..0                      30..0                     the value
//
// A field that is zero has not been tuned, and its default is in force. So a word whose meaning a later build
// adds needs no first value.

// paramsMost is how many words SectionParams has. Those that no row names are spare and stay zero.
const paramsMost = 32

// field is where the bits of a parameter are: from bit shift of a word on, 32 or 64 of them.
type field struct{ word, shift, bits int }

// alone is a parameter with a word of its own; first and second are two that share a word.
func alone(word int) field  { return field{word, 0, 64} }
func first(word int) field  { return field{word, 0, 32} }
func second(word int) field { return field{word, 32, 32} }

// mask has the bits of the field, at the bottom of a word.
func (f field) mask() uint64 { return 1<<(f.bits-1) - 1 | f.tuned() }

// tuned is the bit of the field that says so.
func (f field) tuned() uint64 { return 1 << (f.bits - 1) }

// most is the largest value that the field can have.
func (f field) most() uint64 { return f.tuned() - 1 }

// of is the field of a word: its value, and whether it is tuned. A field that no build can have written has a
// value without being tuned.
func (f field) of(word uint64) (value uint64, tuned bool) {
	bits := word >> f.shift & f.mask()
	return bits & f.most(), bits&f.tuned() != 0
}

// in is the word with that value in the field, which is tuned then.
func (f field) in(word, value uint64) uint64 {
	return word&^(f.mask()<<f.shift) | (value|f.tuned())<<f.shift
}

// paramWord is the word of a field. The section has paramsMost words, which the layout of the region says.
func paramWord(words region.Words, f field) *seam.Uint64 { return &words[f.word] }

// paramRead loads the word of a field.
func paramRead(w *seam.Uint64) uint64 { return w.Load() }

// paramChange changes it. Expected: the word from which the new one was made.
func paramChange(w *seam.Uint64, old, new uint64) bool { return w.CompareAndSwap(old, new) }
