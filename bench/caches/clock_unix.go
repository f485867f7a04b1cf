//go:build unix

package caches

import "golang.org/x/sys/unix"

// processTime is what all threads of the process have had of the processors, in nanoseconds.
func processTime() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
