package region

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// signalledCall is a call, and system calls that it makes, at least these, in their order.
type signalledCall struct {
	name  string
	calls []uintptr
	call  func() error
}

// closed is the error of an open, or of the close after it.
func closed[T interface{ Close() error }](opened T, err error) error {
	if err != nil {
		return err
	}
	return opened.Close()
}

func signalledFiles(path string, f *os.File) []signalledCall {
	inPlace := func() error {
		c, err := newCreation(path+"-placed", small)
		if err != nil {
			return err
		}
		return closed(c.createInPlace())
	}
	return []signalledCall{
		{"create", []uintptr{unix.SYS_OPENAT, callFtruncate, unix.SYS_FALLOCATE, callFcntl,
			unix.SYS_LINKAT}, func() error { return closed(Create(path+"-unseen", small)) }},
		{"create in place", []uintptr{unix.SYS_OPENAT, callFtruncate, unix.SYS_FALLOCATE,
			callFcntl}, inPlace},
		{"memory", []uintptr{callFtruncate, unix.SYS_FALLOCATE, callFcntl},
			func() error { return closed(Memory("table", small)) }},
		{"open", []uintptr{unix.SYS_OPENAT, unix.SYS_FALLOCATE, callFcntl},
			func() error { return closed(Open(path, small)) }},
		{"open file", []uintptr{unix.SYS_OPENAT, unix.SYS_FALLOCATE, callFcntl},
			func() error { return closed(OpenFile(f, small)) }},
		{"observe", []uintptr{unix.SYS_OPENAT}, func() error { return closed(Observe(path)) }},
		{"unlink", []uintptr{unix.SYS_OPENAT, unix.SYS_PREAD64},
			func() error { return Unlink(path + "-placed") }},
	}
}

func signalledHandles(r *Region) []signalledCall {
	lock := func() error {
		ok, err := r.lockFile(5)
		if !ok && err == nil {
			err = unix.EBUSY
		}
		return errors.Join(err, r.unlockFile(5))
	}
	return []signalledCall{
		{"share", []uintptr{unix.SYS_OPENAT}, func() error { return closed(r.Share()) }},
		{"locked", []uintptr{callFcntl}, func() error { return failed(r.fileLocked(5)) }},
		{"lock and unlock", []uintptr{callFcntl, callFcntl}, lock},
	}
}

// TestSignals_EndNoCall: a signal may interrupt each system call of a handle, which is made until none does.
func TestSignals_EndNoCall(t *testing.T) {
	path, r := mustCreate(t)
	c, err := newCreation(path, small)
	if err != nil {
		t.Fatal(err)
	}
	unseen(t, c) // create does so, too
	if err := c.abandon(); err != nil {
		t.Fatal(err)
	}
	f, err := r.Share()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, c := range append(signalledFiles(path, f), signalledHandles(r)...) {
		tries, at := 0, 0
		interrupts := func(call systemCall) unix.Errno {
			if at < len(c.calls) && uintptr(call.number) == c.calls[at] {
				if tries++; tries <= 3 {
					return unix.EINTR
				}
				tries, at = 0, at+1
			}
			return 0
		}
		var err error
		supervised(t, func() { err = c.call() }, interrupts, noOpen, noLength, noRoom, noRead, noLink, noLock,
			noAnswer)
		if err != nil || at != len(c.calls) {
			t.Errorf("%s: %v; of %v the first %d were interrupted, and made again", c.name, err, c.calls, at)
		}
	}
}
