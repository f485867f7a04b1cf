//go:build explore

package seam

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// Explored tells whether this build reports accesses to the explorer.
const Explored = true

// Uint64 is a shared word of 64 bits whose accesses are scheduling points of an exploration.
type Uint64 struct{ v atomic.Uint64 }

// word is the address of a shared word. One that is not a multiple of its size is that of no word of a
// region, whatever is read there: the panic fails the execution.
func word(x *Uint64) unsafe.Pointer {
	p := unsafe.Pointer(x)
	if uintptr(p)%unsafe.Sizeof(*x) != 0 {
		panic("seam: access to a word at no multiple of 8 bytes")
	}
	return p
}

// Load returns the word.
func (x *Uint64) Load() uint64 {
	s := hook.Active
	if s == nil {
		return x.v.Load()
	}
	s.Before(hook.Load, word(x))
	v := x.v.Load()
	s.After(hook.Load, unsafe.Pointer(x), v, v, true)
	return v
}

// Store writes the word.
func (x *Uint64) Store(val uint64) {
	s := hook.Active
	if s == nil {
		x.v.Store(val)
		return
	}
	s.Before(hook.Store, word(x))
	old := x.v.Swap(val)
	s.After(hook.Store, unsafe.Pointer(x), old, val, true)
}

// Swap writes the word and returns what it replaced.
func (x *Uint64) Swap(new uint64) (old uint64) {
	s := hook.Active
	if s == nil {
		return x.v.Swap(new)
	}
	s.Before(hook.Swap, word(x))
	old = x.v.Swap(new)
	s.After(hook.Swap, unsafe.Pointer(x), old, new, true)
	return old
}

// CompareAndSwap writes new if the word is old and reports whether it did.
func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	s := hook.Active
	if s == nil {
		return x.v.CompareAndSwap(old, new)
	}
	s.Before(hook.CompareAndSwap, word(x))
	found := x.v.Load()
	swapped = x.v.CompareAndSwap(old, new)
	s.After(hook.CompareAndSwap, unsafe.Pointer(x), found, new, swapped)
	return swapped
}

// Add adds delta and returns the sum.
func (x *Uint64) Add(delta uint64) (new uint64) {
	s := hook.Active
	if s == nil {
		return x.v.Add(delta)
	}
	s.Before(hook.Add, word(x))
	new = x.v.Add(delta)
	s.After(hook.Add, unsafe.Pointer(x), new-delta, new, true)
	return new
}

// And keeps the bits of mask and returns the word as it was before.
func (x *Uint64) And(mask uint64) (old uint64) {
	s := hook.Active
	if s == nil {
		return x.v.And(mask)
	}
	s.Before(hook.And, word(x))
	old = x.v.And(mask)
	s.After(hook.And, unsafe.Pointer(x), old, old&mask, true)
	return old
}

// Or sets the bits of mask and returns the word as it was before.
func (x *Uint64) Or(mask uint64) (old uint64) {
	s := hook.Active
	if s == nil {
		return x.v.Or(mask)
	}
	s.Before(hook.Or, word(x))
	old = x.v.Or(mask)
	s.After(hook.Or, unsafe.Pointer(x), old, old|mask, true)
	return old
}

// RandomBit returns 0 or 1: with equal probability outside an exploration, both in turn inside.
func RandomBit() uint32 {
	if s := hook.Active; s != nil {
		return uint32(s.Choose(2))
	}
	return rand.Uint32() & 1
}

// Exploring tells whether an exploration runs: then the caller is one of its actors, and must not sleep.
func Exploring() bool { return hook.Active != nil }

// Gosched lets others run. Inside an exploration it says that the actor waits for a write.
func Gosched() {
	if s := hook.Active; s != nil {
		s.Yield()
		return
	}
	runtime.Gosched()
}
