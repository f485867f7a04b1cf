//go:build !(386 || arm)

package region

import (
	"testing"

	"golang.org/x/sys/unix"
)

// large is a region of more bytes than 32 bits count, without memory behind it.
func large(t *testing.T) *Region {
	t.Helper()
	l := Layout{CellsPerHalf: 1<<27 + 7, Window: 32, Descriptors: 5}.complete()
	memory, err := unix.Mmap(-1, 0, int(l.Size()), unix.PROT_NONE,
		unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	r := &Region{layout: l, fd: noFile}
	r.adopt(memory)
	return r
}

// TestSection_OfALargeRegion: what comes after the cells is where the header says, not 4 GiB before.
func TestSection_OfALargeRegion(t *testing.T) {
	r := large(t)
	for s := range sectionCount {
		words, err := r.Section(s)
		if err != nil || len(words) == 0 {
			t.Fatalf("%v: %d words, %v", s, len(words), err)
		}
		if want := &r.words[r.layout.Offset(s)/WordBytes]; &words[0] != want {
			t.Errorf("%v begins at %p, want %p", s, &words[0], want)
		}
	}
	words, err := r.Section(SectionBell)
	if err != nil || r.bell() != &words[0] {
		t.Errorf("the bell is at %p, want %p, %v", r.bell(), &words[0], err)
	}
}

// TestCellWord_OfTheLargestTables: the words before a cell are more than 32 bits count.
func TestCellWord_OfTheLargestTables(t *testing.T) {
	for half := range uint32(2) {
		for _, cell := range []uint32{1<<29 - 1, 1 << 29, 1<<30 + 3, 1<<32 - 1} {
			got := uint64(CellWord(half, cell))
			if want := 4*uint64(cell) + 2*uint64(half); got != want {
				t.Errorf("cell %d.%d has the word %d, want %d", half, cell, got, want)
			}
		}
	}
}
