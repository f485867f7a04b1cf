package stress

import "time"

// readingEvery is how many operations lie between two readings of the thread's clocks; an operation
// that takes longer than slowAfter is followed by another reading.
const (
	readingEvery = 64
	slowAfter    = int64(2 * time.Millisecond)
)

// meter tells how long operations take, and where the time of the slow ones went. The engine never
// sleeps: an operation that waits for another actor burns processor time. So the time of a
// thread that was not given a processor is the system's, and all other time is the operation's.
type meter struct {
	clock clock
	base  time.Time
	shift int64 // of the system's monotonic clock against the program's
	last  reading
}

// reading is what a thread's clocks showed.
type reading struct{ cpu, queue, at int64 }

func newMeter() *meter {
	m := &meter{base: time.Now(), clock: openClock()}
	m.shift = m.clock.system() - int64(time.Since(m.base))
	return m
}

// now is the system's monotonic clock in nanoseconds, the same for all processes to about a
// microsecond.
func (m *meter) now() int64 { return int64(time.Since(m.base)) + m.shift }

func (m *meter) read() { m.last = m.reading() }

func (m *meter) reading() reading {
	cpu, queue := m.clock.thread()
	return reading{cpu, queue, m.now()}
}

// slow says where the time since the last reading went, the slow operation included.
func (m *meter) slow(start, spent int64) slowness {
	before := m.last
	m.read()
	return slowness{Start: start, Spent: spent, CPU: m.last.cpu - before.cpu,
		Queue: m.last.queue - before.queue, Wall: m.last.at - before.at}
}
