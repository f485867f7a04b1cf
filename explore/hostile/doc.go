// Package hostile explores programs on damaged memory: one more actor, the writer, overwrites one word of
// it, once. The package depends on no engine. A [Subject] says what is in the memory, and what its calls
// promise on damaged memory.
//
// A process that may write to shared memory may write anything there. An engine promises that damage is an
// error, and never a fault, a hang, a panic or an access outside the memory. Here the damage is done at each
// point of the interleaving, to each word that the program accesses, with each of a list of values. The
// values are zeros, ones, a flipped bit, a random word, the value of the word before its last change, and
// words that the Subject gives because they look like a word of this kind.
//
// # The judge
//
// Damage is believed if it is possible, so no model can follow it, and histories need not be linearizable.
// The judge checks less:
//
//   - no panic and no fault, and no access to anything but a word of the memory
//   - each call ends within a bound of accesses
//   - a call that fails has met the damage, and its error is one of those that the program lists, and says
//     what to do
//   - words that do not concern any call of the program are not changed, unless they were overwritten
//
// The Subject's own judge can check more.
//
// # What is complete
//
// A program of one actor is searched completely, by a reduced search: the write comes before and after each
// access to its word, and its place in between makes no difference. Programs of two actors are searched with
// a bound on preemptions. With one preemption, the write comes at each point of one call after the other, or
// of the first call with the second one within it. The overwritten words are those that the actors access
// without a writer, with two preemptions at most.
package hostile
