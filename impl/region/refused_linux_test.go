package region

import (
	"encoding/binary"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// refusal is a system call that the system refuses, and with which error: each of the calls of that number,
// or those with such an argument.
type refusal struct {
	call  uintptr
	why   unix.Errno
	at    uint32 // which argument, counted from 0
	is    uint32 // the low half of it
	asked bool   // whether the argument is looked at
}

// with is the refusal of the calls with such an argument only.
func (x refusal) with(at, is uint32) refusal {
	x.at, x.is, x.asked = at, is, true
	return x
}

// refused runs f where the system refuses the calls, and only there: on a thread of its own. The thread ends
// with the goroutine that never gives it back, and the filter with the thread. f tells its failures by
// t.Error.
func refused(t *testing.T, f func(), list ...refusal) {
	t.Helper()
	ended := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := refuse(list)
		if err == nil {
			f()
		}
		ended <- err
	}()
	if err := <-ended; err != nil {
		t.Skipf("NOT RUN: filters of system calls are missing (%v); "+
			"run the tests on a system that has them", err)
	}
}

// What a filter looks at and does: it loads a word, compares it, and ends with an answer.
const (
	filterLoad  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	filterEqual = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	filterEnd   = unix.BPF_RET | unix.BPF_K
)

// ends is the filter of the calls that the system refuses, which ends with that answer.
func (x refusal) ends(answer uint32) []unix.SockFilter {
	// What the filter sees is the number of the call, and its arguments of 64 bits from byte 16 on.
	half := uint32(0)
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		half = 4
	}
	is, at := x.is, 16+8*x.at+half
	if !x.asked {
		is, at = uint32(x.call), 0
	}
	return []unix.SockFilter{{Code: filterLoad}, {Code: filterEqual, Jf: 3, K: uint32(x.call)},
		{Code: filterLoad, K: at}, {Code: filterEqual, Jf: 1, K: is}, {Code: filterEnd, K: answer}}
}

// refuse installs the filter on this thread.
func refuse(list []refusal) error {
	var all []unix.SockFilter
	for _, x := range list {
		all = append(all, x.ends(unix.SECCOMP_RET_ERRNO|uint32(x.why))...)
	}
	_, err := filter(all, 0)
	return err
}

// filter installs a filter on this thread, which lets pass what the list does not end with another answer.
// It returns the descriptor of who is asked, if the flags say that there is one.
func filter(list []unix.SockFilter, flags uintptr) (int, error) {
	list = append(list, unix.SockFilter{Code: filterEnd, K: unix.SECCOMP_RET_ALLOW})
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return noFile, err
	}
	program := unix.SockFprog{Len: uint16(len(list)), Filter: &list[0]}
	fd, _, failed := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags,
		uintptr(unsafe.Pointer(&program)))
	if failed != 0 {
		return noFile, failed
	}
	return int(fd), nil
}
