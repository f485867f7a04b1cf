//go:build unix

package driver

import (
	"syscall"
	"time"
)

// processorTime is the processor time of this process.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return time.Duration(time.Now().UnixNano()) // as if the process never waited
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
