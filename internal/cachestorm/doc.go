// Package cachestorm lets processes work on one small cache (impl/cache) while they are killed and stopped
// again and again, and judges what each of them was told. The cache is too small for its keys, so that
// eviction, sealing, retirement, compaction and re-entry happen all the time.
//
// # A run
//
// A run is a row of rounds. In a round some processes make all calls of the cache's interface, on keys that
// they share. The parent kills them by SIGKILL, or stops them by SIGSTOP and lets them go on, at instants
// that are drawn from a seed, and starts another one in the place of each that it has killed. In every
// fourth round nobody is killed. The seed says what is done, the system decides when exactly: a run is not
// repeated step by step, but its plan is, and a run that was interrupted goes on with the plan of its next
// round.
//
// At the end of a round all processes close the cache. The parent finishes what the dead have left in the
// index, as the janitor of any process does (basket.Writer.Settle), and judges. Every worldRounds rounds
// another cache is made: one whose keys have hashes of their own, one whose keys share chains, one whose
// index is too small for them, one with slots, one with the policy TinyLFU, and one with fewer writers than
// a storm of eight processes has, which hand them over. All but the one with TinyLFU have four tiers of age.
//
// # All parts at once
//
//	quotas     all processes call Ask, mostly for two keys and as four clients, which is too often, and now
//	           and then for others. Each has one of the three actions.
//	tuning     one process changes live parameters all the time: one, two that must be consistent, or some
//	           at once, each within bounds that the other judges can bear
//	overflow   each process has a store for what leaves for want of room, which refuses some of it
//	slots      in the cache with slots each second process has no cache, but a client of package remote; the
//	           process before it is its service. Both are killed and stopped. Some calls have very little
//	           time.
//
// # Journals
//
// Each thread of each process has a journal in a file that all map, so that it outlives the process. Before
// a call it says what is begun, and behind it what was answered. What OnEvent tells goes into another
// journal of the process. One counter in the file, which is drawn from ahead of and behind each call,
// orders all of them: what was answered before a call was begun has a smaller number.
//
// A call by a service that was not made is journaled as one that has found nothing, and one of which nobody
// knows as one that has not ended. The slot file of a round is used in no other one, so what a request that
// was left may do is done in its round.
//
// Each value is set once in a run, and has its number, its key, and a filling that follows from the number.
//
// # Judges
//
//	whole     a value that is read is one that was begun to be set for that key, with all its bytes
//	return    a value that is gone does not come back: gone is what a call has found in its place, or was
//	          told, and no call that begins later may find it. So no reader sees an older value than one
//	          that was acknowledged before the read began.
//	told      each value that was there, and is not there at the end of the round, was told once, with a
//	          reason; and nothing is told that is there, or that nobody has set
//	accounts  cache.Check finds nothing, and each basket is free or its live, dead and unused bytes are all
//	          of it. At the end of a cache, when the parent alone has filled it several times, no basket is
//	          in the name of a dead process, and each one that was used again has an exact hint. One that
//	          was not, since others had more that was dead, may have one that a death has left wrong.
//	counts    what Stats says of all processes is more than a round before by just what the journals have:
//	          in a round without deaths, for each count; in one with deaths no more, for those of calls
//	quota     no key is a suspect or denied, and no client is denied, unless a bucket with the lowest rate
//	          that is ever in force can have been too high at the calls of the journals. What is asked for
//	          rarely is charged for itself alone, so it never is. Each client is served no more than the
//	          highest rate allows. An entry is expelled by an Ask of it. Each answer agrees with itself.
//	          When all have been at rest for as long as a penalty lasts, nothing is refused.
//	tune      each reading of a parameter, or of two that must be consistent, is what was set last, or is
//	          being set, and later readings have no earlier values; so, too, at rest behind deaths
//	store     what a store is given was set, is whole, has the time that is left to it, and is no more in
//	          the cache; who tells that something has left for want of room has given it to its store,
//	          once; and Stats counts it
//	slots     what was said not to be set is never found, and never told. A client is told that its
//	          service has died, or that there is none, if it has died. Each outcome is one that is
//	          documented, and comes within the time of the call.
//	wait      no call took more than 10 ms beyond the time for which the threads of its process were ready
//	          and waited for a processor (see wait_linux.go); one by a service has the time of the call
//	          beside that, and one in the cache with few writers a second
//	end       each process comes to rest when it is told to, and none ends by itself
//
// # The doubt
//
// A process that is killed within a call may have taken values out, and have told nothing yet: events are
// told behind all steps of a call. So such values may be missing without a reason. How many that are is
// bounded:
//
//   - The journal says which threads of a dead process were within a call that changes something. A call
//     takes out callMost values at most, the portion of the walk of basket.Writer.Replace and a few baskets
//     of recordsMost. A janitor takes out janitorMost before it tells them; whether it was at work is not
//     known, so it counts for each death of a process that has one.
//     A client of a service has no cache, so its death takes nothing out. That of a service does.
//   - Such a value was begun to be set before the death, and was not known to be gone before the call began
//     that the dead was in.
//   - A value with an end that is over, whose key is absent, may have expired, or was taken out by a dead. If
//     nobody has told it at the end of a round with a death, nobody needs to tell it later. Nor a value with
//     an end that nobody has seen, whose set has not answered: it may have come in, and may be told later.
//
// Each value without a reason is held against the deaths of its round, one after the other; one that no
// death can have taken, or that exceeds what they can have, is a fault. In the rounds without a death there
// is no doubt at all. The report says how many values were in doubt, and how many could have been.
package cachestorm
