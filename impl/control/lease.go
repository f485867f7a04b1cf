package control

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
)

// Lease is a word by which one process tells others that it does the work of all. Zero means that nobody has
// the lease.
//
//	bits    field
//	63..32  owner: the region.Process that has it
//	31..0   stamp: when the owner renewed it, by the clock of the host, in milliseconds modulo 2^32
type Lease uint64

// MakeLease packs a lease.
func MakeLease(owner region.Process, stamp uint32) Lease { return Lease(owner)<<32 | Lease(stamp) }

// Owner is the process that has the lease, or 0 if nobody has it.
func (l Lease) Owner() region.Process { return region.Process(l >> 32) }

// Stamp is when the lease was renewed, in milliseconds modulo 2^32.
func (l Lease) Stamp() uint32 { return uint32(l) }

// Age is the number of milliseconds since the lease was renewed. A stamp in the future, which a damaged word
// may have, counts as very old.
func (l Lease) Age(now uint32) uint32 { return now - l.Stamp() }

// String names the owner.
func (l Lease) String() string {
	if l == 0 {
		return "nobody's"
	}
	return fmt.Sprintf("of process %v", l.Owner())
}

// Leases are what the janitor of a process knows of the leases. Only one goroutine of the process at a time
// calls Hold and Leave; other processes may do so at any time.
//
// A process that finds the owner of a word dead takes the word over, by one compare-and-swap; a dead owner
// never makes another step. A word is also taken over if its owner has been stopped for long, so a stopped
// process does not keep others from the work. Nothing may depend on how many processes believe that they
// have a lease: an owner that was stopped, and continues, learns only at its next turn that it has lost its
// lease.
type Leases struct {
	Words region.Words                       // one for each possible lease
	Me    region.Process                     // this process; 0 on the heap, where there is no other process
	Alive func(region.Process) (bool, error) // asks the system; after an error the process counts as living
	Clock func() uint32                      // of the host, in milliseconds modulo 2^32
}

// Hold renews the lease of this process, or takes one of the first run words that is vacant. It reports
// whether the process has a lease now. It gives up a lease beyond the first run words. still is the number
// of milliseconds for which an owner may be stopped.
//
// The clock is read after the load of a word. Otherwise a lease that its owner renews in between would seem
// to be renewed in the future. Progress: wait-free, one system call for each word at most.
func (l *Leases) Hold(run int, still uint32) bool {
	if l.Me == 0 {
		return run > 0
	}
	for i := range l.Words {
		w := &l.Words[i]
		x := leaseFind(w)
		switch {
		case x.Owner() != l.Me:
			continue
		case i >= run:
			leaseGive(w, x)
			return false
		}
		return leaseRenew(w, x, MakeLease(l.Me, l.leaseClock()))
	}
	for i := range min(run, len(l.Words)) {
		w := &l.Words[i]
		x := leaseLook(w)
		now := l.leaseClock()
		if l.vacant(x, now, still) && leaseTake(w, x, MakeLease(l.Me, now)) {
			return true
		}
	}
	return false
}

// vacant reports whether a lease may be taken over.
func (l *Leases) vacant(x Lease, now, still uint32) bool {
	return x.Owner() == 0 || x.Age(now) > still || !l.leaseAsk(x.Owner())
}

// Owners returns the processes that have leases, living or dead, each word as it was at some moment of the
// call. Progress: wait-free.
func (l *Leases) Owners() (all []region.Process) {
	for i := range l.Words {
		if p := leaseFind(&l.Words[i]).Owner(); p != 0 {
			all = append(all, p)
		}
	}
	return all
}

// Leave gives up the lease of this process. Progress: wait-free.
func (l *Leases) Leave() {
	for i := range l.Words {
		w := &l.Words[i]
		if x := leaseFind(w); l.Me != 0 && x.Owner() == l.Me {
			leaseGive(w, x)
		}
	}
}
