package cache

import (
	"time"

	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/internal/seam"
)

// inquiry has what one call needs for its decision.
//
// Each call is a sample with the same probability, whatever came before. So a caller who can foresee the
// calls of a goroutine cannot keep some of them out of the samples, and a caller who comes back after a wait
// does not meet a sample sooner than others. The gaps between samples are drawn at random, which costs less
// than a draw for each call.
//
// A client that a sample has found over its limit is refused at once until there is room for another sample,
// and these refusals are not charged. So no further sample is needed to find it again, and on average a
// client gets what its rate allows (quota.Sketch.Take).
type inquiry struct {
	thresholds        // set for a sample, and for a call that looks a key up
	now        uint64 // instant of a sample
	sampled    bool   // the call is a sample, which stands for others
}

// draws says which calls are samples. All calls that share a line of counts (glance.go) share one.
type draws struct {
	left   seam.Uint64 // calls up to and with the next sample; 2^63 and more while it is drawn
	random uint64      // state of the generator of gaps, not 0; owned by the call that made left 0
}

// sample returns the inquiry of the next call.
func (d *draws) sample(c *Cache) (q inquiry) {
	if d.left.Add(^uint64(0)) != 0 {
		return q
	}
	q.sampled, q.thresholds = true, c.thresholds()
	if q.object.Rate != 0 || q.client.Rate != 0 {
		q.now = c.instant()
	}
	for int64(d.left.Add(d.gap(q.units))) <= 0 { // so many calls have come meanwhile
	}
	return q
}

// gap draws the number of calls up to the next sample, if a sample stands for so many units.
func (d *draws) gap(units uint64) (calls uint64) {
	for calls = 1; calls < units*gapMost; calls++ {
		d.random ^= d.random << 13 // xorshift
		d.random ^= d.random >> 7
		d.random ^= d.random << 17
		if d.random>>32*units>>32 == 0 {
			break
		}
	}
	return calls
}

// instant is the time in nanoseconds by which rates are counted.
func (c *Cache) instant() uint64 { return min(c.clock.now(), instantMost) * nanos }

// instantMost prevents a clock of the user from an overflow: 2^62 nanoseconds are 146 years.
const instantMost = 1 << 62 / nanos

// admit returns how long the client has to wait. If that is 0, q is the inquiry of the call.
func (c *Cache) admit(client uint64, line *glancedLine) (q inquiry, wait uint64) {
	if wait = c.refused.wait(c, client); wait == 0 {
		if q = line.draws.sample(c); q.sampled {
			wait = q.charge(c, client)
		}
	}
	if wait != 0 {
		line.denied.Add(1)
	}
	return q, wait
}

// refusals are clients that this process knows to be over their limits.
type refusals [sampleHistory]refusal

// refusal is a client that is over its limit until an instant. Another client may take its place; the next
// sample then finds this one again.
type refusal struct {
	until  seam.Uint64 // 0 for no client, refusalBusy while a goroutine changes the client
	client seam.Uint64
}

const refusalBusy = 1

// at is the place of a client.
func (r *refusals) at(client uint64) *refusal {
	return &r[client*0x9E3779B97F4A7C15>>32%sampleHistory]
}

// put notes that the client is over its limit, unless another goroutine is writing to the same place.
func (r *refusals) put(client, until uint64) {
	x := r.at(client)
	if seen := x.until.Load(); seen != refusalBusy && x.until.CompareAndSwap(seen, refusalBusy) {
		x.client.Store(client)
		x.until.Store(until)
	}
}

// wait is how long the client is known to be over its limit. It is 0 if the client is not, or if there is no
// limit any more. A refusal that ends later than any limit allows was written before the clock jumped. It is
// forgotten; package quota shortens such times in the region for the same reason.
func (r *refusals) wait(c *Cache, client uint64) uint64 {
	x := r.at(client)
	until := x.until.Load()
	if until <= refusalBusy || x.client.Load() != client || x.until.Load() != until {
		return 0
	}
	now := c.instant()
	if now < until && until-now <= quota.AheadMost && c.clientRate() != 0 {
		return until - now
	}
	x.until.CompareAndSwap(until, 0)
	return 0
}

// charge counts a sample for the client, and returns how long the client is over its limit, or 0.
func (q *inquiry) charge(c *Cache, client uint64) uint64 {
	if q.client.Rate == 0 {
		return 0
	}
	r := c.clients.Take(c.hasher.client(client), q.now, q.units, q.client)
	if r.Retry != 0 {
		c.refused.put(client, q.now+r.Retry)
	}
	return r.Retry
}

// judge decides whether the key is a suspect, and looks at the sketch as seldom as possible. A sample counts
// for all calls that it stands for. A key with a marked record, and an absent key, are looked up. A call that
// finds the penalty of a marked key over counts for itself, because it decides whether the mark is removed.
func (q *inquiry) judge(c *Cache, id uint64, marked, there bool) quota.Ruling {
	if !q.sampled {
		if !marked && (there || c.objects.Clear(id)) { // by far the most frequent case
			return quota.Ruling{}
		}
		q.thresholds, q.now = c.thresholds(), c.instant()
	}
	if q.object.Rate == 0 {
		return quota.Ruling{}
	}
	if q.sampled {
		return c.objects.Judge(id, q.now, q.units, q.object)
	}
	r := c.objects.Look(id, q.now, q.object)
	if marked && r.Verdict == quota.OK {
		r = c.objects.Judge(id, q.now, 1, q.object)
	}
	return r
}

// servedAfter corrects the time that callers of a suspect have to wait. A penalty ends at its time, but calls
// in the meantime fill the bucket. If the next charge of so many units would then be an offence, the wait is
// longer.
func (c *Cache) servedAfter(id, units, now uint64, r quota.Ruling, l quota.Limits) quota.Ruling {
	burst := drains(l.Burst, l)
	next := c.objects.Level(id, now, l) + drains(min(units, l.Burst), l)
	if r.Verdict != quota.OK && next > burst {
		r.Retry = max(r.Retry, next-burst)
	}
	return r
}

// drains is the number of nanoseconds in which so many units leave a bucket, rounded up as in package quota.
func drains(units uint64, l quota.Limits) uint64 {
	return (units*uint64(time.Second) + l.Rate - 1) / l.Rate
}
