package quota

import (
	"errors"
	"fmt"
)

// Bounds of Limits.
const (
	RateMax  = 100_000_000   // units a second
	UnitsMax = 1 << 32       // of a burst, and of one call
	DrainMax = 1800 * second // nanoseconds in which a bucket with a full burst must be empty
	RetryMin = second / 1000 // nanoseconds
	RetryMax = WaitMax
	WaitMax  = 3600 * second // nanoseconds that a penalty lasts
	// OffencesMax is the largest number of offences that is counted. Each offence doubles the wait, so the
	// longest wait is 2^(OffencesMax-1) times Limits.Retry, or WaitMax.
	OffencesMax = 7
	// AheadMost is the largest number of nanoseconds by which a word may be ahead of the clock of a caller.
	// Limits allow an hour. The caller may have read the clock and then have been stopped for another hour.
	// A word that is further ahead is damaged, or the clock was set back.
	AheadMost = 2 * 3600 * second

	second      = 1_000_000_000 // nanoseconds
	forgetAfter = 8             // times Retry without an offence, after which one is forgotten
)

// ErrLimits is wrapped by the errors of Limits.Check.
var ErrLimits = errors.New("limits of a quota unusable")

// Limits are the thresholds of a call. All processes should use the same limits. While the limits are being
// changed, each call judges by its own.
type Limits struct {
	Rate  uint64 // units a second that an identity may ask for: 1..RateMax
	Burst uint64 // units that it may ask for at once: 1..UnitsMax, and they must drain in DrainMax
	Retry uint64 // nanoseconds that the first offence makes a suspect: RetryMin..RetryMax
	Deny  int    // number of offences from which a suspect is denied: 1..OffencesMax; 0 is never
}

// Check returns an error that wraps ErrLimits and names the first field out of bounds, or nil.
func (l Limits) Check() error {
	bad := func(field string, found any, want string) error {
		return fmt.Errorf("%w: %s is %v, want %s: choose a value within the bounds", ErrLimits, field, found,
			want)
	}
	most := min(l.Rate*(DrainMax/second), UnitsMax)
	switch {
	case l.Rate < 1 || l.Rate > RateMax:
		return bad("Rate", l.Rate, fmt.Sprintf("1..%d", RateMax))
	case l.Burst < 1 || l.Burst > most:
		return bad("Burst", l.Burst, fmt.Sprintf("1..%d", most))
	case l.Retry < RetryMin || l.Retry > RetryMax:
		return bad("Retry", l.Retry, fmt.Sprintf("%d..%d nanoseconds", uint64(RetryMin), uint64(RetryMax)))
	case l.Deny < 0 || l.Deny > OffencesMax:
		return bad("Deny", l.Deny, fmt.Sprintf("0..%d", OffencesMax))
	}
	return nil
}

// cost is the level of so many units. That of one unit is rounded up to nanoseconds, so the enforced rate is
// lower than Rate, by Rate/second of it at most. Each unit costs the same, so a burst is exactly Burst units,
// however many calls ask for them.
func (l Limits) cost(units uint64) uint64 {
	return min(units, UnitsMax) * ((second + l.Rate - 1) / l.Rate)
}

// tolerance is the level of a full burst.
func (l Limits) tolerance() uint64 { return l.cost(l.Burst) }

// most is the highest level of a cell. An identity that asks for more for a long time has drained to a full
// burst in the time in which one drains.
func (l Limits) most() uint64 { return 2 * l.tolerance() }

// wait is how long an identity with so many offences is a suspect.
func (l Limits) wait(offences int) uint64 {
	return min(l.Retry<<(min(max(offences, 1), OffencesMax)-1), WaitMax)
}

// forget is the time without an offence after which one offence is forgotten.
func (l Limits) forget() uint64 { return forgetAfter * l.Retry }

// longest is how long a penalty can last.
func (l Limits) longest() uint64 { return max(l.wait(OffencesMax), l.tolerance()) + offencesMask }

// CalmAfter is the largest number of nanoseconds for which an identity that has stopped asking can remain a
// suspect, or denied, if all calls have used these limits.
func (l Limits) CalmAfter() uint64 { return l.longest() }
