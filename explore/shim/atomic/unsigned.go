package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// LoadUint32 reports and does what sync/atomic.LoadUint32 does.
func LoadUint32(addr *uint32) (val uint32) {
	s := before(hook.Load, unsafe.Pointer(addr))
	if s == nil {
		return atomic.LoadUint32(addr)
	}
	val = *addr
	s.After(hook.Load, unsafe.Pointer(addr), uint64(val), uint64(val), true)
	return val
}

// StoreUint32 reports and does what sync/atomic.StoreUint32 does.
func StoreUint32(addr *uint32, val uint32) {
	s := before(hook.Store, unsafe.Pointer(addr))
	if s == nil {
		atomic.StoreUint32(addr, val)
		return
	}
	old := *addr
	*addr = val
	s.After(hook.Store, unsafe.Pointer(addr), uint64(old), uint64(val), true)
}

// SwapUint32 reports and does what sync/atomic.SwapUint32 does.
func SwapUint32(addr *uint32, new uint32) (old uint32) {
	s := before(hook.Swap, unsafe.Pointer(addr))
	if s == nil {
		return atomic.SwapUint32(addr, new)
	}
	old = *addr
	*addr = new
	s.After(hook.Swap, unsafe.Pointer(addr), uint64(old), uint64(new), true)
	return old
}

// CompareAndSwapUint32 reports and does what sync/atomic.CompareAndSwapUint32 does.
func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool) {
	s := before(hook.CompareAndSwap, unsafe.Pointer(addr))
	if s == nil {
		return atomic.CompareAndSwapUint32(addr, old, new)
	}
	found := *addr
	if swapped = found == old; swapped {
		*addr = new
	}
	s.After(hook.CompareAndSwap, unsafe.Pointer(addr), uint64(found), uint64(new), swapped)
	return swapped
}

// AddUint32 reports and does what sync/atomic.AddUint32 does.
func AddUint32(addr *uint32, delta uint32) (new uint32) {
	s := before(hook.Add, unsafe.Pointer(addr))
	if s == nil {
		return atomic.AddUint32(addr, delta)
	}
	old := *addr
	new = old + delta
	*addr = new
	s.After(hook.Add, unsafe.Pointer(addr), uint64(old), uint64(new), true)
	return new
}

// AndUint32 reports and does what sync/atomic.AndUint32 does.
func AndUint32(addr *uint32, mask uint32) (old uint32) {
	s := before(hook.And, unsafe.Pointer(addr))
	if s == nil {
		return atomic.AndUint32(addr, mask)
	}
	old = *addr
	*addr = old & mask
	s.After(hook.And, unsafe.Pointer(addr), uint64(old), uint64(old&mask), true)
	return old
}

// OrUint32 reports and does what sync/atomic.OrUint32 does.
func OrUint32(addr *uint32, mask uint32) (old uint32) {
	s := before(hook.Or, unsafe.Pointer(addr))
	if s == nil {
		return atomic.OrUint32(addr, mask)
	}
	old = *addr
	*addr = old | mask
	s.After(hook.Or, unsafe.Pointer(addr), uint64(old), uint64(old|mask), true)
	return old
}

// LoadUint64 reports and does what sync/atomic.LoadUint64 does.
func LoadUint64(addr *uint64) (val uint64) {
	s := before(hook.Load, unsafe.Pointer(addr))
	if s == nil {
		return atomic.LoadUint64(addr)
	}
	val = *addr
	s.After(hook.Load, unsafe.Pointer(addr), val, val, true)
	return val
}

// StoreUint64 reports and does what sync/atomic.StoreUint64 does.
func StoreUint64(addr *uint64, val uint64) {
	s := before(hook.Store, unsafe.Pointer(addr))
	if s == nil {
		atomic.StoreUint64(addr, val)
		return
	}
	old := *addr
	*addr = val
	s.After(hook.Store, unsafe.Pointer(addr), old, val, true)
}

// SwapUint64 reports and does what sync/atomic.SwapUint64 does.
func SwapUint64(addr *uint64, new uint64) (old uint64) {
	s := before(hook.Swap, unsafe.Pointer(addr))
	if s == nil {
		return atomic.SwapUint64(addr, new)
	}
	old = *addr
	*addr = new
	s.After(hook.Swap, unsafe.Pointer(addr), old, new, true)
	return old
}

// CompareAndSwapUint64 reports and does what sync/atomic.CompareAndSwapUint64 does.
func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool) {
	s := before(hook.CompareAndSwap, unsafe.Pointer(addr))
	if s == nil {
		return atomic.CompareAndSwapUint64(addr, old, new)
	}
	found := *addr
	if swapped = found == old; swapped {
		*addr = new
	}
	s.After(hook.CompareAndSwap, unsafe.Pointer(addr), found, new, swapped)
	return swapped
}

// AddUint64 reports and does what sync/atomic.AddUint64 does.
func AddUint64(addr *uint64, delta uint64) (new uint64) {
	s := before(hook.Add, unsafe.Pointer(addr))
	if s == nil {
		return atomic.AddUint64(addr, delta)
	}
	old := *addr
	new = old + delta
	*addr = new
	s.After(hook.Add, unsafe.Pointer(addr), old, new, true)
	return new
}

// AndUint64 reports and does what sync/atomic.AndUint64 does.
func AndUint64(addr *uint64, mask uint64) (old uint64) {
	s := before(hook.And, unsafe.Pointer(addr))
	if s == nil {
		return atomic.AndUint64(addr, mask)
	}
	old = *addr
	*addr = old & mask
	s.After(hook.And, unsafe.Pointer(addr), old, old&mask, true)
	return old
}

// OrUint64 reports and does what sync/atomic.OrUint64 does.
func OrUint64(addr *uint64, mask uint64) (old uint64) {
	s := before(hook.Or, unsafe.Pointer(addr))
	if s == nil {
		return atomic.OrUint64(addr, mask)
	}
	old = *addr
	*addr = old | mask
	s.After(hook.Or, unsafe.Pointer(addr), old, old|mask, true)
	return old
}

// LoadUintptr reports and does what sync/atomic.LoadUintptr does.
func LoadUintptr(addr *uintptr) (val uintptr) {
	s := before(hook.Load, unsafe.Pointer(addr))
	if s == nil {
		return atomic.LoadUintptr(addr)
	}
	val = *addr
	s.After(hook.Load, unsafe.Pointer(addr), uint64(val), uint64(val), true)
	return val
}

// StoreUintptr reports and does what sync/atomic.StoreUintptr does.
func StoreUintptr(addr *uintptr, val uintptr) {
	s := before(hook.Store, unsafe.Pointer(addr))
	if s == nil {
		atomic.StoreUintptr(addr, val)
		return
	}
	old := *addr
	*addr = val
	s.After(hook.Store, unsafe.Pointer(addr), uint64(old), uint64(val), true)
}

// SwapUintptr reports and does what sync/atomic.SwapUintptr does.
func SwapUintptr(addr *uintptr, new uintptr) (old uintptr) {
	s := before(hook.Swap, unsafe.Pointer(addr))
	if s == nil {
		return atomic.SwapUintptr(addr, new)
	}
	old = *addr
	*addr = new
	s.After(hook.Swap, unsafe.Pointer(addr), uint64(old), uint64(new), true)
	return old
}

// CompareAndSwapUintptr reports and does what sync/atomic.CompareAndSwapUintptr does.
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool) {
	s := before(hook.CompareAndSwap, unsafe.Pointer(addr))
	if s == nil {
		return atomic.CompareAndSwapUintptr(addr, old, new)
	}
	found := *addr
	if swapped = found == old; swapped {
		*addr = new
	}
	s.After(hook.CompareAndSwap, unsafe.Pointer(addr), uint64(found), uint64(new), swapped)
	return swapped
}

// AddUintptr reports and does what sync/atomic.AddUintptr does.
func AddUintptr(addr *uintptr, delta uintptr) (new uintptr) {
	s := before(hook.Add, unsafe.Pointer(addr))
	if s == nil {
		return atomic.AddUintptr(addr, delta)
	}
	old := *addr
	new = old + delta
	*addr = new
	s.After(hook.Add, unsafe.Pointer(addr), uint64(old), uint64(new), true)
	return new
}

// AndUintptr reports and does what sync/atomic.AndUintptr does.
func AndUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	s := before(hook.And, unsafe.Pointer(addr))
	if s == nil {
		return atomic.AndUintptr(addr, mask)
	}
	old = *addr
	*addr = old & mask
	s.After(hook.And, unsafe.Pointer(addr), uint64(old), uint64(old&mask), true)
	return old
}

// OrUintptr reports and does what sync/atomic.OrUintptr does.
func OrUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	s := before(hook.Or, unsafe.Pointer(addr))
	if s == nil {
		return atomic.OrUintptr(addr, mask)
	}
	old = *addr
	*addr = old | mask
	s.After(hook.Or, unsafe.Pointer(addr), uint64(old), uint64(old|mask), true)
	return old
}
