//go:build explore

package control

import (
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/hook/hooktest"
)

// TestExplored_TuneEnds: a change of a word that another process changes before each swap ends after many
// tries. Tune returns the first change that is not made; those of the words before are made. With one
// interfering swap less, all changes are made.
func TestExplored_TuneEnds(t *testing.T) {
	for _, x := range []struct{ ahead, made, tries int }{
		{1 << 17, 2, 1 << 16},
		{1<<16 - 1, 3, 1 << 16},
	} {
		words := make(region.Words, 2)
		tries := 0
		hook.Active = hooktest.Ahead(func(k hook.Kind, p unsafe.Pointer) {
			if k == hook.CompareAndSwap && p == unsafe.Pointer(&words[1]) {
				if tries++; tries <= x.ahead {
					*(*uint64)(p) += 1 << 32
				}
			}
		}).Scheduler()
		made := Tune(words, []Change{{First(0), 1}, {Second(0), 2}, {First(1), 3}})
		hook.Active = nil
		first, tuned := First(1).Of(words[1].Load())
		if made != x.made || tries != x.tries || words[0].Load() != 1<<63|2<<32|1<<31|1 ||
			tuned != (made == 3) || first != uint64(made-2)*3 {
			t.Errorf("%d swaps in the way: %d made, with %d tries; words %#x and %#x", x.ahead, made, tries,
				words[0].Load(), words[1].Load())
		}
	}
}
