//go:build explore

package seam

import (
	"testing"
	"unsafe"
)

// An access beside the words of a region fails the execution, even where the processor allows it.
func TestWord_OffItsPlace(t *testing.T) {
	var words [2]Uint64
	for off := range uintptr(9) {
		failed := func() (failed bool) {
			defer func() { failed = recover() != nil }()
			word((*Uint64)(unsafe.Add(unsafe.Pointer(&words), off)))
			return false
		}()
		if failed != (off%8 != 0) {
			t.Errorf("%d bytes behind a word: refused is %t", off, failed)
		}
	}
}
