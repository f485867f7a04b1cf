//go:build !linux

package stress

import "time"

// clock on a system whose threads have no clocks that this program knows. Processes, for which
// they are needed, do not run there.
type clock struct{}

var started = time.Now()

func openClock() clock { return clock{} }

func (clock) system() int64 { return int64(time.Since(started)) }

func (clock) thread() (cpu, queue int64) { return 0, 0 }

func nap(d time.Duration) { time.Sleep(d) }

func (clock) stolen() int64 { return 0 }
