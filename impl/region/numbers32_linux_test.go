//go:build 386 || arm

package region

import "golang.org/x/sys/unix"

// The numbers of the system calls that have others on a machine of 64 bits.
const (
	callFcntl     = unix.SYS_FCNTL64
	callFstat     = unix.SYS_FSTAT64
	callFstatat   = unix.SYS_FSTATAT64
	callFtruncate = unix.SYS_FTRUNCATE64
	callGeteuid   = unix.SYS_GETEUID32
	callMmap      = unix.SYS_MMAP2
)
