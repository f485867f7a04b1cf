package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// LoadPointer reports and does what sync/atomic.LoadPointer does.
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) {
	s := before(hook.Load, unsafe.Pointer(addr))
	val = atomic.LoadPointer(addr)
	afterPointer(s, hook.Load, unsafe.Pointer(addr), val, val, true)
	return val
}

// StorePointer reports and does what sync/atomic.StorePointer does.
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) {
	s := before(hook.Store, unsafe.Pointer(addr))
	old := atomic.SwapPointer(addr, val)
	afterPointer(s, hook.Store, unsafe.Pointer(addr), old, val, true)
}

// SwapPointer reports and does what sync/atomic.SwapPointer does.
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	s := before(hook.Swap, unsafe.Pointer(addr))
	old = atomic.SwapPointer(addr, new)
	afterPointer(s, hook.Swap, unsafe.Pointer(addr), old, new, true)
	return old
}

// CompareAndSwapPointer reports and does what sync/atomic.CompareAndSwapPointer does.
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	s := before(hook.CompareAndSwap, unsafe.Pointer(addr))
	found := atomic.LoadPointer(addr)
	swapped = atomic.CompareAndSwapPointer(addr, old, new)
	afterPointer(s, hook.CompareAndSwap, unsafe.Pointer(addr), found, new, swapped)
	return swapped
}

// Pointer has the methods of sync/atomic.Pointer and reports each of its accesses.
type Pointer[T any] struct {
	_ [0]*T // no conversion between Pointers of different types
	_ noCopy
	v unsafe.Pointer
}

// Load returns the pointer.
func (x *Pointer[T]) Load() *T { return (*T)(LoadPointer(&x.v)) }

// Store writes val.
func (x *Pointer[T]) Store(val *T) { StorePointer(&x.v, unsafe.Pointer(val)) }

// Swap writes new and returns what it replaced.
func (x *Pointer[T]) Swap(new *T) (old *T) {
	return (*T)(SwapPointer(&x.v, unsafe.Pointer(new)))
}

// CompareAndSwap writes new if the pointer is old and reports whether it did.
func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	return CompareAndSwapPointer(&x.v, unsafe.Pointer(old), unsafe.Pointer(new))
}

// Bool has the methods of sync/atomic.Bool and reports each of its accesses.
type Bool struct {
	_ noCopy
	v uint32
}

// Load returns the value.
func (x *Bool) Load() bool { return LoadUint32(&x.v) != 0 }

// Store writes val.
func (x *Bool) Store(val bool) { StoreUint32(&x.v, bit(val)) }

// Swap writes new and returns what it replaced.
func (x *Bool) Swap(new bool) (old bool) { return SwapUint32(&x.v, bit(new)) != 0 }

// CompareAndSwap writes new if the value is old and reports whether it did.
func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	return CompareAndSwapUint32(&x.v, bit(old), bit(new))
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
