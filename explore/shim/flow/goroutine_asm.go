//go:build amd64 || arm64

package flow

// goroutine returns a number that distinguishes the calling goroutine from all other existing goroutines.
func goroutine() uintptr
