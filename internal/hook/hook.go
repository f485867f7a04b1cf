// Package hook is the narrow doorway between instrumented shared memory and the explorer.
//
// A shim (internal/seam, explore/shim/...) reports every shared access here. While no
// exploration runs, [Active] is nil and a shim falls back to the real operation. While one runs,
// exactly one actor executes at any time, and the scheduler decides inside Before whether that
// actor goes on or another one takes over.
//
// The protocol of one access, always in this order and always by the same actor:
//
//	s := hook.Active
//	s.Before(kind, address)                  // may run other actors, may not return at all
//	... the access itself ...
//	s.After(kind, address, old, new, ok)     // what the access saw and left
//
// Before and its relatives unwind a killed actor by a panic; a shim must hold no resource of its
// own across the call and must not recover.
package hook

import "unsafe"

// Kind tells what a step does to its object.
type Kind uint8

// The kinds of steps. Begin, Choice and Kill touch no shared object; they appear in recorded
// steps only and are never passed to Before.
const (
	Begin          Kind = iota // operation boundary; the start of an actor is one too
	Load                       // old == new == the value read
	Store                      // old is the value overwritten
	CompareAndSwap             // ok tells whether new was written; old is the value found
	Swap                       // old is the value returned
	Add                        // new is the value returned
	And                        // old is the value returned
	Or                         // old is the value returned
	Lock                       // acquires an exclusive lock
	TryLock                    // ok tells whether the lock was taken
	Unlock                     // releases an exclusive lock
	RLock                      // acquires a shared lock
	TryRLock                   // ok tells whether the lock was taken
	RUnlock                    // releases a shared lock
	Await                      // waits for a condition: WaitGroup.Wait, Cond.Wait, a pending writer
	Signal                     // wakes waiters: Cond.Signal, Cond.Broadcast
	Once                       // enters a Once; ok tells whether the function is to be run
	Take                       // takes an item from a Pool
	Give                       // gives an item to a Pool
	Look                       // reads a Map
	Change                     // changes a Map
	Send                       // sends on a channel, or begins to wait there
	Receive                    // receives from a channel, or begins to wait there
	Close                      // closes a channel
	Select                     // a select statement, or begins to wait there
	Resume                     // goes on after another actor ended its wait at a channel; touches nothing
	Length                     // reads the length of a channel; orders nothing
	Runtime                    // reads or changes what the runtime keeps for all goroutines; orders nothing
	Choice                     // a data choice; new is the value chosen
	Kill                       // the actor dies here; it never runs again
	PlainRead                  // reads memory without an atomic
	PlainWrite                 // writes memory without an atomic
	kinds
)

var kindNames = [kinds]string{
	"Begin", "Load", "Store", "CompareAndSwap", "Swap", "Add", "And", "Or",
	"Lock", "TryLock", "Unlock", "RLock", "TryRLock", "RUnlock", "Await", "Signal", "Once",
	"Take", "Give", "Look", "Change", "Send", "Receive", "Close", "Select", "Resume", "Length",
	"Runtime", "Choice", "Kill", "PlainRead", "PlainWrite",
}

// String returns the name of the kind as it appears in reports.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return "Kind(?)"
}

// Access reports whether a step of this kind touches a shared object.
func (k Kind) Access() bool { return k != Begin && k != Choice && k != Kill && k < kinds }

// Sync reports whether a step of this kind acts on an object that orders plain memory accesses
// (a lock, a Once, a WaitGroup, a Cond, a Pool, a Map, a channel) rather than on an atomic word.
func (k Kind) Sync() bool { return k >= Lock && k <= Resume }

// Channel reports whether a step of this kind is an operation on channels.
func (k Kind) Channel() bool { return k >= Send && k <= Select }

// Plain reports whether a step of this kind orders nothing.
func (k Kind) Plain() bool { return k == PlainRead || k == PlainWrite }

// A Scheduler is told of every shared access of the running actor and decides who goes next.
//
// Its methods are called by the running actor only. None of them may be called by a goroutine
// that is no actor; the scheduler cannot tell the difference.
type Scheduler interface {
	// Before is called ahead of the access to the object at p. It returns when the access is
	// the next step of the execution.
	Before(k Kind, p unsafe.Pointer)

	// Wait is Before for an access that is possible only while *word&mask == want. It returns
	// when the condition holds and the access is the next step.
	Wait(k Kind, p unsafe.Pointer, c Condition)

	// After is called right after the access. Old is the value found, new the value that the
	// access left or, when ok is false, wanted to leave.
	After(k Kind, p unsafe.Pointer, old, new uint64, ok bool)

	// AfterPointer is After for an object whose values are pointers, so that the scheduler can
	// give them names which do not depend on the allocator.
	AfterPointer(k Kind, p, old, new unsafe.Pointer, ok bool)

	// Choose returns a number in [0,n). All of them are explored. It is no scheduling point.
	// 1 <= n <= 64.
	Choose(n int) int

	// Yield says that the actor found nothing to do since its last Yield and can go on only
	// after a shared write by another actor. It is no step.
	Yield()
}

// A Condition holds while *Word&Mask == Want. Word belongs to the shim's object and changes only
// in steps.
type Condition struct {
	Word       *uint64
	Mask, Want uint64
}

// Holds reports whether the condition is true now.
func (c Condition) Holds() bool { return *c.Word&c.Mask == c.Want }

// Active is the scheduler of the exploration that runs, nil when none runs or when the code that
// runs is no actor (the explorer's own callbacks). Only the explorer sets it. While it is not
// nil no goroutine other than the explorer's may use a shim.
var Active Scheduler

// Epoch counts executions. A shim that outlives executions (a global Pool) compares it to know
// that its content belongs to an earlier one. Only the explorer changes it.
var Epoch uint64

// A Refusal is what a shim panics with when an actor comes to what is not explored. Code that takes
// panics for results passes it on.
type Refusal string
