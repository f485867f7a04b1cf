package stress

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// systemClock is CLOCK_MONOTONIC in nanoseconds, one for all processes.
func systemClock() int64 { return nanoseconds(unix.CLOCK_MONOTONIC) }

// threadClock is how long the calling thread has run, in nanoseconds. The goroutine is locked to it.
func threadClock() int64 { return nanoseconds(unix.CLOCK_THREAD_CPUTIME_ID) }

func nanoseconds(id int32) int64 {
	var ts unix.Timespec
	if unix.ClockGettime(id, &ts) != nil {
		return 0
	}
	return ts.Nano()
}

// stolen is for how long the processors of a virtual machine were taken away, in nanoseconds; 0 where
// the kernel does not say. The kernel counts in hundredths of a second.
func stolen() int64 {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	const column = 8 // after the name: user nice system idle iowait irq softirq steal
	f := bytes.Fields(line)
	if len(f) <= column {
		return 0
	}
	n, _ := strconv.ParseInt(string(f[column]), 10, 64)
	return n * stolenUnit
}

// nap sleeps in the thread itself: for a goroutine that is locked to its thread, a sleep of Go's takes
// two switches of threads.
func nap(d time.Duration) {
	ts := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&ts, nil) // a signal may end it early
}
