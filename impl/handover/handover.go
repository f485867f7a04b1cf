// Package handover lets processes that share too few of something hand it over to one another, by one word
// of a region. Who finds none says in the word that one is wanted. Of those who have one, the first that
// looks at the word and takes the wish out of it gives its own one up.
//
//	w := handover.Word{At: &words[7], Most: 10, Clock: milliseconds}
//	w.Want()            // this process finds none, and says so
//	if w.Hear(w.Look()) { // this one has one, and is to give it up
//	}
//
// # Invariants
//
// The specification in spec/tla/control says them in full, in the module Handovers, and the explorer holds
// the code against it, with a death of one process at each step:
//
//	H1  of all who can give one up, one hears of a wish
//	H2  a wish is forgotten when its time is over, so nobody gives one up for who has died before that
//	H3  while a wish holds, it stays as it is until somebody takes it
//
// The word is a hint: it says neither who wants one nor who gives one up, and who still finds none says it
// again. A word that is damaged is forgotten as well: at worst one process gives something up that nobody
// wants, in the last Most milliseconds ahead of the instant that the word names.
package handover

import "github.com/samecycle/samecycle/internal/seam"

// Wish is what the word says: until when something is wanted. Zero says nothing.
//
//	bits    field
//	63..33  zero
//	32      something is wanted
//	31..0   until when that holds, by the clock of the host, in milliseconds modulo 2^32
type Wish uint64

const wishBit = 1 << 32

// MakeWish is a wish that holds for so many milliseconds from now on.
func MakeWish(now, ms uint32) Wish { return wishBit | Wish(now+ms) }

// Holds reports whether something is wanted. A wish that ends more than most milliseconds, at most 2^31-1,
// from now on is one that no process can have written, and wants nothing.
func (w Wish) Holds(now, most uint32) bool {
	left := int32(uint32(w) - now)
	return w&wishBit != 0 && left > 0 && left <= int32(most)
}

// Word is what a process knows of the word of a handover. Any goroutines of any processes may call its
// methods at the same time.
type Word struct {
	At    *seam.Uint64
	Most  uint32        // for how many milliseconds a wish holds
	Clock func() uint32 // of the host, in milliseconds modulo 2^32
}

// Want says that one is wanted, unless somebody has just said so. It reports whether the word has said so at
// some moment of the call. It has not if another process has changed the word meanwhile, so that this one is
// to say it again: who finds that no process gives one up does so anyway.
//
// The clock is read behind the load of the word, so that no wish looks damaged only because somebody has said
// it in between. Progress: wait-free.
func (w *Word) Want() bool {
	seen := wishSee(w.At)
	now := w.wishClock()
	return seen.Holds(now, w.Most) || wishSay(w.At, seen, MakeWish(now, w.Most))
}

// Look is what the word says, for Hear. Progress: wait-free.
func (w *Word) Look() Wish { return wishLook(w.At) }

// Hear reports whether one is wanted, for a process that can give one up and has seen that wish. Of all who
// have seen it only one hears of it, who is to give one up for it. Progress: wait-free.
func (w *Word) Hear(seen Wish) bool {
	return seen != 0 && wishTake(w.At, seen) && seen.Holds(w.wishClock(), w.Most)
}
