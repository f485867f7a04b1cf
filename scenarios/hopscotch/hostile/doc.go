// Package hostile explores the engine on ground that somebody damages: one more actor, the writer,
// overwrites one word of the region, once.
//
// A region is hostile ground: whoever may write there may write anything. What is promised is that damage is
// an error, and never a fault, a hang, a panic or an access outside of the region. The fuzz targets flip
// bits before a run and beside it; here it is done at each point of the interleaving, to each word that the
// program accesses, with each of a list of values: zeros, ones, a bit, a random word, what the word was
// before its last change, and what looks like a word of its kind (references to each descriptor and to one
// that is not there, of this generation and of its neighbours; members at a wrong distance; maps and holes
// beyond the window; words of another cell; owners who live, have died or never were; states of an entry of
// the process table).
//
// # The judge
//
// Damage is believed where it is possible, so no model follows it, and histories need not be linearizable.
// The judge asks for less:
//
//   - no panic and no fault, and no access to anything but a word of the region
//   - each call ends within a bound of accesses
//   - a call that fails says so by an error of the package, with what to do; and it has met the damage
//   - an add says at once that it met a member at a distance that no window has
//   - a reclaim tells of each descriptor that it found damaged, and takes those back that are sound
//   - a bucket to which no call of the program comes is as it was, and can be read, updated and deleted from
//
// # What is complete
//
// A program of one actor is searched whole by a reduced search: the write is placed before and after each
// access to its word, and where it is in between makes no difference. Programs of two are searched with one
// preemption, which is the write at each point of one call after the other, or of the first call with the
// second one within it; with -large with two. The words that are overwritten are those that the actors
// access without a writer, with two preemptions at most.
package hostile
