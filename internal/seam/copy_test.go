package seam_test

import (
	"bytes"
	"testing"

	"github.com/samecycle/samecycle/internal/seam"
)

// TestCopies_AreThoseOfBytes: at each place and of each length they take, write and compare the bytes that a
// copy of plain memory would, and no others.
func TestCopies_AreThoseOfBytes(t *testing.T) {
	const size = 32
	for at := range size {
		for n := range size - at + 1 {
			words := make([]seam.Uint64, size/8)
			want := bytes.Repeat([]byte{0xEE}, size)
			seam.CopyIn(words, 0, want)
			src := make([]byte, n)
			for i := range src {
				src[i] = byte(i + 1)
			}
			seam.CopyIn(words, at, src)
			copy(want[at:], src)
			all, some := make([]byte, size), make([]byte, n)
			seam.CopyOut(all, words, 0)
			seam.CopyOut(some, words, at)
			if !bytes.Equal(all, want) || !bytes.Equal(some, src) {
				t.Fatalf("%d bytes at %d: the words are %x, want %x; read back %x", n, at, all, want, some)
			}
			if !seam.Matches(words, at, src) {
				t.Fatalf("%d bytes at %d do not match themselves", n, at)
			}
			for i := range src {
				if src[i] ^= 0x80; seam.Matches(words, at, src) {
					t.Fatalf("%d bytes at %d match others, which differ in byte %d", n, at, i)
				}
				src[i] ^= 0x80
			}
		}
	}
}
