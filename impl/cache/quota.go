package cache

import (
	"fmt"
	"time"

	"github.com/samecycle/samecycle/impl/quota"
)

// Quota has the thresholds of Cache.Ask in this process. If a threshold is zero, the live parameter
// quota.object, quota.client or quota.retry decides; these hold for all processes, and set no limits unless
// somebody has tuned them. Processes whose thresholds differ share the counts all the same.
type Quota struct {
	// Object is how often one key may be asked for before it becomes a suspect, in calls a second of all
	// clients of all processes together; at most quota.RateMax.
	Object uint64
	// Client is how often one client may ask, in calls a second for any keys; at most quota.RateMax.
	Client uint64
	// Burst says how many calls may come at once: as many as the rate allows in this time, at most 30
	// minutes. 0 is a second.
	Burst time.Duration
	// Retry is how long the first offence makes a key a suspect, a millisecond to an hour. Each further
	// offence doubles this time, up to 64 times Retry and up to an hour.
	Retry time.Duration
	// Action is what Ask does with a suspect.
	Action Action
}

// Action is what Ask does with a key that is a suspect.
type Action uint8

const (
	// ActionRefuse does not return the value, and says when to ask again.
	ActionRefuse Action = iota
	// ActionWarn returns the value with the answer, if the entry is there. The key is never Denied.
	ActionWarn
	// ActionExpel is ActionRefuse, and also removes the entry at the third offence, with an event of reason
	// Expelled.
	ActionExpel
)

// String is the name in lower case.
func (a Action) String() string {
	switch a {
	case ActionRefuse:
		return "refuse"
	case ActionWarn:
		return "warn"
	case ActionExpel:
		return "expel"
	}
	return fmt.Sprintf("action%d", uint8(a))
}

// Bounds and defaults of quotas.
const (
	burstNormal   = time.Second
	burstMost     = 30 * time.Minute
	retryNormal   = 1000           // milliseconds
	retryMost     = 3600 * 1000    // milliseconds
	denyFrom      = 3              // offences
	objectsPart   = 1 << 14        // bytes of the cache for each column of the sketch of objects
	objectsLeast  = 32             // columns
	objectsMost   = quota.WidthMax // columns
	clientsLeast  = 64             // columns of the sketch of clients
	clientsPart   = 4              // columns of the sketch of objects for each of that of clients
	sampleMost    = 16             // calls that one sample stands for
	gapMost       = 16             // times as many calls are between two samples at most
	samplesBurst  = 64             // samples that a burst has at least, if it is of as many calls
	sampleHistory = 64             // clients that a process knows to be over their limits
)

// objectsLayout and clientsLayout are the sketches of a cache of so many bytes. They take some 0.4 percent of
// it, and more of a small cache.
func objectsLayout(bytes uint64) quota.Layout {
	width := min(max(bytes/objectsPart, objectsLeast), objectsMost)
	return quota.Layout{Width: powerBelow(uint32(width)), Penalties: true}
}

func clientsLayout(bytes uint64) quota.Layout {
	return quota.Layout{Width: max(objectsLayout(bytes).Width/clientsPart, clientsLeast)}
}

// check returns an *Error that names the first field out of bounds, or nil. Zero is no error.
func (q Quota) check() error {
	const retryLeast = time.Millisecond
	switch {
	case q.Object > quota.RateMax || q.Client > quota.RateMax:
		return &Error{"Quota", fmt.Sprintf("%d a second for a key, %d for a client", q.Object, q.Client),
			fmt.Sprintf("at most %d each", quota.RateMax), "choose lower rates, or 0 for the live parameters"}
	case q.Burst < 0 || q.Burst > burstMost:
		return &Error{"Quota.Burst", q.Burst.String(), "at most " + burstMost.String(),
			"choose the time in which a rate allows as much as may come at once, or 0 for a second"}
	case q.Retry != 0 && (q.Retry < retryLeast || q.Retry > retryMost*retryLeast):
		return &Error{"Quota.Retry", q.Retry.String(), "1ms..1h0m0s",
			"choose the first time for which a key is a suspect, or 0 for the live parameter"}
	case q.Action > ActionExpel:
		return &Error{"Quota.Action", q.Action.String(), "refuse, warn or expel", "choose one of these"}
	}
	return nil
}

// thresholds are the limits of a call.
type thresholds struct {
	object, client quota.Limits // Rate 0 is no limit
	units          uint64       // calls that one sample stands for
}

// thresholds returns the limits that are in force now.
func (c *Cache) thresholds() thresholds {
	q := c.options.Quota
	if q.Object == 0 {
		q.Object = c.params.value(liveObject)
	}
	q.Client = c.clientRate()
	retry := uint64(q.Retry)
	if retry == 0 {
		retry = c.params.value(liveRetry) * nanos
	}
	burst := q.Burst
	if burst == 0 {
		burst = burstNormal
	}
	t := thresholds{object: limitsOf(q.Object, burst, retry), client: limitsOf(q.Client, burst, retry),
		units: sampleMost}
	if q.Action != ActionWarn {
		t.object.Deny = denyFrom
	}
	for _, l := range []quota.Limits{t.object, t.client} {
		if l.Rate != 0 {
			t.units = min(t.units, max(l.Burst/samplesBurst, 1))
		}
	}
	return t
}

// clientRate is how often a client may ask, in calls a second; 0 is no limit.
func (c *Cache) clientRate() uint64 {
	if n := c.options.Quota.Client; n != 0 {
		return n
	}
	return c.params.value(liveClient)
}

// limitsOf returns the limits of a rate; a rate of 0 has none.
func limitsOf(rate uint64, burst time.Duration, retry uint64) quota.Limits {
	if rate == 0 {
		return quota.Limits{}
	}
	whole, part := uint64(burst/time.Millisecond)/1000, uint64(burst/time.Millisecond)%1000
	units := rate*whole + rate*part/1000 // RateMax for 30 minutes is less than 2^64
	return quota.Limits{Rate: rate, Burst: min(max(units, 1), quota.UnitsMax), Retry: retry}
}
