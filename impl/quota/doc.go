// Package quota measures request rates, and says which identity asks for too much. It needs memory of a
// fixed size, which any number of processes share. An identity is a hash of 64 bits, either of the key of an
// object or of the number of a client.
//
//	s, err := quota.New(words, quota.Layout{Width: 4096, Penalties: true})
//	r := s.Judge(id, now, 1, limits) // an object: OK, Suspect or Denied
//	r := s.Take(id, now, 1, limits)  // a client: OK or Denied
//
// # Terms
//
//	bucket   the leaky bucket of a rate limit: requests raise its level, and it drains at Limits.Rate
//	level    how full a bucket is, as the time in nanoseconds that it takes to drain
//	cell     one word of the sketch, with a level or with a penalty; identities share it
//	row      Width cells; an identity has one cell in each of Depth rows, by 16 bits of its hash
//	sketch   all rows: a count-min sketch whose counts are the levels of buckets
//	penalty  the instant until which an identity is a suspect, and how many offences it has
//	offence  an instant at which the level was above Limits.Burst
//
// # What is measured
//
// A cell of levels is one number: the instant at which the bucket is empty (the generic cell rate
// algorithm). No sweep of the sketch is needed, because a bucket drains as time passes. A count and its end
// are the same word, so a process cannot be killed between the two. The level of an identity is the lowest
// level of its cells.
//
// The sketch only overestimates. The level of a cell is that of a bucket that is fed by all identities that
// share the cell, so it is never below that of a bucket of one identity alone. This holds because each row
// is charged in full. A conservative update, which leaves the higher cells unchanged, would be closer. But
// two concurrent conservative updates can each rely on a charge that the other one has not made yet, and
// then the sketch would be too low.
//
// # The error bound
//
// Consider all identities that share cells with one identity only by chance, and let them ask R times a
// second together. In one row they bring R/Width a second into its cell, on average over the secret of the
// hash. So they bring more than Rate-r with a probability of at most R/(Width*(Rate-r)) (Markov), where r is
// the rate of the identity itself. In all Depth rows they do so with a probability of at most that number to
// the power of Depth: see Overestimate. An attacker who has n identities at the limit covers all cells of
// another identity with a probability of Covered(Width, n).
//
// # Invariants
//
// The tests check them in every interleaving of two actors, with a kill at each step:
//
//	I1  each change of a cell is one compare-and-swap of one word, and there is no other shared word
//	I2  a cell is never below a bucket that is fed with all charges of it that are complete, in the order
//	    of their swaps; and no charge lowers it, however long ago its caller has read the clock
//	I3  a charge leaves a cell at most twice Limits.Burst ahead of the latest clock of the actors that
//	    charged it, and AheadMost ahead of its own clock, whatever the cell had before: so a charge that
//	    was made twice, that a death has left, or that is damage, has drained after that time
//	I4  when a mark is complete, each penalty of the identity ends at its end or later; a penalty that ends
//	    more than AheadMost from now is shortened to the longest one of Limits by any call that sees it
//	I5  if several actors mark one offence at the same time, it counts once
//
// A process that is killed in the middle of a call has charged, or marked, some of the rows. The lowest cell
// counts, so the identity is as it was before, or somewhat closer to its limit until that has drained.
//
// # Progress
//
// All calls are lock-free. A call that has lost triesMost swaps of one cell stops trying. It then counts the
// cell as full, or leaves the mark to the next call that finds the offence. Nothing allocates.
//
// # What is not promised
//
// Take asks before it charges. So if n actors call it at the same time, n-1 may be admitted above Burst. The
// bucket then admits less later. A caller that was stopped for more than an hour since it read the clock may
// lower a cell.
//
// An attacker who can see how others are judged, and who may choose any number of identities, can search for
// identities that share cells with a victim, unless the hash prevents that (SipHash does).
package quota
