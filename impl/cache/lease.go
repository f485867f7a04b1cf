package cache

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// Leases. The janitors of all processes want to make room and to take back what the dead had, and it is
// enough if one of them does. So SectionJanitors has some words, of which as many as janitor.run says may be
// held, each by one process. Its janitor keeps the word from turn to turn. Who finds that the owner of a word
// has died takes the word over, by one compare-and-swap; a dead owner never makes another step. He also takes
// it over if the owner has stood still for long, so that a process which is stopped does not keep others
// from it. Nothing depends on how many janitors believe that they have a lease: it bounds the work that is
// done at once, and each step of this work may be made by anybody at any time.

// janitorsMost is how many words SectionJanitors has: the bound of janitor.run.
const janitorsMost = 8

// lease is a word of SectionJanitors. Zero is nobody's.
//
//	bits    field
//	63..32  owner: the region.Process whose janitor has it
//	31..0   stamp: when the owner renewed it, by the clock of the host, in milliseconds modulo 2^32
type lease uint64

// makeLease packs a lease.
func makeLease(owner region.Process, stamp uint32) lease { return lease(owner)<<32 | lease(stamp) }

// owner is who has it, 0 for nobody.
func (l lease) owner() region.Process { return region.Process(l >> 32) }

// age is for how many milliseconds it has not been renewed. A stamp of the future, which a word that is
// damaged may have, is very old.
func (l lease) age(now uint32) uint32 { return now - uint32(l) }

// String names the owner.
func (l lease) String() string {
	if l == 0 {
		return "nobody's"
	}
	return fmt.Sprintf("of process %v", l.owner())
}

// leaseRead loads a lease.
func leaseRead(w *seam.Uint64) lease { return lease(w.Load()) }

// leaseChange takes, renews or gives up a lease. Expected: the lease that was found, whose owner is the
// caller, nobody, dead, or standing still.
func leaseChange(w *seam.Uint64, old, new lease) bool {
	return w.CompareAndSwap(uint64(old), uint64(new))
}

// leases are what the janitor of a process knows of them. The section has janitorsMost words, which the
// layout of the region says. Who calls has a handle of the cache.
type leases struct {
	words region.Words
	me    region.Process
	alive func(region.Process) (bool, error)
}

// hold renews the lease that this process has, or takes one of the first run words that is vacant. It reports
// whether the process has one now. A lease that is beyond run is given up. still is for how many milliseconds
// an owner may stand still. Progress: wait-free, one system call for each word at most.
func (l *leases) hold(run int, now, still uint32) bool {
	if l.me == 0 { // on the heap nobody else is there
		return run > 0
	}
	for i := range l.words {
		if x := leaseRead(&l.words[i]); x.owner() == l.me {
			if i >= run {
				leaseChange(&l.words[i], x, 0)
				return false
			}
			return leaseChange(&l.words[i], x, makeLease(l.me, now))
		}
	}
	for i := range min(run, len(l.words)) {
		x := leaseRead(&l.words[i])
		if l.vacant(x, now, still) && leaseChange(&l.words[i], x, makeLease(l.me, now)) {
			return true
		}
	}
	return false
}

// vacant reports whether a lease may be taken over.
func (l *leases) vacant(x lease, now, still uint32) bool {
	if x.owner() == 0 || x.age(now) > still {
		return true
	}
	alive, err := l.alive(x.owner())
	return err == nil && !alive
}

// owners are who has a lease, living or dead.
func (l *leases) owners() (all []region.Process) {
	for i := range l.words {
		if p := leaseRead(&l.words[i]).owner(); p != 0 {
			all = append(all, p)
		}
	}
	return all
}

// leave gives up what this process has.
func (l *leases) leave() {
	for i := range l.words {
		if x := leaseRead(&l.words[i]); l.me != 0 && x.owner() == l.me {
			leaseChange(&l.words[i], x, 0)
		}
	}
}
