package atomic

import "sync/atomic"

// Int32 has the methods of sync/atomic.Int32 and reports each of its accesses.
type Int32 struct {
	_ noCopy
	v int32
}

// Load returns the value.
func (x *Int32) Load() int32 { return LoadInt32(&x.v) }

// Store writes val.
func (x *Int32) Store(val int32) { StoreInt32(&x.v, val) }

// Swap writes new and returns what it replaced.
func (x *Int32) Swap(new int32) (old int32) { return SwapInt32(&x.v, new) }

// CompareAndSwap writes new if the value is old and reports whether it did.
func (x *Int32) CompareAndSwap(old, new int32) (swapped bool) {
	return CompareAndSwapInt32(&x.v, old, new)
}

// Add adds delta and returns the sum.
func (x *Int32) Add(delta int32) (new int32) { return AddInt32(&x.v, delta) }

// And keeps the bits of mask and returns the value as it was before.
func (x *Int32) And(mask int32) (old int32) { return AndInt32(&x.v, mask) }

// Or sets the bits of mask and returns the value as it was before.
func (x *Int32) Or(mask int32) (old int32) { return OrInt32(&x.v, mask) }

// Int64 has the methods of sync/atomic.Int64 and reports each of its accesses.
type Int64 struct {
	_ noCopy
	_ [0]atomic.Int64 // the alignment of the original on every platform
	v int64
}

// Load returns the value.
func (x *Int64) Load() int64 { return LoadInt64(&x.v) }

// Store writes val.
func (x *Int64) Store(val int64) { StoreInt64(&x.v, val) }

// Swap writes new and returns what it replaced.
func (x *Int64) Swap(new int64) (old int64) { return SwapInt64(&x.v, new) }

// CompareAndSwap writes new if the value is old and reports whether it did.
func (x *Int64) CompareAndSwap(old, new int64) (swapped bool) {
	return CompareAndSwapInt64(&x.v, old, new)
}

// Add adds delta and returns the sum.
func (x *Int64) Add(delta int64) (new int64) { return AddInt64(&x.v, delta) }

// And keeps the bits of mask and returns the value as it was before.
func (x *Int64) And(mask int64) (old int64) { return AndInt64(&x.v, mask) }

// Or sets the bits of mask and returns the value as it was before.
func (x *Int64) Or(mask int64) (old int64) { return OrInt64(&x.v, mask) }

// Uint32 has the methods of sync/atomic.Uint32 and reports each of its accesses.
type Uint32 struct {
	_ noCopy
	v uint32
}

// Load returns the value.
func (x *Uint32) Load() uint32 { return LoadUint32(&x.v) }

// Store writes val.
func (x *Uint32) Store(val uint32) { StoreUint32(&x.v, val) }

// Swap writes new and returns what it replaced.
func (x *Uint32) Swap(new uint32) (old uint32) { return SwapUint32(&x.v, new) }

// CompareAndSwap writes new if the value is old and reports whether it did.
func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool) {
	return CompareAndSwapUint32(&x.v, old, new)
}

// Add adds delta and returns the sum.
func (x *Uint32) Add(delta uint32) (new uint32) { return AddUint32(&x.v, delta) }

// And keeps the bits of mask and returns the value as it was before.
func (x *Uint32) And(mask uint32) (old uint32) { return AndUint32(&x.v, mask) }

// Or sets the bits of mask and returns the value as it was before.
func (x *Uint32) Or(mask uint32) (old uint32) { return OrUint32(&x.v, mask) }

// Uint64 has the methods of sync/atomic.Uint64 and reports each of its accesses.
type Uint64 struct {
	_ noCopy
	_ [0]atomic.Uint64 // the alignment of the original on every platform
	v uint64
}

// Load returns the value.
func (x *Uint64) Load() uint64 { return LoadUint64(&x.v) }

// Store writes val.
func (x *Uint64) Store(val uint64) { StoreUint64(&x.v, val) }

// Swap writes new and returns what it replaced.
func (x *Uint64) Swap(new uint64) (old uint64) { return SwapUint64(&x.v, new) }

// CompareAndSwap writes new if the value is old and reports whether it did.
func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	return CompareAndSwapUint64(&x.v, old, new)
}

// Add adds delta and returns the sum.
func (x *Uint64) Add(delta uint64) (new uint64) { return AddUint64(&x.v, delta) }

// And keeps the bits of mask and returns the value as it was before.
func (x *Uint64) And(mask uint64) (old uint64) { return AndUint64(&x.v, mask) }

// Or sets the bits of mask and returns the value as it was before.
func (x *Uint64) Or(mask uint64) (old uint64) { return OrUint64(&x.v, mask) }

// Uintptr has the methods of sync/atomic.Uintptr and reports each of its accesses.
type Uintptr struct {
	_ noCopy
	v uintptr
}

// Load returns the value.
func (x *Uintptr) Load() uintptr { return LoadUintptr(&x.v) }

// Store writes val.
func (x *Uintptr) Store(val uintptr) { StoreUintptr(&x.v, val) }

// Swap writes new and returns what it replaced.
func (x *Uintptr) Swap(new uintptr) (old uintptr) { return SwapUintptr(&x.v, new) }

// CompareAndSwap writes new if the value is old and reports whether it did.
func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool) {
	return CompareAndSwapUintptr(&x.v, old, new)
}

// Add adds delta and returns the sum.
func (x *Uintptr) Add(delta uintptr) (new uintptr) { return AddUintptr(&x.v, delta) }

// And keeps the bits of mask and returns the value as it was before.
func (x *Uintptr) And(mask uintptr) (old uintptr) { return AndUintptr(&x.v, mask) }

// Or sets the bits of mask and returns the value as it was before.
func (x *Uintptr) Or(mask uintptr) (old uintptr) { return OrUintptr(&x.v, mask) }
