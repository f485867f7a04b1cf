package handover

import "github.com/samecycle/samecycle/internal/seam"

// The steps, by the names of the specification. Each is one access of the word, or a reading of the clock.

// wishSee loads the word, for one who wants something.
func wishSee(at *seam.Uint64) Wish { return Wish(at.Load()) }

// wishClock reads the clock, behind the load of the wish whose end it is to judge.
func (w *Word) wishClock() uint32 { return w.Clock() }

// wishSay says what is wanted. Expected: the word that was found, whose wish does not hold. It fails if
// somebody else has said or forgotten one.
func wishSay(at *seam.Uint64, old, new Wish) bool { return at.CompareAndSwap(uint64(old), uint64(new)) }

// wishLook loads the word, for one who can give something up.
func wishLook(at *seam.Uint64) Wish { return Wish(at.Load()) }

// wishTake takes a wish out of the word. Expected: the wish that was found. It fails if somebody else has
// taken it, or said another one.
func wishTake(at *seam.Uint64, old Wish) bool { return at.CompareAndSwap(uint64(old), 0) }
