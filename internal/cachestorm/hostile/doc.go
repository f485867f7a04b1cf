// Package hostile overwrites words in the region of a cache with values that no process writes, and calls
// the cache.
//
// # A run
//
// A run is a sequence of rounds. Each round is drawn from the seed and its number, so one round can be
// repeated alone. A round begins with a good file: a cache with chains, records with an expiry time, dead
// records, and baskets that a process has left open. Some words of it are overwritten, before the Attach or
// after it: with flipped bits, slightly larger numbers, zero, all ones, random words, sizes and lengths that
// reach beyond a basket, and words of other places. Or the file is cut. Then calls of all kinds are made, on
// all keys that are there, and on others.
//
// # The judge
//
// Each call ends with an error, a miss or a value. No call faults or panics. No call takes longer than
// callTime, and all calls of a round together allocate no more than allocatedMost. No value, and no told
// record, has more bytes than a basket. If no call has changed the cache since the damage, and no record was
// overwritten, a value is one that was set for that key, with all its bytes. An overwritten value cannot be
// told from a good one, because records have no checksum.
package hostile
