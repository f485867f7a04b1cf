package stress

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"time"
)

// blockedAfter is the processor time of its own thread after which an operation counts as blocked.
const blockedAfter = int64(10 * time.Millisecond)

// Latency is the distribution of the times that operations took, in nanoseconds. Quantiles are
// those of the histogram, whose steps are an eighth of a power of two: an object, which is {} where no
// operation was measured, such as those around deaths when nobody died.
type Latency struct {
	Operations uint64 `json:"operations"`
	P50        int64  `json:"p50_ns"`
	P99        int64  `json:"p99_ns"`
	Max        int64  `json:"max_ns"`
	Over       uint64 `json:"over_10ms"`    // real time, whatever it went to
	Blocked    uint64 `json:"blocked"`      // of these, those that took 10 ms of their own
	Own        int64  `json:"own_max_ns"`   // longest time of its own of any operation over 2 ms
	Installs   uint32 `json:"installs_max"` // most of what the subject counts, in one call

	Steps map[int64]uint64 `json:"histogram"` // by the upper end of the step
}

// add counts one operation.
func (l *Latency) add(e effort) {
	l.Operations++
	l.Max = max(l.Max, e.spent)
	l.Installs = max(l.Installs, e.count)
	if e.spent > blockedAfter {
		l.Over++
	}
	if l.Steps == nil {
		l.Steps = map[int64]uint64{}
	}
	l.Steps[stepOf(e.spent)]++
}

// stepOf is the upper end of a time's step: its highest bit and the three below it, rounded up.
func stepOf(ns int64) int64 {
	n := uint64(max(ns, 8))
	low := bits.Len64(n) - 4
	return int64((n>>low+1)<<low) - 1
}

// settle computes the quantiles. Without operations the histogram has no steps, but there is one.
func (l *Latency) settle() {
	l.P50, l.P99 = l.quantile(0.5), l.quantile(0.99)
	if l.Steps == nil {
		l.Steps = map[int64]uint64{}
	}
}

// quantile is the upper end of the step in which the quantile lies, or the longest time.
func (l *Latency) quantile(q float64) int64 {
	left := uint64(math.Ceil(q * float64(l.Operations)))
	for _, end := range slices.Sorted(maps.Keys(l.Steps)) {
		n := l.Steps[end]
		if n >= left {
			return min(l.Max, end)
		}
		left -= n
	}
	return 0
}

// String has the quantiles in microseconds.
func (l *Latency) String() string {
	us := func(ns int64) string { return fmt.Sprintf("%.1f", float64(ns)/1000) }
	return fmt.Sprintf("%d operations, p50 %s us, p99 %s us, max %s us; %d over 10 ms, %d of them "+
		"of their own", l.Operations, us(l.P50), us(l.P99), us(l.Max), l.Over, l.Blocked)
}

// span is an interval of the system's clock in nanoseconds.
type span struct{ from, to int64 }

func (s span) overlap(from, to int64) int64 { return max(0, min(s.to, to)-max(s.from, from)) }

// String tells both times.
func (s slowness) String() string {
	return fmt.Sprintf("%.1f ms, in which its thread ran for %.1f ms", float64(s.spent)/1e6,
		float64(s.own())/1e6)
}

// own is at most how long the operation was at work.
func (s slowness) own() int64 { return min(s.spent, s.ran) }

// longer is the span until the process certainly runs again: the kernel may take a moment.
func (s span) longer() span { return span{s.from, s.to + int64(2*time.Millisecond)} }

// stolenUnit is the resolution of the time that the machine under a virtual one takes away.
const stolenUnit = int64(10 * time.Millisecond)

// count puts the operations of one client in one round into the distribution that they belong to:
// near a death or a stop, or the control. Operations during which their own process was stopped
// count nowhere. stolen is for how long the machine was taken away in that round, by all of its
// processors: no clock of a thread tells. It returns the operations that were blocked.
func (l *Latency) count(events []Event, slow []slowness, stopped []span,
	stolen int64) (blocked []slowness) {
	for i := range events {
		e := &events[i]
		halted := int64(0)
		for _, x := range stopped {
			halted += x.overlap(e.start, e.start+e.spent)
		}
		if !e.Pending && halted == 0 {
			l.add(e.effort)
		}
	}
	for _, s := range slow {
		own := s.own()
		l.Own = max(l.Own, own)
		if stolen > 0 && own <= stolen+stolenUnit {
			continue
		}
		if own > blockedAfter {
			l.Blocked++
			blocked = append(blocked, s)
		}
	}
	return blocked
}
