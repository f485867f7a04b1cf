//go:build explore

package scenarios

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/seam"
)

// TestSeam: in the build with the tag, the seam's words are explored: two actors of three
// additions have 20 orders, a random bit has two values, and a loop that waits with Gosched ends.
func TestSeam(t *testing.T) {
	mem := make([]uint64, 2)
	w := func(i int) *seam.Uint64 { return (*seam.Uint64)(unsafe.Pointer(&mem[i])) }
	run := func(bodies ...func()) explore.Report {
		t.Helper()
		r, err := explore.Explore(explore.Program{
			Name: "seam",
			Start: func(x *explore.Execution) []explore.Actor {
				x.Region(unsafe.Pointer(&mem[0]), 16)
				w(0).Store(0)
				w(1).Store(0)
				var as []explore.Actor
				for _, b := range bodies {
					as = append(as, explore.Actor{Body: b})
				}
				return as
			},
		}, explore.Options{Preemptions: explore.Unbounded})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	add := func() {
		for range 3 {
			w(0).Add(1)
		}
	}
	if r := run(add, add); r.Executions != 20 || r.Failure != nil {
		t.Errorf("%d executions, want C(6,3) = 20 (%v)", r.Executions, r.Err())
	}
	values := map[string]int{}
	if r := run(func() { values[fmt.Sprint(seam.RandomBit(), seam.RandomBit())]++ }); r.Executions != 4 ||
		len(values) != 4 {
		t.Errorf("%d executions with %v, want the 4 pairs of bits", r.Executions, values)
	}
	// The waiter looks 0, 1 or 2 times in vain: at the second Gosched in a row without a
	// change it is set aside.
	r := run(func() {
		for w(1).Load() == 0 {
			seam.Gosched()
		}
	}, func() { w(1).Store(1) })
	if r.Executions != 3 || r.Failure != nil {
		t.Errorf("%d executions, want 3 (%v)", r.Executions, r.Err())
	}
}
