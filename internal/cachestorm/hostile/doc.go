// Package hostile writes into the region of a cache what nobody writes there, and calls the cache.
//
// # A run
//
// A run is a row of rounds, each drawn from the seed and its number, so that one round can be repeated by
// itself. A round begins with a good file: a cache with chains, records with an end, dead records, and
// baskets that a process has left open. Some words of it are overwritten, ahead of the Attach or behind it:
// flipped bits, a little more, zero, all ones, anything, sizes and lengths that reach beyond a basket, and
// words of other places. Or the file is cut. Then calls of all kinds are made, on all keys that there are,
// and on others.
//
// # The judge
//
// Each call ends with an error, a miss or a value. None faults, or panics. None takes longer than callTime,
// or allocates more than allocatedMost in a round with all its calls. No value, and no record that is told,
// has more bytes than a basket. And as long as nobody has changed the cache since, and no record was
// overwritten, a value is one that was set for that key, with all its bytes: records have no checksum, so
// an overwritten value cannot be told from a good one.
package hostile
