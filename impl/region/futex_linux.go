package region

import (
	"math"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
	"golang.org/x/sys/unix"
)

// The operations of the system call that sleeps on a word. Without the flag for one process alone the
// system knows the word by its place in the file, wherever a process has mapped it.
const (
	futexOpWait = 0
	futexOpWake = 1
)

// futexSleep sleeps while *word is seen, at most so long. It reports whether the system can do that; a
// signal, or a wake for no reason, ends it early, and a page that is gone is for the caller's next
// look to find.
//
// A machine of 32 bits has no longer bound than 68 years, and takes what is more for one that is over.
func futexSleep(word *uint32, seen uint32, most seam.Duration) bool {
	t := unix.NsecToTimespec(int64(min(most, math.MaxInt32*seam.Second)))
	_, _, err := unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexOpWait, uintptr(seen),
		uintptr(unsafe.Pointer(&t)), 0, 0)
	switch err {
	case 0, unix.EAGAIN, unix.EINTR, unix.ETIMEDOUT:
		return true
	}
	return false
}

// futexWake wakes up to n sleepers. That it fails means that the page is gone, or the call is unknown:
// nobody sleeps then.
func futexWake(word *uint32, n int) {
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexOpWake, uintptr(n), 0, 0, 0)
}
