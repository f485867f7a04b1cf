// Package reflectlite stands in for internal/reflectlite in copies of packages of the standard library. It
// reports the elements that are swapped.
package reflectlite

import (
	"reflect"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// ValueOf does what that of package reflect does.
func ValueOf(v any) reflect.Value { return reflect.ValueOf(v) }

// Swapper returns a function that swaps two elements of a slice.
func Swapper(slice any) func(i, j int) {
	v, swap := reflect.ValueOf(slice), reflect.Swapper(slice)
	first, size, n := v.UnsafePointer(), v.Type().Elem().Size(), v.Len()
	return func(i, j int) {
		for _, k := range []int{i, j} {
			if k >= 0 && k < n {
				hook.Access(hook.Plain{P: unsafe.Add(first, uintptr(k)*size), Size: size, Write: true,
					Name: "an element by package sort"})
			}
		}
		swap(i, j)
	}
}
