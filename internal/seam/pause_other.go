//go:build explore || !(amd64 || arm64)

package seam

// Pause tells the processor that the caller spins, where it has an instruction for that. In the explored
// build it does nothing: an actor that waits there calls Gosched.
func Pause() {}
