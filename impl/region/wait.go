package region

import "github.com/samecycle/samecycle/internal/seam"

// Waiting. The table never waits: no actor waits for the operation of another. An actor without work may
// sleep until another one changes a word. A process that opens a region which is being made may sleep until
// it is finished.
//
// A region is input of unknown origin, and its writers may die or be stopped at any instruction. So a word
// decides only how soon a sleep ends, and never whether it ends: the caller sets a bound for each sleep. If a
// waker dies between its store and its call, or if somebody restores the old word, the sleep lasts at most
// until that bound.
//
// Measured, from a store to the answer to it and back (BenchmarkAwait): 4 us by the system's sleep, 2.5 ms by
// looking again and again.

// Await sleeps until the low half of the word differs from seen, or until bound has passed. It reports
// whether the word differs. At the bound it looks once more, so it also notices a change without a Wake.
//
// In a region that several processes may map, the sleep is that of its System (a futex), and ends when
// another process calls Wake. On the heap, and on systems without futexes, Await looks at the word after
// pauses of 1 ms to 16 ms.
//
// Progress: it blocks for no longer than bound and what the scheduler adds; with a bound of 0 or less it is
// one load.
func (r *Region) Await(w *seam.Uint64, seen uint32, bound seam.Duration) bool {
	mustBeWord(w)
	if s := r.locks(); s != nil {
		return seam.Await(w, seen, bound, s.Sleep)
	}
	return seam.Await(w, seen, bound, nil)
}

// Wake ends all sleeps that wait for a change of the word. The caller changes the word first. On the heap,
// and on systems without futexes, it does nothing. It writes nothing. Progress: wait-free, with at most one
// system call.
func (r *Region) Wake(w *seam.Uint64) {
	mustBeWord(w)
	if s := r.locks(); s != nil && !seam.Exploring() {
		s.Wake(seam.LowHalf(w))
	}
}

func mustBeWord(w *seam.Uint64) {
	if w == nil {
		panic("region: the word to wait for is nil: give one of the region")
	}
}
