// Package goarch stands in for internal/goarch in a copy of the standard library's sync.Map.
package goarch

// PtrSize is the size of a pointer in bytes.
const PtrSize = 4 << (^uintptr(0) >> 63)
