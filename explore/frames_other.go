//go:build !amd64

package explore

import (
	"runtime"
	"unsafe"
)

// returnAddresses stores up to n return addresses of the calling goroutine's frames at dst,
// innermost first, leaving out skip of them, and returns how many it stored.
func returnAddresses(dst *uintptr, n, skip int) int {
	return runtime.Callers(skip+1, unsafe.Slice(dst, n))
}
