package stress

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// clock reads the clocks of the calling thread, to which its goroutine is locked.
type clock struct{ schedstat *os.File }

// openClock opens what the kernel says of the calling thread; without it the time in the queue
// for a processor is not known, and reads as zero.
func openClock() clock {
	f, err := os.Open("/proc/thread-self/schedstat")
	if err != nil {
		return clock{}
	}
	return clock{f}
}

// system is CLOCK_MONOTONIC in nanoseconds.
func (clock) system() int64 { return nanoseconds(unix.CLOCK_MONOTONIC) }

// thread is how long the thread has run, and how long it has waited for a processor.
func (c clock) thread() (cpu, queue int64) {
	var buf [96]byte
	if c.schedstat != nil {
		if n, _ := c.schedstat.ReadAt(buf[:], 0); n > 0 {
			if f := bytes.Fields(buf[:n]); len(f) == 3 {
				queue, _ = strconv.ParseInt(string(f[1]), 10, 64)
			}
		}
	}
	return nanoseconds(unix.CLOCK_THREAD_CPUTIME_ID), queue
}

// stolen is for how long the processors of a virtual machine were taken away, in nanoseconds; 0 where
// the kernel does not say. The kernel counts in hundredths of a second.
func (clock) stolen() int64 {
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

func nanoseconds(id int32) int64 {
	var ts unix.Timespec
	if unix.ClockGettime(id, &ts) != nil {
		return 0
	}
	return ts.Nano()
}
