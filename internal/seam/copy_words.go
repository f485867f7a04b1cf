//go:build explore || race || !amd64

package seam

import "encoding/binary"

// Copies of bytes that lie in shared words. They are of two kinds. A private copy is made into words that
// nobody else uses yet, and is complete before the next store or compare-and-swap of the same actor. A
// checked copy is made of words that others may be writing: it may be torn, and counts only if an atomic load
// behind it says that nobody could have written.
//
// In this build each word is an atomic access. Explored it is a step, so that a copy is torn wherever it can
// be; the race detector wants it; and on other processors than amd64 it keeps the order: loads of sync/atomic
// acquire, so that none of them is behind the check that follows, and stores release, so that none is ahead
// of the compare-and-swap that made the words the caller's own.

// part is where the bytes from byte at of some words on lie in their first word, and how many of n do.
func part(at, n int) (word, from, count int) { return at / 8, at % 8, min(8-at%8, n) }

// CopyOut is a checked copy of the len(dst) bytes from byte at of the words on.
func CopyOut(dst []byte, words []Uint64, at int) {
	for len(dst) > 0 {
		word, from, count := part(at, len(dst))
		var b [8]byte
		binary.NativeEndian.PutUint64(b[:], words[word].Load())
		copy(dst, b[from:from+count])
		dst, at = dst[count:], at+count
	}
}

// CopyIn is a private copy of src to the bytes from byte at of the words on.
func CopyIn(words []Uint64, at int, src []byte) {
	for len(src) > 0 {
		word, from, count := part(at, len(src))
		var b [8]byte
		if count < 8 {
			binary.NativeEndian.PutUint64(b[:], words[word].Load())
		}
		copy(b[from:], src[:count])
		words[word].Store(binary.NativeEndian.Uint64(b[:]))
		src, at = src[count:], at+count
	}
}

// Matches reports whether the bytes from byte at of the words on are those of with. It is a checked copy.
func Matches(words []Uint64, at int, with []byte) bool {
	for len(with) > 0 {
		word, from, count := part(at, len(with))
		var b [8]byte
		binary.NativeEndian.PutUint64(b[:], words[word].Load())
		if string(b[from:from+count]) != string(with[:count]) {
			return false
		}
		with, at = with[count:], at+count
	}
	return true
}
