package hostile

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// prepare restores the good file, and maps it.
func (x *round) prepare() error {
	f, err := os.OpenFile(x.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("file of the cache: %w", err)
	}
	defer f.Close()
	if err := f.Truncate(int64(len(x.image.bytes))); err != nil {
		return fmt.Errorf("file of the cache: %w", err)
	}
	size := len(x.image.bytes)
	x.file, err = unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return fmt.Errorf("file of the cache: %w", err)
	}
	copy(x.file, x.image.bytes)
	return nil
}

func (x *round) unmap() error { return unix.Munmap(x.file) }

func (x *round) truncate(length int) error { return os.Truncate(x.path, int64(length)) }
