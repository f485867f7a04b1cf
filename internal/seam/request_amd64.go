//go:build !explore

package seam

// Request asks for the cache line of a word that will be accessed soon, and waits for nothing.
//
// It is the processor's prefetch, which is no access: it orders nothing, nothing is read, and where no
// memory is it does nothing. A load would do the same, but whatever is locked waits for all loads before
// it.
//
//go:noescape
func Request(x *Uint64)
