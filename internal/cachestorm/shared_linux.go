package cachestorm

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapWords maps a file of so many words; with make it creates the file, with all words zero.
func mapWords(path string, n int, make bool) (shared, error) {
	flags := os.O_RDWR
	if make {
		flags |= os.O_CREATE | os.O_EXCL
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, fmt.Errorf("board of the storm: %w", err)
	}
	size := int64(n) * 8
	if make {
		err = f.Truncate(size)
	} else if info, e := f.Stat(); e != nil || info.Size() != size {
		err = errors.Join(e, fmt.Errorf("%w: the board has not %d words", ErrAssignment, n))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("board of the storm: %w", err), f.Close())
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("board of the storm: %w", err)
	}
	return unsafe.Slice((*atomic.Uint64)(unsafe.Pointer(unsafe.SliceData(b))), n), nil
}

func (b *board) close() error {
	return unix.Munmap(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b.words))), len(b.words)*8))
}

// halt stops the process, and resume lets it continue. That a process has ended is noticed elsewhere.
func (p *process) halt() { _ = p.cmd.Process.Signal(syscall.SIGSTOP) }

func (p *process) resume() { _ = p.cmd.Process.Signal(syscall.SIGCONT) }
