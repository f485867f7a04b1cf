package cachestorm

import (
	"math"
	"time"
)

// stolenUnit is the resolution of the time that the host of a virtual machine takes away.
const stolenUnit = int64(10 * time.Millisecond)

// The scheduler's times are read every meterEvery, and after each call that took longer than slowAfter.
const (
	meterEvery = 2 * time.Millisecond
	slowAfter  = 5 * time.Millisecond
)

// waitMost is how long a call may take, not counting the time of the scheduler.
const waitMost = int64(10 * time.Millisecond)

// slowness is a call that took long, in nanoseconds.
type slowness struct {
	slot         int
	kind         kind
	begin, spent int64
	ready        int64 // of all threads of the process, ready without a processor
	ran          int64 // of all threads
	faults       int64 // major page faults of the process since they were last read
	allowed      int64 // for which the call may wait for others
	nth          int64 // call of its thread in the round
}

// own is the time that neither the scheduler nor the allowed time of the call explains.
func (x slowness) own() int64 { return max(0, x.spent-x.ready-x.allowed) }

// meter measures the calls of one thread.
type meter struct {
	base       time.Time
	shift      int64 // of the system's clock relative to the program's
	read       int64 // when the scheduler's times were last read
	ran, ready int64 // the values then
	faults     int64 // major page faults of the process until then
}

func newMeter() *meter {
	m := &meter{base: time.Now()}
	m.shift = shiftOf(m.base, clockNow)
	m.ask()
	return m
}

// Both clocks are read until that takes no longer than shiftNear; after shiftTries the pair of readings that
// took least counts. Otherwise all times of a process that had no processor in between would be wrong.
const (
	shiftNear  = int64(20 * time.Microsecond)
	shiftTries = 100
)

// shiftOf returns how far a clock of the system is ahead of the program's time since base.
func shiftOf(base time.Time, clock func() int64) (shift int64) {
	near := int64(math.MaxInt64)
	for range shiftTries {
		before := int64(time.Since(base))
		system := clock()
		if took := int64(time.Since(base)) - before; took < near {
			near, shift = took, system-before
		}
		if near < shiftNear {
			break
		}
	}
	return shift
}

// now is the system's clock.
func (m *meter) now() int64 { return int64(time.Since(m.base)) + m.shift }

func (m *meter) ask() {
	m.ran, m.ready, _ = schedule()
	m.faults = majorFaults()
	m.read = m.now()
}

// before returns the time before a call.
func (m *meter) before() int64 {
	now := m.now()
	if now-m.read > int64(meterEvery) {
		m.ask()
		now = m.now()
	}
	return now
}

// behind returns how long the call took that began at that time, and whether it has to be judged.
func (m *meter) behind(k kind, begin int64) (spent int64, x slowness, slow bool) {
	spent = m.now() - begin
	if spent <= int64(slowAfter) {
		return spent, x, false
	}
	ran, ready, faults := m.ran, m.ready, m.faults
	m.ask()
	x = slowness{kind: k, begin: begin, spent: spent, ready: m.ready - ready, ran: m.ran - ran,
		faults: m.faults - faults}
	return spent, x, true
}

// span is an interval of the system's clock in nanoseconds.
type span struct{ from, to int64 }

// meets reports whether the span has an instant in common with a call.
func (s span) meets(x slowness) bool { return s.from <= x.begin+x.spent && x.begin <= s.to }
