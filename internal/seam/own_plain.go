//go:build !explore && amd64 && !race

package seam

import "unsafe"

// StoreOwn writes a word ahead of a compare-and-swap by the same actor, on any word and with nothing
// but other StoreOwns in between: the fields of a record before the word that makes it public.
//
// It is a move, where Store is a locked exchange. Nobody can tell the difference. Other processors see the
// stores in their order, and the compare-and-swap completes them first. A plain move could only be
// overtaken by a later load of the same actor before the compare-and-swap, and there is no such load. The
// compiler keeps stores in order, too, and ahead of an atomic operation.
func StoreOwn(x *Uint64, val uint64) { *(*uint64)(unsafe.Pointer(x)) = val }
