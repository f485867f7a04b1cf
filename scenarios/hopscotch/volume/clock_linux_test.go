package volume

import "golang.org/x/sys/unix"

// threadTime is how long the calling thread has run, in nanoseconds.
func threadTime() int64 {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts) != nil {
		return 0
	}
	return ts.Nano()
}
