package region

import (
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestClose_WhereAPageIsGone: the entry cannot be withdrawn, which is told; the descriptor, and with it
// the lock, and the mapping are given back all the same.
func TestClose_WhereAPageIsGone(t *testing.T) {
	path, r := mustCreate(t)
	o, err := Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	if n := opened(t, path); n != 2 {
		t.Fatalf("the canary: %d descriptors", n)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]*Region{"creator": r, "opener": o} {
		if err := x.Close(); !errors.Is(err, ErrFault) {
			t.Errorf("%s: %v", name, err)
		}
		if err := x.Close(); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: the second close: %v", name, err)
		}
	}
	if n := opened(t, path); n != 0 {
		t.Errorf("%d descriptors are open still", n)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil || strings.Contains(string(maps), path) {
		t.Errorf("mapped still, or %v", err)
	}
}

// TestClose_OfACallersPageThatIsGone: what the handle gives up is its own lock, and no other one, also where
// its entry cannot be withdrawn.
func TestClose_OfACallersPageThatIsGone(t *testing.T) {
	page := os.Getpagesize()
	pages := (int(small.Size()) + page - 1) / page * page
	m, err := unix.Mmap(-1, 0, pages, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(m) }()
	d, all := &desk{}, [3]*Region{}
	memory := m[:small.Size()]
	for i := range all {
		s := clerk{desk: d, self: i + 1}
		if i == 0 {
			all[i], err = Make(memory, small, s)
		} else {
			all[i], err = Attach(memory, small, s)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mprotect(m, unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{1, 2, 0} {
		want := d.holder
		want[i] = 0
		if err := all[i].Close(); !errors.Is(err, ErrFault) || d.holder != want {
			t.Errorf("handle %d: %v; the locks are of %v, want %v", i, err, d.holder[:3], want[:3])
		}
	}
}
