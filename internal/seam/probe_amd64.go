//go:build !explore && race

package seam

// probe writes to a word what is in it, unseen by the detector: where its page is gone, or is there to read
// only, the fault is here, in code of Go.
//
//go:noescape
func probe(x *Uint64)
