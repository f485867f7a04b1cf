// Package control has the words by which the processes of a cache steer one another: leases, of which a
// janitor needs one to do work that one process can do for all, and live parameters, which any process may
// change while others work. Rates and penalties, by which they judge who asks too often, are those of package
// quota.
//
//	l := control.Leases{Words: words, Me: r.Process(), Alive: r.Alive, Clock: milliseconds}
//	if l.Hold(1, 1000) {            // this process has the lease until its next turn
//	}
//	f := control.First(6)           // a live parameter: the lower half of word 6
//	control.Tune(words, []control.Change{{Field: f, Value: 40}})
//	value, tuned := f.Of(control.Read(words, f.Word))
//
// # Invariants
//
// The specification in spec/tla/control says them in full, and the explorer holds the code against it, with a
// death of one process at each step:
//
//	L1  a process has one lease at most
//	L2  a lease is renewed and given up by its owner; it is taken over from nobody, from a dead process, and
//	    from one that has stood still for too long
//	T1  a change of live parameters loses no other change
//	T2  parameters of one word that are changed together change at one instant
//
// Each change of a word is one compare-and-swap. A process that is killed in a call has made it or not, and
// leaves nothing behind that others wait for.
package control
