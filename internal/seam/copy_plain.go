//go:build !explore && !race && amd64

package seam

import "unsafe"

// Copies of bytes that lie in shared words. They are of two kinds. A private copy is made into words that
// nobody else uses yet, and is complete before the next store or compare-and-swap of the same actor. A
// checked copy is made of words that others may be writing: it may be torn, and counts only if an atomic load
// behind it says that nobody could have written.
//
// In this build they are ordinary copies. The processor (amd64) keeps loads in order, and stores in order,
// also those of its string instructions against whatever follows them, and the runtime ends a copy that goes
// around the cache by a fence. The compiler moves no load behind a later atomic one, and no store behind a
// later atomic access. So nothing more is needed, and a copy costs what a copy costs.

// bytesOf are the bytes of the words.
func bytesOf(words []Uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
}

// CopyOut is a checked copy of the len(dst) bytes from byte at of the words on.
func CopyOut(dst []byte, words []Uint64, at int) { copy(dst, bytesOf(words)[at:at+len(dst)]) }

// CopyIn is a private copy of src to the bytes from byte at of the words on.
func CopyIn(words []Uint64, at int, src []byte) { copy(bytesOf(words)[at:at+len(src)], src) }

// Matches reports whether the bytes from byte at of the words on are those of with. It is a checked copy.
func Matches(words []Uint64, at int, with []byte) bool {
	return string(bytesOf(words)[at:at+len(with)]) == string(with)
}
