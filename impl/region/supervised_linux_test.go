package region

import (
	"errors"
	"os"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// systemCall is a call as the system hears of it.
type systemCall struct {
	id         uint64
	pid, flags uint32
	number     int32
	arch       uint32
	at         uint64
	arguments  [6]uint64
}

// systemAnswer is what comes of it: an error, or that it goes on as if nobody had asked.
type systemAnswer struct {
	id    uint64
	value int64
	err   int32
	flags uint32
}

// supervised runs f on a thread of its own, and asks of each of its system calls in the list, whatever its
// reason is there, whether it is made: 0 lets it pass, anything else is its error in place of it. It returns
// the calls in their order. answer may be nil; it may not make f wait. f tells its failures by t.Error.
func supervised(t *testing.T, f func(), answer func(systemCall) unix.Errno, list ...refusal) []systemCall {
	t.Helper()
	var asks []unix.SockFilter
	for _, x := range list {
		asks = append(asks, x.ends(unix.SECCOMP_RET_USER_NOTIF)...)
	}
	listener, ended := make(chan int), make(chan error, 1)
	end, over, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer end.Close()
	go func() { // the thread ends with it, and the filter with the thread
		runtime.LockOSThread()
		// A signal that ends the wait for an answer would make one call two.
		fd, err := filter(asks,
			unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
		listener <- fd
		if err == nil {
			f()
		}
		ended <- err
		_, _ = over.Write([]byte{0}) // a close here would be one of the calls
	}()
	fd := <-listener
	if fd == noFile {
		t.Skipf("NOT RUN: supervised system calls are missing (%v); run the tests on a system that has them",
			<-ended)
	}
	all, err := supervise(fd, int(end.Fd()), answer)
	// Whoever waits for an answer gets an error by the close.
	if err := errors.Join(err, unix.Close(fd), <-ended, over.Close()); err != nil {
		t.Fatal(err)
	}
	return all
}

// supervise answers until something comes out of end.
func supervise(fd, end int, answer func(c systemCall) unix.Errno) (all []systemCall, err error) {
	for {
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(end), Events: unix.POLLIN}}
		if _, err := unix.Poll(ready, -1); err != nil && !errors.Is(err, unix.EINTR) {
			return all, err
		}
		switch {
		case ready[0].Revents&unix.POLLIN != 0:
		case ready[1].Revents != 0:
			return all, nil
		default:
			continue
		}
		var c systemCall
		err := ioctl(fd, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&c))
		if errors.Is(err, unix.ENOENT) {
			continue // a signal was faster: it comes once more
		}
		if err != nil {
			return all, err
		}
		all = append(all, c)
		reply := systemAnswer{id: c.id}
		if answer != nil {
			reply.err = -int32(answer(c))
		}
		if reply.err == 0 {
			reply.flags = unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE
		}
		if err := ioctl(fd, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&reply)); err != nil {
			return all, err
		}
	}
}

// ioctl asks something of an open descriptor, until no signal interrupts it.
func ioctl(fd int, request uintptr, with unsafe.Pointer) error {
	_, err := retry(func() (int, error) {
		_, _, failed := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(with))
		if failed != 0 {
			return 0, failed
		}
		return 0, nil
	})
	return err
}
