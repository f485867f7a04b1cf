package bench

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestOnProcessor: the two parts of a pass run on different processors where there are two, and the thread
// has all of them again afterwards.
func TestOnProcessor(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	allowed := func() (s unix.CPUSet) {
		if err := unix.SchedGetaffinity(0, &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := allowed()
	var on [2]unix.CPUSet
	for who := range on {
		onProcessor(who, func() { on[who] = allowed() })
	}
	if on[0].Count() != 1 || on[1].Count() != 1 || before.Count() > 1 && on[0] == on[1] {
		t.Errorf("the parts ran on %v and on %v", processors(&on[0]), processors(&on[1]))
	}
	if after := allowed(); after != before {
		t.Errorf("afterwards the thread has %v, before %v", processors(&after), processors(&before))
	}
}
