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

// refuse installs the filter on this thread.
func refuse(list []refusal) error {
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		end   = unix.BPF_RET | unix.BPF_K
	)
	// What the filter sees is the number of the call, and its arguments of 64 bits from byte 16 on.
	half := uint32(0)
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		half = 4
	}
	var all []unix.SockFilter
	for _, x := range list {
		is, at := x.is, 16+8*x.at+half
		if !x.asked {
			is, at = uint32(x.call), 0
		}
		all = append(all, unix.SockFilter{Code: load},
			unix.SockFilter{Code: equal, Jf: 3, K: uint32(x.call)},
			unix.SockFilter{Code: load, K: at}, unix.SockFilter{Code: equal, Jf: 1, K: is},
			unix.SockFilter{Code: end, K: unix.SECCOMP_RET_ERRNO | uint32(x.why)})
	}
	all = append(all, unix.SockFilter{Code: end, K: unix.SECCOMP_RET_ALLOW})
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(all)), Filter: &all[0]}
	_, _, failed := unix.Syscall(unix.SYS_PRCTL, unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER,
		uintptr(unsafe.Pointer(&program)))
	if failed != 0 {
		return failed
	}
	return nil
}
