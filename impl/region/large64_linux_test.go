//go:build !(386 || arm)

package region

import (
	"testing"

	"golang.org/x/sys/unix"
)

// large is a region of more bytes than 32 bits count, without memory behind it.
func large(t *testing.T) *Region {
	t.Helper()
	l := toy(1<<27+7, 32, 5, near)
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
	r := &Region{fd: noFile}
	r.settle(l)
	r.adopt(memory)
	return r
}

// TestSection_OfALargeRegion: what comes after the cells is where the header says, not 4 GiB before.
func TestSection_OfALargeRegion(t *testing.T) {
	r := large(t)
	for _, s := range r.spans {
		words, err := r.Section(s.engine, s.name)
		if err != nil || len(words) == 0 {
			t.Fatalf("%s: %d words, %v", s.name, len(words), err)
		}
		if want := &r.words[r.layout.Offset(s.engine, s.name)/WordBytes]; &words[0] != want {
			t.Errorf("%s begins at %p, want %p", s.name, &words[0], want)
		}
	}
	words, err := r.Section(Own, OwnBell)
	if err != nil || r.bell() != &words[0] {
		t.Errorf("the bell is at %p, want %p, %v", r.bell(), &words[0], err)
	}
}
