//go:build !explore && race

package seam

import (
	"sync/atomic"
	"unsafe"
)

// Aliased tells whether a word is sync/atomic's type itself.
const Aliased = false

// Uint64 is a shared word of 64 bits in a build with the race detector. The detector makes atomic accesses
// in C code, from where a fault is no panic but the end of the process (the runtime cannot walk that
// stack). So each access touches the word in Go code first, and a store does so by a write that changes
// nothing. If the page is gone or read-only, the fault happens there, where it can become a panic. A page
// that disappears between the two accesses still ends the process. So does a store to read-only memory on
// processors other than amd64, where a read precedes the store.
type Uint64 struct{ v atomic.Uint64 }

// touch reads a word unseen by the detector, for which this plain access would be a race.
//
//go:norace
//go:noinline
func touch(x *Uint64) uint64 { return *(*uint64)(unsafe.Pointer(x)) }

// Load returns the word.
func (x *Uint64) Load() uint64 {
	touch(x)
	return x.v.Load()
}

// Store writes the word.
func (x *Uint64) Store(val uint64) {
	probe(x)
	x.v.Store(val)
}

// Swap writes the word and returns what it replaced.
func (x *Uint64) Swap(new uint64) (old uint64) {
	probe(x)
	return x.v.Swap(new)
}

// CompareAndSwap writes new if the word is old and reports whether it did.
func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	probe(x)
	return x.v.CompareAndSwap(old, new)
}

// Add adds delta and returns the sum.
func (x *Uint64) Add(delta uint64) (new uint64) {
	probe(x)
	return x.v.Add(delta)
}

// And keeps the bits of mask and returns the word as it was before.
func (x *Uint64) And(mask uint64) (old uint64) {
	probe(x)
	return x.v.And(mask)
}

// Or sets the bits of mask and returns the word as it was before.
func (x *Uint64) Or(mask uint64) (old uint64) {
	probe(x)
	return x.v.Or(mask)
}
