package processes

import (
	"os"
	"syscall"
	"time"

	"github.com/samecycle/samecycle/impl/region"
)

// fileLocks is the System of a process that has mapped the file by itself: the locks of one open file
// description, on the bytes on which a region file has them.
type fileLocks struct {
	region.Futex
	f *os.File
	l region.Layout
}

var _ region.System = fileLocks{}

// Commands of fcntl that package syscall does not name.
const (
	ofdGetLock = 36
	ofdSetLock = 37
)

func (d fileLocks) lock(kind int16, index uint32) syscall.Flock_t {
	at := d.l.Offset(region.Own, region.OwnProcesses) + uint64(index)*region.ProcessBytes
	return syscall.Flock_t{Type: kind, Start: int64(at), Len: 1}
}

func (d fileLocks) set(kind int16, index uint32) (bool, error) {
	l := d.lock(kind, index)
	switch err := syscall.FcntlFlock(d.f.Fd(), ofdSetLock, &l); err {
	case nil:
		return true, nil
	case syscall.EAGAIN, syscall.EACCES:
		return false, nil
	default:
		return false, err
	}
}

// Lock implements region.System.
func (d fileLocks) Lock(index uint32) (bool, error) { return d.set(syscall.F_WRLCK, index) }

// Unlock implements region.System.
func (d fileLocks) Unlock(index uint32) error {
	_, err := d.set(syscall.F_UNLCK, index)
	return err
}

// Locked implements region.System.
func (d fileLocks) Locked(index uint32) (bool, error) {
	l := d.lock(syscall.F_WRLCK, index)
	err := syscall.FcntlFlock(d.f.Fd(), ofdGetLock, &l)
	return l.Type != syscall.F_UNLCK, err
}

// Pid implements region.System.
func (d fileLocks) Pid() uint64 { return uint64(os.Getpid()) }

// Now implements region.System.
func (d fileLocks) Now() uint64 { return uint64(time.Now().UnixNano()) }
