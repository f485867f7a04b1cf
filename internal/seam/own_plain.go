//go:build !explore && amd64 && !race

package seam

import "unsafe"

// StoreOwn writes a word ahead of a compare-and-swap by the same actor, on any word and with nothing
// but other StoreOwns in between: the fields of a record before the word that makes it public.
//
// It is a move, where Store is a locked exchange. Nobody can tell the difference. The processor lets
// others see stores in their order, and the compare-and-swap drains them before it is done; what a
// move may be late for is a load of the same actor in between, and there is none. The compiler
// keeps stores in order, too, and ahead of an atomic operation.
func StoreOwn(x *Uint64, val uint64) { *(*uint64)(unsafe.Pointer(x)) = val }
