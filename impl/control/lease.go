package control

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
)

// Lease is a word by which one process tells others that it does the work of all. Zero is nobody's.
//
//	bits    field
//	63..32  owner: the region.Process that has it
//	31..0   stamp: when the owner renewed it, by the clock of the host, in milliseconds modulo 2^32
type Lease uint64

// MakeLease packs a lease.
func MakeLease(owner region.Process, stamp uint32) Lease { return Lease(owner)<<32 | Lease(stamp) }

// Owner is who has it, 0 for nobody.
func (l Lease) Owner() region.Process { return region.Process(l >> 32) }

// Stamp is when it was renewed, in milliseconds modulo 2^32.
func (l Lease) Stamp() uint32 { return uint32(l) }

// Age is for how many milliseconds it has not been renewed. A stamp of the future, which a word that is
// damaged may have, is very old.
func (l Lease) Age(now uint32) uint32 { return now - l.Stamp() }

// String names the owner.
func (l Lease) String() string {
	if l == 0 {
		return "nobody's"
	}
	return fmt.Sprintf("of process %v", l.Owner())
}

// Leases are what the janitor of a process knows of the leases. One goroutine of the process calls Hold and
// Leave at a time; other processes do so whenever they like.
//
// Who finds that the owner of a word has died takes the word over, by one compare-and-swap; a dead owner
// never makes another step. The same is done if the owner has stood still for long, so that a process which
// is stopped does not keep others from the work. Nothing may depend on how many processes believe that they
// have a lease: an owner that stood still, and goes on, learns at its next turn only that it has none.
type Leases struct {
	Words region.Words                       // as many as there can be leases
	Me    region.Process                     // the process; 0 on the heap, where nobody else is
	Alive func(region.Process) (bool, error) // asks the system; an error is taken for life
	Clock func() uint32                      // of the host, in milliseconds modulo 2^32
}

// Hold renews the lease that this process has, or takes one of the first run words that is vacant. It reports
// whether the process has one now. A lease beyond the first run words is given up. still is for how many
// milliseconds an owner may stand still.
//
// The clock is read behind the load of a word, so that no lease looks as if it was renewed in the future only
// because its owner came between. Progress: wait-free, one system call for each word at most.
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

// Owners are who has a lease, living or dead, each word as it was at some moment of the call. Progress:
// wait-free.
func (l *Leases) Owners() (all []region.Process) {
	for i := range l.Words {
		if p := leaseFind(&l.Words[i]).Owner(); p != 0 {
			all = append(all, p)
		}
	}
	return all
}

// Leave gives up what this process has. Progress: wait-free.
func (l *Leases) Leave() {
	for i := range l.Words {
		w := &l.Words[i]
		if x := leaseFind(w); l.Me != 0 && x.Owner() == l.Me {
			leaseGive(w, x)
		}
	}
}
