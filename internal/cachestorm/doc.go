// Package cachestorm runs processes on one small cache (impl/cache) while they are killed and stopped again
// and again, and judges what each of them was told. The cache is too small for its keys, so eviction,
// sealing, retirement, compaction and re-entry happen all the time.
//
// # A run
//
// A run is a sequence of rounds. In a round some processes make all calls of the cache's interface, on keys
// that they share. The parent kills processes by SIGKILL, or stops them by SIGSTOP and lets them continue,
// at instants that are drawn from a seed. It starts another process in place of each one that it has killed.
// In every fourth round no process is killed. The seed decides what is done, and the system decides exactly
// when. So the plan of a run can be repeated, but not its steps. A run that was interrupted continues with
// the plan of its next round.
//
// At the end of a round all processes close the cache. The parent finishes what the dead have left in the
// index, as the janitor of any process does (basket.Writer.Settle), and judges. After every worldRounds
// rounds another cache is made. There are these kinds: one whose keys have hashes of their own, one whose
// keys share chains, one whose index is too small for them, one with slots, one with the policy TinyLFU, and
// one with fewer writers than a storm of eight processes needs, which hand the writers over. All kinds
// except TinyLFU have four tiers of age.
//
// # All parts at once
//
//	quotas     all processes call Ask, mostly for two keys and as four clients, which is too often, and
//	           sometimes for other keys and as other clients. Each has one of the three actions.
//	tuning     one process changes live parameters all the time: one, two that must be consistent, or some
//	           at once, each within bounds that the other judges can bear
//	overflow   each process has a store for what leaves for want of room, which refuses some of it
//	slots      in the cache with slots each second process has no cache, but a client of package remote; the
//	           process before it is its service. Both are killed and stopped. Some calls have very little
//	           time.
//
// # Journals
//
// Each thread of each process has a journal in a file that all processes map, so the journal remains after
// the process has ended. Before a call the thread writes what it begins, and after the call it writes the
// answer. The events of OnEvent go into another journal of the process. One counter in the file orders all
// entries; a number is drawn from it before and after each call. An answer that came before another call
// began has a smaller number.
//
// A call through a service that was not made is journaled as a call that has found nothing. A call whose
// outcome is unknown is journaled as a call that has not ended. Each round has slot files of its own, so the
// effects of a request that was left over come in its own round.
//
// Each value is set once in a run. It has its number, its key, and a filling that follows from the number.
//
// # Judges
//
//	whole     a value that is read was begun to be set for that key, and has all its bytes
//	return    a value that is gone does not come back: it is gone when a call has found something else, or
//	          when it was told, and no call that begins later may find it. So no reader sees an older value
//	          than one that was acknowledged before the read began.
//	told      each value that was there, and is not there at the end of the round, was told once, with a
//	          reason; and nothing is told that is there, or that no process has set
//	accounts  cache.Check finds nothing, and each basket is free, or its live, dead and unused bytes add up
//	          to its size. At the end of a cache, when the parent alone has filled it several times, no
//	          basket is in the name of a dead process, and each basket that was used again has an exact
//	          hint. A basket that was not, because others had more dead bytes, may have a hint that a death
//	          has left wrong.
//	counts    the counts of Stats for all processes have grown since the round before by exactly what the
//	          journals say: in a round without deaths this holds for each count; in a round with deaths the
//	          counts of calls have grown by no more
//	quota     no key is a suspect or denied, and no client is denied, unless a bucket with the lowest rate
//	          that is ever in force can have been too high at the calls of the journals. Keys that are asked
//	          for rarely are charged for themselves alone, so they never are. Each client is served no more
//	          than the highest rate allows. An entry is expelled by an Ask of it. Each answer agrees with
//	          itself. When all have been at rest for as long as a penalty lasts, nothing is refused.
//	tune      each reading of a parameter, or of two that must be consistent, is the value that was set last
//	          or is being set, and later readings have no earlier values; also at rest after deaths
//	store     an entry that a store is given was set, is whole, has the rest of its time to live, and is no
//	          longer in the cache; a process that tells that an entry left for want of room has given it to
//	          its store, once; and Stats counts it
//	slots     a value that was said not to be set is never found, and never told. A client is told that its
//	          service has died, or that there is none, only if it has died. Each outcome is documented, and
//	          comes within the time of the call.
//	wait      no call took more than 10 ms, not counting the time for which the threads of its process were
//	          ready and waited for a processor (see wait_linux.go); a call through a service may in addition
//	          take the time of the call, and a call in the cache with few writers one second
//	end       each process comes to rest when it is told to, and none ends by itself
//
// # The doubt
//
// A process that is killed within a call may have taken values out and not told them yet, because events are
// told after all steps of a call. So such values may be missing without a reason. Their number is bounded:
//
//   - The journal says which threads of a dead process were within a call that changes something. A call
//     takes out at most callMost values: the portion of the walk of basket.Writer.Replace, and a few baskets
//     of recordsMost. A janitor takes out at most janitorMost before it tells them. Whether it was at work is
//     not known, so it counts for each death of a process that has one. A client of a service has no cache,
//     so its death takes nothing out. The death of a service does.
//   - Such a value was begun to be set before the death, and was not known to be gone before the call began
//     in which the process died.
//   - A value whose end has passed, and whose key is absent, may have expired, or may have been taken out by
//     a dead process. If it was not told by the end of a round with a death, it need not be told later. The
//     same holds for a value with an end that no process has seen and whose set has no answer: it may have
//     been set, and may be told later.
//
// Each value without a reason is assigned to the deaths of its round, one after the other. A value that no
// death can have taken, or that exceeds the bounds of the deaths, is a fault. In rounds without a death
// there is no doubt. The report says how many values were in doubt, and how many could have been.
package cachestorm
