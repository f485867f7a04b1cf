package hostile

import (
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// The writer overwrites one word, once. The word and the value are choices. Each choice is explored, at each
// point of what the other actors do.

// seed is that of the random values.
const seed = 7

// writer makes the choices, and returns the body of the writer. Its access is a special one: the engine has
// none like it.
func (s *Stage) writer() func() {
	n := choose(len(s.targets))
	at, values := s.targets[n], s.nasty[n]
	i := choose(len(values) + 1)
	return func() {
		x, p := hook.Active, unsafe.Pointer(&s.p.Memory[at])
		x.Before(hook.Store, p)
		old, v := s.p.Memory[at], uint64(0)
		if i < len(values) {
			v = values[i]
		} else {
			v = s.before(at)
		}
		s.p.Memory[at] = v
		x.After(hook.Store, p, old, v, true)
		s.x.Mark(v)
	}
}

// before is what the word was one step before its last change.
func (s *Stage) before(at int) uint64 {
	if v, changed := s.was[at]; changed {
		return v
	}
	return s.image[at]
}

// choose is a choice of one of n, of which the explorer gives 64 at a time.
func choose(n int) int {
	const most = 64
	block := 0
	if n > most {
		block = hook.Active.Choose((n + most - 1) / most)
	}
	return block*most + hook.Active.Choose(min(n-block*most, most))
}

// Nasty returns the values that are written to the word at an index, besides the value before its last
// change: values that fit any word, and values that look like a word of its kind; each value once.
func (s *Stage) Nasty(at int) []uint64 {
	r := rand.New(rand.NewPCG(seed, uint64(at)))
	all := []uint64{0, ^uint64(0), r.Uint64(), s.image[at] ^ 1<<r.UintN(64)}
	all = append(all, s.p.Subject.Values(at)...)
	slices.Sort(all)
	return slices.Compact(all)
}
