//go:build explore || !amd64

package seam

// Request asks for the cache line of a word that will be accessed soon. Here it is Load: explored it is a
// step, so that the order of requests can be seen, and other processors than amd64 have another instruction
// for it.
func Request(x *Uint64) { x.Load() }
