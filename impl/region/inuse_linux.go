package region

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// replace puts zeroed memory in the place of a mapping, in one step: a concurrent access reaches either the
// old or the new memory. The zeros are a memory file without pages, and a page takes memory only when
// somebody writes to it. So they take nothing from the memory that the program may use, even if private
// memory is limited or reserved in advance. The new mapping is first made elsewhere, without access, so that
// a program that locks all its memory does not get all of it filled. If replace fails, the mapping is as it
// was.
func replace(mapped []byte) (err error) {
	fd, err := unix.MemfdCreate("closed region", unix.MFD_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	size := uintptr(len(mapped))
	if err := unix.Ftruncate(fd, int64(size)); err != nil {
		return err
	}
	at, err := unix.MmapPtr(fd, 0, nil, size, unix.PROT_NONE, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = unix.MunmapPtr(at, size)
		}
	}()
	zeros := unsafe.Slice((*byte)(at), size)
	if err := unix.Munlock(zeros); err != nil {
		return err
	}
	if err := unix.Mprotect(zeros, unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return err
	}
	_, err = unix.MremapPtr(at, size, unsafe.Pointer(unsafe.SliceData(mapped)), size,
		unix.MREMAP_MAYMOVE|unix.MREMAP_FIXED)
	return err
}
