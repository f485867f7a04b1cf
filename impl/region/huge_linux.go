package region

import (
	"errors"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapFile maps size bytes of the file, shared with every other process that does.
func (r *Region) mapFile(size, access int) error {
	place, memory, err := mapShared(r.fd, size, access)
	if err != nil {
		return system("map", r.file, "check memory limits and the file system", err)
	}
	r.mapped = place
	r.adopt(memory)
	return nil
}

// mapShared maps the file. A file of HugePage bytes or more is mapped at a multiple of HugePage, because the
// system maps a huge page of a file as such only if both begin alike. The addresses around it stay reserved,
// without memory. It returns the whole place, which is given back as a whole, and the memory in it.
func mapShared(fd, size, access int) (place, memory []byte, err error) {
	if size < HugePage || strconv.IntSize == 32 { // of addresses with 32 bits there are too few to spare some
		place, err = unix.Mmap(fd, 0, size, access, unix.MAP_SHARED)
		return place, place, err
	}
	place, err = unix.Mmap(-1, 0, size+HugePage, unix.PROT_NONE,
		unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return nil, nil, err
	}
	memory = aligned(place, HugePage)[:size]
	_, err = unix.MmapPtr(fd, 0, unsafe.Pointer(unsafe.SliceData(memory)), uintptr(size), access,
		unix.MAP_SHARED|unix.MAP_FIXED)
	if err != nil {
		return nil, nil, errors.Join(err, unix.Munmap(place))
	}
	return place, memory, nil
}

// takeHuge gives a new, empty file of a tmpfs its length, and huge pages as its memory, for all processes
// that will map it. Lookups at random then miss fewer translations of addresses, and zeroing the file takes a
// quarter of the time. If the system refuses, reserve uses ordinary pages. Linux 6.1 and later grants huge
// pages, unless the administrator denies them to all tmpfs.
//
// The system turns memory into a huge page only if it already has a page. So a byte of each is written first.
// This is a write to the file and not to memory, where a full file system would be a fault.
func takeHuge(fd, size int) Huge {
	var system unix.Statfs_t
	whole := size / HugePage * HugePage
	if whole == 0 || strconv.IntSize == 32 || unix.Fstatfs(fd, &system) != nil ||
		system.Type != unix.TMPFS_MAGIC {
		return HugeNotAsked
	}
	if unix.Ftruncate(fd, int64(size)) != nil { // at once: an opener never meets a length in between
		return HugeRefused
	}
	for at := 0; at < whole; at += HugePage {
		if _, err := unix.Pwrite(fd, make([]byte, 1), int64(at)); err != nil {
			return HugeRefused
		}
	}
	place, memory, err := mapShared(fd, whole, unix.PROT_READ|unix.PROT_WRITE)
	if err != nil {
		return HugeRefused
	}
	refused := unix.Madvise(memory, unix.MADV_COLLAPSE)
	if errors.Join(refused, unix.Munmap(place)) != nil {
		return HugeRefused
	}
	return HugeGranted
}

// mapAnonymous is zeroed memory outside the Go heap, aligned to HugePage.
func (r *Region) mapAnonymous(size int) ([]byte, error) {
	memory, err := unix.Mmap(-1, 0, size+HugePage, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, system("map memory", "on the heap", "choose a smaller layout", err)
	}
	r.mapped = memory
	usable := aligned(memory, HugePage)[:size]
	r.huge = HugeAsked
	if unix.Madvise(usable, unix.MADV_HUGEPAGE) != nil {
		r.huge = HugeRefused
	}
	return usable, nil
}
