package control

import (
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// This file has the steps, under the names of the specification. Each step is one access of a shared word,
// or one question to the system.

// leaseFind loads a lease, to find the process's own.
func leaseFind(w *seam.Uint64) Lease { return Lease(w.Load()) }

// leaseLook loads a lease, to find a vacant one.
func leaseLook(w *seam.Uint64) Lease { return Lease(w.Load()) }

// leaseClock reads the clock, after the load of the lease whose age is computed.
func (l *Leases) leaseClock() uint32 { return l.Clock() }

// leaseAsk asks whether a process is alive. If the system does not know, the process counts as alive.
func (l *Leases) leaseAsk(p region.Process) bool {
	alive, err := l.Alive(p)
	return alive || err != nil
}

// leaseTake takes over a lease. Expected: the lease that was found, which nobody has, or whose owner is dead
// or stopped.
func leaseTake(w *seam.Uint64, old, new Lease) bool {
	return w.CompareAndSwap(uint64(old), uint64(new))
}

// leaseRenew renews a lease. Expected: the lease that was found, whose owner is the caller. It fails if
// another process has taken the lease over.
func leaseRenew(w *seam.Uint64, old, new Lease) bool {
	return w.CompareAndSwap(uint64(old), uint64(new))
}

// leaseGive gives a lease up. Expected: the lease that was found, whose owner is the caller. If it fails,
// another process has taken the lease over, so the caller has given it up in either case.
func leaseGive(w *seam.Uint64, old Lease) { w.CompareAndSwap(uint64(old), 0) }

// paramRead loads a word of live parameters, to use them.
func paramRead(w *seam.Uint64) uint64 { return w.Load() }

// tuneLoad loads a word of live parameters, to change it.
func tuneLoad(w *seam.Uint64) uint64 { return w.Load() }

// tuneSwap changes the word. Expected: the word from which the new one was made.
func tuneSwap(w *seam.Uint64, old, new uint64) bool { return w.CompareAndSwap(old, new) }
