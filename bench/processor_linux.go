package bench

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// onProcessor calls f in a thread that runs on one processor only: for who = 0 and 1 another one each. With
// less than two to choose from, or where the system refuses, it calls f as it is.
func onProcessor(who int, f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all, one unix.CPUSet
	if unix.SchedGetaffinity(0, &all) == nil && all.Count() > 1 {
		one.Set(processors(&all)[who])
		if unix.SchedSetaffinity(0, &one) == nil {
			defer func() { _ = unix.SchedSetaffinity(0, &all) }()
		}
	}
	f()
}

// processors are the numbers in the set.
func processors(set *unix.CPUSet) (numbers []int) {
	for i := 0; len(numbers) < set.Count(); i++ {
		if set.IsSet(i) {
			numbers = append(numbers, i)
		}
	}
	return numbers
}
