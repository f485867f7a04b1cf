//go:build !explore && (amd64 || arm64)

package seam

// Pause tells the processor that the caller spins. It takes some 10 to 150 cycles, in which a processor with
// several threads a core gives what it has to the others.
//
//go:noescape
func Pause()
