package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// LoadInt32 reports and does what sync/atomic.LoadInt32 does.
func LoadInt32(addr *int32) (val int32) {
	s := before(hook.Load, unsafe.Pointer(addr))
	if s == nil {
		return atomic.LoadInt32(addr)
	}
	val = *addr
	s.After(hook.Load, unsafe.Pointer(addr), uint64(val), uint64(val), true)
	return val
}

// StoreInt32 reports and does what sync/atomic.StoreInt32 does.
func StoreInt32(addr *int32, val int32) {
	s := before(hook.Store, unsafe.Pointer(addr))
	if s == nil {
		atomic.StoreInt32(addr, val)
		return
	}
	old := *addr
	*addr = val
	s.After(hook.Store, unsafe.Pointer(addr), uint64(old), uint64(val), true)
}

// SwapInt32 reports and does what sync/atomic.SwapInt32 does.
func SwapInt32(addr *int32, new int32) (old int32) {
	s := before(hook.Swap, unsafe.Pointer(addr))
	if s == nil {
		return atomic.SwapInt32(addr, new)
	}
	old = *addr
	*addr = new
	s.After(hook.Swap, unsafe.Pointer(addr), uint64(old), uint64(new), true)
	return old
}

// CompareAndSwapInt32 reports and does what sync/atomic.CompareAndSwapInt32 does.
func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool) {
	s := before(hook.CompareAndSwap, unsafe.Pointer(addr))
	if s == nil {
		return atomic.CompareAndSwapInt32(addr, old, new)
	}
	found := *addr
	if swapped = found == old; swapped {
		*addr = new
	}
	s.After(hook.CompareAndSwap, unsafe.Pointer(addr), uint64(found), uint64(new), swapped)
	return swapped
}

// AddInt32 reports and does what sync/atomic.AddInt32 does.
func AddInt32(addr *int32, delta int32) (new int32) {
	s := before(hook.Add, unsafe.Pointer(addr))
	if s == nil {
		return atomic.AddInt32(addr, delta)
	}
	old := *addr
	new = old + delta
	*addr = new
	s.After(hook.Add, unsafe.Pointer(addr), uint64(old), uint64(new), true)
	return new
}

// AndInt32 reports and does what sync/atomic.AndInt32 does.
func AndInt32(addr *int32, mask int32) (old int32) {
	s := before(hook.And, unsafe.Pointer(addr))
	if s == nil {
		return atomic.AndInt32(addr, mask)
	}
	old = *addr
	*addr = old & mask
	s.After(hook.And, unsafe.Pointer(addr), uint64(old), uint64(old&mask), true)
	return old
}

// OrInt32 reports and does what sync/atomic.OrInt32 does.
func OrInt32(addr *int32, mask int32) (old int32) {
	s := before(hook.Or, unsafe.Pointer(addr))
	if s == nil {
		return atomic.OrInt32(addr, mask)
	}
	old = *addr
	*addr = old | mask
	s.After(hook.Or, unsafe.Pointer(addr), uint64(old), uint64(old|mask), true)
	return old
}

// LoadInt64 reports and does what sync/atomic.LoadInt64 does.
func LoadInt64(addr *int64) (val int64) {
	s := before(hook.Load, unsafe.Pointer(addr))
	if s == nil {
		return atomic.LoadInt64(addr)
	}
	val = *addr
	s.After(hook.Load, unsafe.Pointer(addr), uint64(val), uint64(val), true)
	return val
}

// StoreInt64 reports and does what sync/atomic.StoreInt64 does.
func StoreInt64(addr *int64, val int64) {
	s := before(hook.Store, unsafe.Pointer(addr))
	if s == nil {
		atomic.StoreInt64(addr, val)
		return
	}
	old := *addr
	*addr = val
	s.After(hook.Store, unsafe.Pointer(addr), uint64(old), uint64(val), true)
}

// SwapInt64 reports and does what sync/atomic.SwapInt64 does.
func SwapInt64(addr *int64, new int64) (old int64) {
	s := before(hook.Swap, unsafe.Pointer(addr))
	if s == nil {
		return atomic.SwapInt64(addr, new)
	}
	old = *addr
	*addr = new
	s.After(hook.Swap, unsafe.Pointer(addr), uint64(old), uint64(new), true)
	return old
}

// CompareAndSwapInt64 reports and does what sync/atomic.CompareAndSwapInt64 does.
func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool) {
	s := before(hook.CompareAndSwap, unsafe.Pointer(addr))
	if s == nil {
		return atomic.CompareAndSwapInt64(addr, old, new)
	}
	found := *addr
	if swapped = found == old; swapped {
		*addr = new
	}
	s.After(hook.CompareAndSwap, unsafe.Pointer(addr), uint64(found), uint64(new), swapped)
	return swapped
}

// AddInt64 reports and does what sync/atomic.AddInt64 does.
func AddInt64(addr *int64, delta int64) (new int64) {
	s := before(hook.Add, unsafe.Pointer(addr))
	if s == nil {
		return atomic.AddInt64(addr, delta)
	}
	old := *addr
	new = old + delta
	*addr = new
	s.After(hook.Add, unsafe.Pointer(addr), uint64(old), uint64(new), true)
	return new
}

// AndInt64 reports and does what sync/atomic.AndInt64 does.
func AndInt64(addr *int64, mask int64) (old int64) {
	s := before(hook.And, unsafe.Pointer(addr))
	if s == nil {
		return atomic.AndInt64(addr, mask)
	}
	old = *addr
	*addr = old & mask
	s.After(hook.And, unsafe.Pointer(addr), uint64(old), uint64(old&mask), true)
	return old
}

// OrInt64 reports and does what sync/atomic.OrInt64 does.
func OrInt64(addr *int64, mask int64) (old int64) {
	s := before(hook.Or, unsafe.Pointer(addr))
	if s == nil {
		return atomic.OrInt64(addr, mask)
	}
	old = *addr
	*addr = old | mask
	s.After(hook.Or, unsafe.Pointer(addr), uint64(old), uint64(old|mask), true)
	return old
}
