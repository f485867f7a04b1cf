package region

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// The locks are those of open file descriptions (F_OFD_SETLK): one byte of the file for an entry.
// Two handles in one process have two descriptions, so they exclude one another, and the locks of
// both end with the process. A description must have no second descriptor that could outlive it,
// so it is never duplicated and never inherited.

// doLock is what a person does when a lock cannot be taken or asked for.
const doLock = "put the region on a local file system that has locks of open file descriptions"

// lockFile takes the lock of an entry, or reports that another handle has it.
func (r *Region) lockFile(index uint32) (bool, error) {
	l := unix.Flock_t{Type: unix.F_WRLCK, Start: r.entryOffset(index), Len: 1}
	err := r.control(unix.F_OFD_SETLK, &l)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES):
		return false, nil
	}
	return false, system("lock a process entry", r.file, doLock, err)
}

// unlockFile gives it up.
func (r *Region) unlockFile(index uint32) error {
	l := unix.Flock_t{Type: unix.F_UNLCK, Start: r.entryOffset(index), Len: 1}
	if err := r.control(unix.F_OFD_SETLK, &l); err != nil {
		return system("unlock a process entry", r.file, doLock, err)
	}
	return nil
}

// fileLocked reports whether another handle has the lock of the entry.
func (r *Region) fileLocked(index uint32) (bool, error) {
	l := unix.Flock_t{Type: unix.F_WRLCK, Start: r.entryOffset(index), Len: 1}
	if err := r.control(unix.F_OFD_GETLK, &l); err != nil {
		return false, system("ask for the lock of a process entry", r.file, doLock, err)
	}
	return l.Type != unix.F_UNLCK, nil
}

func (r *Region) control(command int, l *unix.Flock_t) error {
	_, err := retry(func() (int, error) { return 0, unix.FcntlFlock(uintptr(r.fd), command, l) })
	return err
}

func pid() uint64 { return uint64(os.Getpid()) }

// now is the time in nanoseconds since 1970, 0 when the system does not tell.
func now() uint64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_REALTIME, &t) != nil {
		return 0
	}
	return uint64(t.Nano())
}

// closeFile ends the open file description, and with it the lock.
func (r *Region) closeFile() error {
	fd := r.fd
	r.fd = noFile
	if err := unix.Close(fd); err != nil {
		return system("close", r.file, "check the file system", err)
	}
	return nil
}
