package stress

import "time"

// readingEvery is how many operations lie between two readings of the thread's clock; an operation
// that takes longer than slowAfter is followed by another reading.
const (
	readingEvery = 64
	slowAfter    = int64(2 * time.Millisecond)
)

// meter tells how long operations take, and for how much of it their thread ran. The engine never
// sleeps, which internal/lint holds it to: an operation that waits for another actor burns processor
// time. So the time in which a thread did not run is the system's, and the time in which it ran is at
// least the operation's.
type meter struct {
	base  time.Time
	shift int64 // of the system's monotonic clock against the program's
	last  int64 // what the thread's clock showed
}

func newMeter() *meter {
	m := &meter{base: time.Now()}
	m.shift = systemClock() - int64(time.Since(m.base))
	return m
}

// now is the system's monotonic clock in nanoseconds, the same for all processes to about a
// microsecond.
func (m *meter) now() int64 { return int64(time.Since(m.base)) + m.shift }

func (m *meter) read() { m.last = threadClock() }

// slow says how much the thread ran since the last reading, the slow operation included.
func (m *meter) slow(spent int64) slowness {
	before := m.last
	m.read()
	return slowness{spent, m.last - before}
}
