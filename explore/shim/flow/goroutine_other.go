//go:build !amd64 && !arm64

package flow

import (
	"runtime"
	"strconv"
	"strings"
)

// goroutine returns a number that distinguishes the calling goroutine from all other existing goroutines.
func goroutine() uintptr {
	var text [64]byte
	all := strings.Fields(string(text[:runtime.Stack(text[:], false)])) // goroutine 7 [running]:
	n, _ := strconv.ParseUint(all[1], 10, 64)
	return uintptr(n)
}
