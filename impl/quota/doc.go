// Package quota measures request rates in memory of a fixed size that any number of processes share, and says
// which identity asks for too much. An identity is a hash of 64 bits: of the key of an object, or of the
// number of a client.
//
//	s, err := quota.New(words, quota.Layout{Width: 4096, Penalties: true})
//	r := s.Judge(id, now, 1, limits) // an object: OK, Suspect or Denied
//	r := s.Take(id, now, 1, limits)  // a client: OK or Denied
//
// # Terms
//
//	bucket   the leaky bucket of a rate limit: what comes in raises its level, and it drains at Limits.Rate
//	level    how full a bucket is, as the time in nanoseconds that it takes to drain
//	cell     one word of the sketch, with a level or with a penalty; identities share it
//	row      Width cells; an identity has one cell in each of Depth rows, by 16 bits of its hash
//	sketch   all rows: a count-min sketch whose counts are the levels of buckets
//	penalty  the instant until which an identity is a suspect, and how many offences it has
//	offence  an instant at which the level was above Limits.Burst
//
// # What is measured
//
// A cell of levels is one number: the instant at which the bucket is empty (the generic cell rate algorithm).
// Nothing sweeps the sketch: a bucket drains since time goes by, and a count and its end are the same word,
// so nobody can be killed between the two. An identity has the lowest level of its cells.
//
// The sketch only overestimates. A cell has the level that a bucket has which is fed by all identities that
// share it, so it is never below that of a bucket of the identity alone. This is why each row is charged in
// full. A conservative update, which leaves the higher cells alone, would be closer, but two concurrent ones
// can each rely on a charge that the other one has not made yet, and the sketch would then be too low.
//
// # The error bound
//
// Let the identities that share no more than chance with one identity ask R times a second together. In one
// row they bring R/Width a second into its cell, on average over the secret of the hash. So they bring more
// than Rate-r with a probability of at most R/(Width*(Rate-r)) (Markov), where r is the rate of the identity
// itself, and in all Depth rows with at most the power Depth of that: Overestimate. An attacker who has n
// identities at the limit covers all cells of another one with a probability of Covered(Width, n).
//
// # Invariants
//
// The tests hold them against every interleaving of two actors, with a kill at each step:
//
//	I1  each change of a cell is one compare-and-swap of one word, and there is no other shared word
//	I2  a cell is never below a bucket that is fed with all charges of it that are complete, in the order
//	    of their swaps; and no charge lowers it, however long ago its caller has read the clock
//	I3  a charge leaves a cell at most twice Limits.Burst ahead of the latest clock of those who charged it,
//	    and AheadMost ahead of its own, whatever was there: so what is charged twice, left by a death, or
//	    damaged, has drained after that time
//	I4  when a mark is complete, each penalty of the identity ends at its end or later; a penalty that ends
//	    more than AheadMost from now is shortened to the longest one of Limits by whoever sees it
//	I5  several that mark one offence at the same time count one
//
// A process that is killed in the middle has charged, or marked, some of the rows. The lowest cell counts, so
// the identity is as it was before, or somewhat nearer to its limit until that has drained.
//
// # Progress
//
// All calls are lock-free. A call that has lost triesMost swaps of one cell gives up on it; it then takes the
// cell to be full, or leaves the mark to the next call that finds the offence. Nothing allocates.
//
// # What is not promised
//
// Take asks before it charges, so of n actors that do so at the same time n-1 may be admitted above Burst.
// The bucket takes that from what comes later. A caller that has stood still for more than an hour since it
// has read the clock may lower a cell.
//
// Whoever can see how others are judged, and may choose any number of identities, can search for some that
// share cells with a victim if the hash is not made against that (SipHash is).
package quota
