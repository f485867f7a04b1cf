//go:build amd64 || arm64

package flow

// goroutine returns what tells the calling goroutine from all others that there are.
func goroutine() uintptr
