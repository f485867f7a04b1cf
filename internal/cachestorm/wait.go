package cachestorm

import (
	"math"
	"time"
)

// stolenUnit is the resolution of the time that the machine under a virtual one takes away.
const stolenUnit = int64(10 * time.Millisecond)

// The scheduler is asked every meterEvery, and behind each call that took longer than slowAfter.
const (
	meterEvery = 2 * time.Millisecond
	slowAfter  = 5 * time.Millisecond
)

// waitMost is how long a call may take beyond the scheduler.
const waitMost = int64(10 * time.Millisecond)

// slowness is a call that took long, in nanoseconds.
type slowness struct {
	slot         int
	kind         kind
	begin, spent int64
	ready        int64 // of all threads of the process, without a processor
	ran          int64 // of all threads
	faults       int64 // major page faults of the process since the meter was read last
	allowed      int64 // for which the call may wait for somebody else
}

// own is what neither the scheduler nor the time of a call by a service explains.
func (x slowness) own() int64 { return max(0, x.spent-x.ready-x.allowed) }

// meter measures the calls of one thread.
type meter struct {
	base       time.Time
	shift      int64 // of the system's clock against the program's
	read       int64 // when the scheduler was last asked
	ran, ready int64 // what it said
	faults     int64 // major page faults of the process until then
}

func newMeter() *meter {
	m := &meter{base: time.Now()}
	m.shift = shiftOf(m.base, clockNow)
	m.ask()
	return m
}

// Both clocks are read until that took no longer than shiftNear, or the nearest of shiftTries counts: else
// all times of a process that had no processor in between would be off.
const (
	shiftNear  = int64(20 * time.Microsecond)
	shiftTries = 100
)

// shiftOf is what a clock of the system says more than the program's since base.
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

// before is the time ahead of a call.
func (m *meter) before() int64 {
	now := m.now()
	if now-m.read > int64(meterEvery) {
		m.ask()
		now = m.now()
	}
	return now
}

// behind is how long the call took that began then, and whether it is one to be looked at.
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
