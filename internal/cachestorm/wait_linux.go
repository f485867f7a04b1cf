package cachestorm

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// How long a call waited. A call of the cache may sleep, for a handle of its process, so the processor time
// of its thread says nothing of that. What is left of the time on the wall when the scheduler's part is
// taken off is the call's own: work, sleep, and waiting for others. The scheduler's part is the time for
// which the threads of the process were ready to run and had no processor: the second number of
// proc/self/task/*/schedstat. Of all threads, since the one that ends a sleep is another one. It is read
// every meterEvery, and behind each call that took longer than slowAfter: so what it was before the call
// counts, too, but not for longer than meterEvery.

// clockNow is CLOCK_MONOTONIC in nanoseconds, one for all processes.
func clockNow() int64 {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		return 0
	}
	return ts.Nano()
}

// schedule is for how long the threads of this process have run, and were ready without a processor, in
// nanoseconds. ok is false where the kernel does not count that.
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
			continue // it has ended meanwhile
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

// stolen is for how long the processors of a virtual machine were taken away, in nanoseconds; 0 where the
// kernel does not say.
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

// majorFaults is how many page faults of this process had to read something, such as a part of the program.
func majorFaults() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return int64(u.Majflt) // of 32 bits on some systems
}
