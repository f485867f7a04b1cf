// Package control has the words by which the processes of a cache coordinate. There are leases: a janitor
// needs a lease to do work that one process can do for all. And there are live parameters, which any process
// may change while others work. Rates and penalties, which decide who asks too often, are in package quota.
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
// The specification in spec/tla/control has them in full, and the explorer checks the code against it, with
// a death of one process at each step:
//
//	L1  a process has one lease at most
//	L2  only its owner renews a lease or gives it up; it is taken over only if nobody has it, or from a
//	    process that is dead or has been stopped for too long
//	T1  a change of live parameters loses no other change
//	T2  parameters of one word that are changed together change at one instant
//
// Each change of a word is one compare-and-swap. A process that is killed in a call has made the change or
// not, and leaves nothing that others wait for.
package control
