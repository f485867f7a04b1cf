package stress

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

const wordBytes = 8

// createShared makes a file of so many words, all zero, and maps it. The file is not there yet.
func createShared(path string, words int) (shared, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("shared log: %w", err)
	}
	if err := f.Truncate(int64(words) * wordBytes); err != nil {
		return nil, errors.Join(fmt.Errorf("shared log: %w", err), f.Close())
	}
	return mapShared(f, words)
}

// openShared maps the file that createShared has made. Errors: it does not have so many words.
func openShared(path string, words int) (shared, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("shared log: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() != int64(words)*wordBytes {
		err = fmt.Errorf("%s has %d bytes, want %d: give the worker the run's own file", path, info.Size(),
			words*wordBytes)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("shared log: %w", err), f.Close())
	}
	return mapShared(f, words)
}

// mapShared maps the file, and closes it: the mapping stays.
func mapShared(f *os.File, words int) (shared, error) {
	b, err := unix.Mmap(int(f.Fd()), 0, words*wordBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("shared log: %w", err)
	}
	// A mapping begins at a page, so each word is aligned, and atomic across all mappings of the file.
	return unsafe.Slice((*atomic.Uint64)(unsafe.Pointer(unsafe.SliceData(b))), words), nil
}

// unmap gives the mapping back.
func (m shared) unmap() error {
	return unix.Munmap(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(m))), len(m)*wordBytes))
}
