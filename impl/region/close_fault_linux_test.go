package region

import (
	"errors"
	"os"
	"strings"
	"testing"
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
