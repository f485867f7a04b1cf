//go:build explore

package cache

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// TestExplored_CountsOfWhoHasTheLine: while an entry of the process table goes from one process to the next,
// who looks at its line is told what the first one has done, what the second one has, or nothing of it; and
// never a mixture.
func TestExplored_CountsOfWhoHasTheLine(t *testing.T) {
	const did, later = 10, 3
	first, second := region.MakeProcess(0, 1), region.MakeProcess(0, 2)
	var words region.Words
	var wrong error
	did3 := func(n uint64) Counts { return Counts{Hits: n, Misses: n, Sets: n} }
	line := func(p region.Process) *counters { l := new(counters); l.init(words, p); return l }
	begin := func() {
		words, wrong = make([]seam.Uint64, countsLine), nil
		line(region.MakeProcess(0, 0)).store(func() Counts { return did3(100) }) // somebody before
		line(first).store(func() Counts { return did3(did) })
	}
	look := func(p region.Process, all ...uint64) {
		got, ok := (*countsWords)(unsafe.Pointer(&words[0])).since(p)
		for _, n := range []uint64{got.Hits, got.Misses, got.Sets} {
			known := false
			for _, want := range all {
				known = known || n == want
			}
			if ok && !known {
				wrong = fmt.Errorf("of process %v: %+v, want one of %v each", p, got, all)
			}
		}
	}
	err := inOrders(t, begin, func() error {
		look(first)
		look(second, later)
		if s := line(second).before; wrong == nil && s != did3(100+did+later) {
			return fmt.Errorf("the sums are %+v", s)
		}
		return wrong
	}, func() { line(second).store(func() Counts { return did3(later) }) }, func() { look(first, did) },
		func() { look(second, 0, later) })
	if err != nil {
		t.Error(err)
	}
}
