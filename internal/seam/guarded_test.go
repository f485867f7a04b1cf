package seam_test

import (
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

// The normal build pays nothing for the word that stands for guarded memory, and both builds apply a change
// once.
func TestGuarded_AppliesAndHasNoSize(t *testing.T) {
	var g seam.Guarded
	if size := unsafe.Sizeof(g); (size == 0) == seam.Explored {
		t.Errorf("Guarded has %d bytes in a build with Explored = %t", size, seam.Explored)
	}
	applied, digested := 0, 0
	digest := func() uint64 { digested++; return 1 }
	g.Look(digest)
	g.Change(func() { applied++ }, digest)
	if applied != 1 || digested != 0 {
		t.Errorf("outside an exploration the change was applied %d times and the digest taken %d times, "+
			"want 1 and 0", applied, digested)
	}
	seam.Pause() // returns
}
