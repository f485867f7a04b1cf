//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is what has been used so far.
func cpuTime() cpu {
	of := func(who int) time.Duration {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) != nil {
			return 0
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return cpu{self: of(syscall.RUSAGE_SELF), programs: of(syscall.RUSAGE_CHILDREN)}
}
