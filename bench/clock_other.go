//go:build !linux

package bench

// cpuClock is told on Linux only.
func cpuClock() (ns int64, ok bool) { return 0, false }
