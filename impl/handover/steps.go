package handover

import "github.com/samecycle/samecycle/internal/seam"

// This file has the steps, under the names of the specification. Each step is one access of the word, or a
// reading of the clock.

// wishSee loads the word, for a process that wants a resource.
func wishSee(at *seam.Uint64) Wish { return Wish(at.Load()) }

// wishClock reads the clock, after the load of the wish whose end is judged.
func (w *Word) wishClock() uint32 { return w.Clock() }

// wishSay writes a wish. Expected: the word that was found, whose wish does not hold. It fails if another
// process has written a wish or taken it.
func wishSay(at *seam.Uint64, old, new Wish) bool { return at.CompareAndSwap(uint64(old), uint64(new)) }

// wishLook loads the word, for a process that can give up a resource.
func wishLook(at *seam.Uint64) Wish { return Wish(at.Load()) }

// wishTake takes a wish out of the word. Expected: the wish that was found. It fails if another process has
// taken it, or written another one.
func wishTake(at *seam.Uint64, old Wish) bool { return at.CompareAndSwap(uint64(old), 0) }
