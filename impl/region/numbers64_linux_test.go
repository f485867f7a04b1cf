//go:build !(386 || arm)

package region

import "golang.org/x/sys/unix"

// The numbers of the system calls that have others on a machine of 32 bits.
const (
	callFcntl     = unix.SYS_FCNTL
	callFstat     = unix.SYS_FSTAT
	callFstatat   = unix.SYS_NEWFSTATAT
	callFtruncate = unix.SYS_FTRUNCATE
	callGeteuid   = unix.SYS_GETEUID
	callMmap      = unix.SYS_MMAP
)
