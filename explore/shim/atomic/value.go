package atomic

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// Value has the methods of sync/atomic.Value and reports each of its accesses. Each value stored
// gets a box of its own, and the box's name stands for the value in reports.
//
// As with the original, the zero Value holds nil, all values stored must have the same concrete
// type, and nil cannot be stored.
type Value struct {
	_ noCopy
	v unsafe.Pointer // *any; the box is never written after it was published
}

// Load returns the value, nil if none was stored.
func (v *Value) Load() (val any) { return unbox(LoadPointer(&v.v)) }

// Store writes val. It panics if val is nil or of another type than the value held.
func (v *Value) Store(val any) { v.exchange(val, "store") }

// Swap writes new and returns what it replaced, nil if nothing. It panics as Store does.
func (v *Value) Swap(new any) (old any) { return unbox(v.exchange(new, "swap")) }

// CompareAndSwap writes new if the value equals old and reports whether it did. It panics if new
// is nil, if types differ, or if the values are not comparable.
func (v *Value) CompareAndSwap(old, new any) (swapped bool) {
	if new == nil {
		panic("sync/atomic: compare and swap of nil value into Value")
	}
	if old != nil && reflect.TypeOf(old) != reflect.TypeOf(new) {
		panic("sync/atomic: compare and swap of inconsistently typed values")
	}
	for {
		held := LoadPointer(&v.v)
		mustMatch(held, new, "compare and swap")
		if unbox(held) != old {
			return false
		}
		if CompareAndSwapPointer(&v.v, held, unsafe.Pointer(&new)) {
			return true
		}
	}
}

// exchange publishes a new box and returns the old one. The type never changes once it is set, so the check
// may come before the exchange. It misses only two first stores of different types at the same time,
// outside an exploration.
func (v *Value) exchange(val any, what string) unsafe.Pointer {
	if val == nil {
		panic("sync/atomic: " + what + " of nil value into Value")
	}
	s := before(hook.Swap, unsafe.Pointer(&v.v))
	mustMatch(atomic.LoadPointer(&v.v), val, what)
	box := unsafe.Pointer(&val)
	old := atomic.SwapPointer(&v.v, box)
	afterPointer(s, hook.Swap, unsafe.Pointer(&v.v), old, box, true)
	return old
}

func mustMatch(box unsafe.Pointer, val any, what string) {
	if box != nil && reflect.TypeOf(unbox(box)) != reflect.TypeOf(val) {
		panic("sync/atomic: " + what + " of inconsistently typed value into Value")
	}
}

func unbox(box unsafe.Pointer) any {
	if box == nil {
		return nil
	}
	return *(*any)(box)
}
