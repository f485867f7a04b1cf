package control

import (
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// The steps, by the names of the specification. Each is one access of a shared word, or one question to the
// system.

// leaseFind loads a lease in search of the process's own.
func leaseFind(w *seam.Uint64) Lease { return Lease(w.Load()) }

// leaseLook loads a lease in search of a vacant one.
func leaseLook(w *seam.Uint64) Lease { return Lease(w.Load()) }

// leaseClock reads the clock, behind the load of the lease whose age it is to tell.
func (l *Leases) leaseClock() uint32 { return l.Clock() }

// leaseAsk asks whether a process lives. If the system does not know, it counts as living.
func (l *Leases) leaseAsk(p region.Process) bool {
	alive, err := l.Alive(p)
	return alive || err != nil
}

// leaseTake takes a lease over. Expected: the lease that was found, whose owner is nobody, dead, or standing
// still.
func leaseTake(w *seam.Uint64, old, new Lease) bool {
	return w.CompareAndSwap(uint64(old), uint64(new))
}

// leaseRenew renews a lease. Expected: the lease that was found, whose owner is the caller. It fails if
// another process has taken the lease over.
func leaseRenew(w *seam.Uint64, old, new Lease) bool {
	return w.CompareAndSwap(uint64(old), uint64(new))
}

// leaseGive gives a lease up. Expected: the lease that was found, whose owner is the caller. It fails if
// another process has taken the lease over, so it is given up in any case.
func leaseGive(w *seam.Uint64, old Lease) { w.CompareAndSwap(uint64(old), 0) }

// paramRead loads a word of live parameters for whoever works by them.
func paramRead(w *seam.Uint64) uint64 { return w.Load() }

// tuneLoad loads a word of live parameters that is to be changed.
func tuneLoad(w *seam.Uint64) uint64 { return w.Load() }

// tuneSwap changes it. Expected: the word from which the new one was made.
func tuneSwap(w *seam.Uint64, old, new uint64) bool { return w.CompareAndSwap(old, new) }
