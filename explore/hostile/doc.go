// Package hostile explores programs on memory that somebody damages: one more actor, the writer, overwrites
// one word of it, once. It knows no engine: what is in the memory, and what its calls promise on damaged
// memory, says a [Subject].
//
// Whoever may write to shared memory may write anything there. What an engine promises is that damage is an
// error, and never a fault, a hang, a panic or an access outside of the memory. Here the damage is done at
// each point of the interleaving, to each word that the program accesses, with each of a list of values.
// The values are zeros, ones, a flipped bit, a random word, the word before its last change, and words that
// the Subject gives because they look like a word of this kind.
//
// # The judge
//
// Damage is believed where it is possible, so no model follows it, and histories need not be linearizable.
// The judge asks for less:
//
//   - no panic and no fault, and no access to anything but a word of the memory
//   - each call ends within a bound of accesses
//   - a call that fails has met the damage, and its error is one of those that the program lists, with what
//     to do
//   - what no call of the program has to do with is left alone, unless it was overwritten itself
//
// The Subject's own judge can ask for more.
//
// # What is complete
//
// A program of one actor is searched whole by a reduced search: the write is placed before and after each
// access to its word, and where it is in between makes no difference. Programs of two are searched with a
// bound on preemptions: with one, the write is at each point of one call after the other, or of the first
// call with the second one within it. The words that are overwritten are those that the actors access
// without a writer, with two preemptions at most.
package hostile
