//go:build !linux

package stress

import "time"

// The clocks of a system whose threads have none that this program knows. Processes, for which they
// are needed, do not run there.

var started = time.Now()

func systemClock() int64 { return int64(time.Since(started)) }

func threadClock() int64 { return 0 }

func stolen() int64 { return 0 }

func nap(d time.Duration) { time.Sleep(d) }
