package cache

import (
	"time"

	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/internal/seam"
)

// inquiry is what one call goes by.
//
// Each call is a sample with the same probability, whatever was before. So nobody who can foresee the calls
// of a goroutine can keep some of them out of the samples, and nobody who comes back after a wait meets one
// sooner than others. The gaps are drawn, which costs less than to draw for each call.
//
// A client that a sample has found over its limit is refused at once until there is room for another one, and
// is not charged for that. So a sample need not find it again, and on average a client has what its rate
// allows (quota.Sketch.Take).
type inquiry struct {
	thresholds        // of a sample, and of a call that looks a key up
	now        uint64 // instant of a sample
	sampled    bool   // the call is a sample, which stands for others
}

// draws says which calls are samples. Those that share a line of counts (glance.go) share one.
type draws struct {
	left   seam.Uint64 // calls up to the next sample, which counts; 2^63 and more while that is drawn
	random uint64      // state of the generator of gaps, not 0; of the call that has made left 0
}

// sample is what the next call goes by.
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

// gap draws after how many calls the next sample is, if one stands for so many.
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

// instantMost keeps a clock that a user has given from overflow: 2^62 nanoseconds are 146 years.
const instantMost = 1 << 62 / nanos

// admit is for how long the client has to wait; 0 if it has not, and then q is what the call goes by.
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

// refusals are clients that are known to be over their limits.
type refusals [sampleHistory]refusal

// refusal is a client that is over its limit until an instant. Another one takes its place in time; the next
// sample finds it again.
type refusal struct {
	until  seam.Uint64 // 0 of none, refusalBusy while somebody changes the client
	client seam.Uint64
}

const refusalBusy = 1

// at is the place of a client.
func (r *refusals) at(client uint64) *refusal {
	return &r[client*0x9E3779B97F4A7C15>>32%sampleHistory]
}

// put notes that the client is over its limit, unless somebody else notes something there.
func (r *refusals) put(client, until uint64) {
	x := r.at(client)
	if seen := x.until.Load(); seen != refusalBusy && x.until.CompareAndSwap(seen, refusalBusy) {
		x.client.Store(client)
		x.until.Store(until)
	}
}

// wait is for how long the client is known to be over its limit; 0 if it is not, or if there is no limit any
// more. A refusal that ends later than any limit lets one end was written ahead of a jump of the clock: it is
// forgotten, as package quota shortens what it finds in the region then.
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

// charge counts a sample for the client, and says for how long it is over its limit; 0 if it is not.
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

// judge says whether the key is a suspect, with as few looks at the sketch as will do: a sample counts for
// all calls that it stands for; a record that is marked, and a key that is not there, are looked up; and a
// call that finds a penalty over counts for itself, since it decides whether the mark goes.
func (q *inquiry) judge(c *Cache, id uint64, marked, there bool) quota.Ruling {
	if !q.sampled {
		if !marked && (there || c.objects.Clear(id)) { // the most frequent way by far
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

// servedAfter corrects for how long a suspect has to wait. A penalty ends at its time, but calls meanwhile
// fill the bucket: where the next charge, of so many units, would be an offence then, the wait is longer.
func (c *Cache) servedAfter(id, units, now uint64, r quota.Ruling, l quota.Limits) quota.Ruling {
	burst := drains(l.Burst, l)
	next := c.objects.Level(id, now, l) + drains(min(units, l.Burst), l)
	if r.Verdict != quota.OK && next > burst {
		r.Retry = max(r.Retry, next-burst)
	}
	return r
}

// drains is how many nanoseconds a bucket needs for so many units, rounded up as package quota does.
func drains(units uint64, l quota.Limits) uint64 {
	return (units*uint64(time.Second) + l.Rate - 1) / l.Rate
}
