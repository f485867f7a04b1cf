//go:build explore

package seam

import (
	"sync/atomic"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// Uint32 is a shared word of 32 bits whose accesses are scheduling points of an exploration.
type Uint32 struct{ v atomic.Uint32 }

// Load returns the word.
func (x *Uint32) Load() uint32 {
	s := hook.Active
	if s == nil {
		return x.v.Load()
	}
	s.Before(hook.Load, unsafe.Pointer(x))
	v := x.v.Load()
	s.After(hook.Load, unsafe.Pointer(x), uint64(v), uint64(v), true)
	return v
}

// Store writes the word.
func (x *Uint32) Store(val uint32) {
	s := hook.Active
	if s == nil {
		x.v.Store(val)
		return
	}
	s.Before(hook.Store, unsafe.Pointer(x))
	old := x.v.Swap(val)
	s.After(hook.Store, unsafe.Pointer(x), uint64(old), uint64(val), true)
}

// Swap writes the word and returns what it replaced.
func (x *Uint32) Swap(new uint32) (old uint32) {
	s := hook.Active
	if s == nil {
		return x.v.Swap(new)
	}
	s.Before(hook.Swap, unsafe.Pointer(x))
	old = x.v.Swap(new)
	s.After(hook.Swap, unsafe.Pointer(x), uint64(old), uint64(new), true)
	return old
}

// CompareAndSwap writes new if the word is old and reports whether it did.
func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool) {
	s := hook.Active
	if s == nil {
		return x.v.CompareAndSwap(old, new)
	}
	s.Before(hook.CompareAndSwap, unsafe.Pointer(x))
	found := x.v.Load()
	swapped = x.v.CompareAndSwap(old, new)
	s.After(hook.CompareAndSwap, unsafe.Pointer(x), uint64(found), uint64(new), swapped)
	return swapped
}

// Add adds delta and returns the sum.
func (x *Uint32) Add(delta uint32) (new uint32) {
	s := hook.Active
	if s == nil {
		return x.v.Add(delta)
	}
	s.Before(hook.Add, unsafe.Pointer(x))
	new = x.v.Add(delta)
	s.After(hook.Add, unsafe.Pointer(x), uint64(new-delta), uint64(new), true)
	return new
}

// And keeps the bits of mask and returns the word as it was before.
func (x *Uint32) And(mask uint32) (old uint32) {
	s := hook.Active
	if s == nil {
		return x.v.And(mask)
	}
	s.Before(hook.And, unsafe.Pointer(x))
	old = x.v.And(mask)
	s.After(hook.And, unsafe.Pointer(x), uint64(old), uint64(old&mask), true)
	return old
}

// Or sets the bits of mask and returns the word as it was before.
func (x *Uint32) Or(mask uint32) (old uint32) {
	s := hook.Active
	if s == nil {
		return x.v.Or(mask)
	}
	s.Before(hook.Or, unsafe.Pointer(x))
	old = x.v.Or(mask)
	s.After(hook.Or, unsafe.Pointer(x), uint64(old), uint64(old|mask), true)
	return old
}
