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

// TestExplored_TuneCounts: of changes of a word that another process changes ahead of each swap, none counts
// as made, be it the first or not. The changes of the words before do.
func TestExplored_TuneCounts(t *testing.T) {
	for _, x := range []struct {
		changes []Change
		made    int
	}{
		{[]Change{{Alone(1), 1}}, 0},
		{[]Change{{First(1), 1}, {Second(1), 2}}, 0},
		{[]Change{{Alone(1), 1}, {Alone(0), 2}}, 0},
		{[]Change{{Alone(0), 1}, {Alone(1), 2}, {Alone(2), 3}}, 1},
		{[]Change{{Alone(0), 1}, {Alone(2), 2}, {Alone(1), 3}}, 2},
	} {
		words := make(region.Words, 3)
		hook.Active = hooktest.Ahead(func(k hook.Kind, p unsafe.Pointer) {
			if k == hook.CompareAndSwap && p == unsafe.Pointer(&words[1]) {
				*(*uint64)(p)++
			}
		}).Scheduler()
		made := Tune(words, x.changes)
		hook.Active = nil
		if made != x.made {
			t.Errorf("%+v: %d are made, want %d", x.changes, made, x.made)
		}
		for i, c := range x.changes {
			_, tuned := c.Field.Of(words[c.Field.Word].Load())
			if tuned != (i < x.made) {
				t.Errorf("%+v: change %d is made: %v", x.changes, i, tuned)
			}
		}
	}
}
