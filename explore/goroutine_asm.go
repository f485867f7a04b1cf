//go:build amd64 || arm64

package explore

// goroutine returns a number that distinguishes the calling goroutine from all other existing goroutines.
func goroutine() uintptr
