package cachestorm

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// This file measures how long a call waited. A call of the cache may sleep, for a handle of its process, so
// the processor time of its thread does not show that. The time on the wall without the scheduler's part is
// the call's own time: work, sleep, and waiting for others. The scheduler's part is the time for which the
// threads of the process were ready to run and had no processor: the second number of
// proc/self/task/*/schedstat. It is taken from all threads, because another thread ends a sleep. It is read
// every meterEvery, and after each call that took longer than slowAfter. So the time before the call counts,
// too, but for no longer than meterEvery.

// clockNow is CLOCK_MONOTONIC in nanoseconds, one for all processes.
func clockNow() int64 {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		return 0
	}
	return ts.Nano()
}

// schedule returns how long the threads of this process have run, and how long they were ready without a
// processor, in nanoseconds. ok is false if the kernel does not count that.
func schedule() (ran, ready int64, ok bool) {
	dir, err := os.Open("/proc/self/task")
	if err != nil {
		return 0, 0, false
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return 0, 0, false
	}
	for _, name := range names {
		text, err := os.ReadFile("/proc/self/task/" + name + "/schedstat")
		if err != nil {
			continue // the thread has ended
		}
		f := bytes.Fields(text)
		if len(f) < 2 {
			return 0, 0, false
		}
		a, errA := strconv.ParseInt(string(f[0]), 10, 64)
		b, errB := strconv.ParseInt(string(f[1]), 10, 64)
		if errA != nil || errB != nil {
			return 0, 0, false
		}
		ran, ready, ok = ran+a, ready+b, true
	}
	return ran, ready, ok
}

// stolen returns how long the processors of a virtual machine were taken away, in nanoseconds. It is 0 if
// the kernel does not report that.
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

// majorFaults returns the number of page faults of this process that had to read something, for example a
// part of the program.
func majorFaults() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return int64(u.Majflt) // of 32 bits on some systems
}
