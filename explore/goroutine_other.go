//go:build !amd64 && !arm64

package explore

// goroutine returns the same for all goroutines: here none is told from another, so no stray is found.
func goroutine() uintptr { return 0 }
