package cache

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// startFile has another text after each start of the host.
const startFile = "/proc/sys/kernel/random/boot_id"

// sinceStart is the time since the host was started, suspended or not.
func sinceStart() (since time.Duration, ok bool) {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &t) != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}

// startNumber tells this start of the host from others. It is made of the text of startFile, 1 if there is
// none.
func startNumber() uint64 {
	text, err := os.ReadFile(startFile)
	if err != nil {
		return 1
	}
	return sipHash([2]uint64{}, text)>>startBits | 1
}
