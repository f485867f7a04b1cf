// Package chance has the part that the shims of the random packages share: the source from which the
// functions of such a package draw inside an exploration.
package chance

import (
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// Seed is the seed of the source in each execution.
const Seed = 1

// A Source draws the same numbers in each execution, by a generator of type R that New makes.
type Source[R any] struct {
	New   func() R
	rand  R
	draws uint64
	epoch uint64 // the execution to which rand belongs, plus one
}

// Draw calls f with the source; outside explorations it calls original. A draw is a step on the source: in
// every order, the actor that draws first gets the first number.
func Draw[R, T any](s *Source[R], original func() T, f func(R) T) T {
	h := hook.Active
	if h == nil {
		return original()
	}
	p := unsafe.Pointer(s)
	h.Before(hook.Runtime, p)
	if now := hook.Epoch + 1; s.epoch != now {
		s.epoch, s.draws, s.rand = now, 0, s.New()
	}
	v := f(s.rand)
	s.draws++
	h.After(hook.Runtime, p, s.draws-1, s.draws, true)
	return v
}

// A Swap is one exchange of a shuffle.
type Swap struct{ I, J int }

// Swaps returns the exchanges that a shuffle of n elements makes.
func Swaps(n int, shuffle func(int, func(i, j int))) (all []Swap) {
	shuffle(n, func(i, j int) { all = append(all, Swap{i, j}) })
	return all
}
