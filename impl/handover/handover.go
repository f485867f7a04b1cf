// Package handover lets processes that share a scarce resource hand it over to one another, through one word
// of a region. A process that finds no free resource writes the wish for one into the word. Of the processes
// that have one, the first that looks at the word and takes the wish out of it gives up its own.
//
//	w := handover.Word{At: &words[7], Most: 10, Clock: milliseconds}
//	w.Want()            // this process finds none, and says so
//	if w.Hear(w.Look()) { // this one has one, and is to give it up
//	}
//
// # Invariants
//
// The specification in spec/tla/control has them in full, in the module Handovers, and the explorer checks
// the code against it, with a death of one process at each step:
//
//	H1  of all processes that can give one up, one hears of a wish
//	H2  a wish is forgotten when its time is over, so nobody gives one up for a process that died before
//	H3  while a wish holds, it does not change until a process takes it
//
// The word is a hint: it says neither who wants a resource nor who gives one up, and a process that still
// finds none says so again. A damaged word is forgotten as well: at worst one process gives up a resource
// that nobody wants, in the last Most milliseconds before the instant that the word names.
package handover

import "github.com/samecycle/samecycle/internal/seam"

// Wish is the content of the word: until when a resource is wanted. Zero means that none is wanted.
//
//	bits    field
//	63..33  zero
//	32      something is wanted
//	31..0   until when that holds, by the clock of the host, in milliseconds modulo 2^32
type Wish uint64

const wishBit = 1 << 32

// MakeWish is a wish that holds for so many milliseconds from now on.
func MakeWish(now, ms uint32) Wish { return wishBit | Wish(now+ms) }

// Holds reports whether a resource is wanted. If the wish ends more than most milliseconds from now (at most
// 2^31-1), no process can have written it, and it does not hold.
func (w Wish) Holds(now, most uint32) bool {
	left := int32(uint32(w) - now)
	return w&wishBit != 0 && left > 0 && left <= int32(most)
}

// Word is what a process knows of the word of a handover. Any number of goroutines of any processes may call
// its methods at the same time.
type Word struct {
	At    *seam.Uint64
	Most  uint32        // number of milliseconds for which a wish holds
	Clock func() uint32 // of the host, in milliseconds modulo 2^32
}

// Want writes that a resource is wanted, unless another process has just said so. It reports whether the
// word has said so at some moment of the call. The result is false if another process has changed the word
// during the call. Then the caller should call Want again, as it does anyway when no process gives a
// resource up.
//
// The clock is read after the load of the word. Otherwise a wish that is written in between would seem to be
// damaged. Progress: wait-free.
func (w *Word) Want() bool {
	seen := wishSee(w.At)
	now := w.wishClock()
	return seen.Holds(now, w.Most) || wishSay(w.At, seen, MakeWish(now, w.Most))
}

// Look returns the content of the word, for Hear. Progress: wait-free.
func (w *Word) Look() Wish { return wishLook(w.At) }

// Hear is called by a process that can give up a resource and has seen that wish. It reports whether the
// process has to give one up. Of all processes that have seen the wish, only one gets true. Progress:
// wait-free.
func (w *Word) Hear(seen Wish) bool {
	return seen != 0 && wishTake(w.At, seen) && seen.Holds(w.wishClock(), w.Most)
}
