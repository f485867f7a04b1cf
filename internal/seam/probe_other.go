//go:build !explore && race && !amd64

package seam

// probe reads a word unseen by the detector: where its page is gone the fault is here, in code of Go. That
// of a page which is there to read only is not.
func probe(x *Uint64) { touch(x) }
