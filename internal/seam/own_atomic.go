//go:build explore || !amd64 || race

package seam

// StoreOwn writes a word ahead of a compare-and-swap by the same actor, on any word and with nothing
// but other StoreOwns in between: the fields of a record before the word that makes it public. Here
// it is Store: explored it is a step, the race detector wants an atomic access, and other processors
// than amd64 do not keep stores in order.
func StoreOwn(x *Uint64, val uint64) { x.Store(val) }
