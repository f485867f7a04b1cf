package cache

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// startFile has another text after each start of the host.
const startFile = "/proc/sys/kernel/random/boot_id"

// offsetsFile says how much the clocks of this process's time namespace are ahead of those of the host.
const offsetsFile = "/proc/self/timens_offsets"

// sinceStart is the time since the host was started, suspended or not. It is the same in all time namespaces:
// processes of different containers may share a cache.
func sinceStart() (since time.Duration, ok bool) {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &t) != nil {
		return 0, false
	}
	return time.Duration(t.Nano()) - ahead(), true
}

// ahead is how much the clock of the time since the start is ahead in this process, which never changes.
var ahead = sync.OnceValue(func() time.Duration {
	text, err := os.ReadFile(offsetsFile)
	if err != nil {
		return 0 // a system without time namespaces
	}
	return offsetOf(text)
})

// offsetOf is the offset of the clock boottime in the text of offsetsFile: lines of a clock, seconds and
// nanoseconds.
func offsetOf(text []byte) time.Duration {
	for line := range strings.Lines(string(text)) {
		var seconds, nanoseconds int64
		if n, _ := fmt.Sscanf(line, "boottime %d %d", &seconds, &nanoseconds); n == 2 {
			return time.Duration(seconds)*time.Second + time.Duration(nanoseconds)
		}
	}
	return 0
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
