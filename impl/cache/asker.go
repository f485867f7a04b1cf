package cache

import (
	"time"

	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/internal/seam"
)

// asker is what a reader's handle has for Ask. Whoever has the handle owns it.
//
// Each call is a sample with the same probability, whatever was before. So nobody who can foresee the calls
// of a handle can keep some of them out of the samples, and nobody who comes back after a wait meets one
// sooner than others. The gaps are drawn, which costs less than to draw for each call.
//
// A client that a sample has found over its limit is refused at once until there is room for another one, and
// is not charged for that. So a sample need not find it again, and on average a client has what its rate
// allows (quota.Sketch.Take).
type asker struct {
	thresholds
	left   uint64 // calls up to the next sample, which counts
	now    uint64 // instant of the last sample
	random uint64 // state of the generator of gaps, not 0
	tally  *askTally
	refuse [sampleHistory]refusal
}

// refusal is a client that is over its limit until an instant. Another one takes its place in time; the next
// sample finds it again.
type refusal struct{ client, until uint64 }

// askTally counts answers of the calls with one handle. Only who has the handle writes to it.
type askTally struct {
	suspects, denied seam.Uint64
	_                [64]byte
}

// sample reports whether this call is one that stands for others, and looks at the thresholds then.
func (q *asker) sample(c *Cache) bool {
	if q.left > 1 {
		q.left--
		return false
	}
	q.thresholds = c.thresholds()
	if q.object.Rate != 0 || q.client.Rate != 0 {
		q.now = c.instant()
	}
	for q.left = 1; q.left < q.units*gapMost; q.left++ {
		q.random ^= q.random << 13 // xorshift
		q.random ^= q.random >> 7
		q.random ^= q.random << 17
		if q.random>>32*q.units>>32 == 0 {
			break
		}
	}
	return true
}

// instant is the time in nanoseconds by which rates are counted.
func (c *Cache) instant() uint64 { return min(c.clock.now(), instantMost) * nanos }

// instantMost keeps a clock that a user has given from overflow: 2^62 nanoseconds are 146 years.
const instantMost = 1 << 62 / nanos

// admit is for how long the client has to wait, and whether the call is a sample, which counts for all.
func (q *asker) admit(c *Cache, client uint64) (wait uint64, sampled bool) {
	wait = q.refused(c, client)
	if wait == 0 && q.sample(c) {
		wait, sampled = q.charge(c, client), true
	}
	if wait != 0 {
		q.tally.denied.Store(q.tally.denied.Load() + 1)
	}
	return wait, sampled
}

// refused is for how long the client is known to be over its limit; 0 if it is not, or if there is no limit
// any more. A refusal that ends later than any limit lets one end was written ahead of a jump of the clock:
// it is forgotten, as package quota shortens what it finds in the region then.
func (q *asker) refused(c *Cache, client uint64) uint64 {
	known := q.place(client)
	if known.until == 0 || known.client != client {
		return 0
	}
	now := c.instant()
	if now < known.until && known.until-now <= quota.AheadMost && c.clientRate() != 0 {
		return known.until - now
	}
	*known = refusal{}
	return 0
}

// place is where a client is that is known to be over its limit.
func (q *asker) place(client uint64) *refusal {
	return &q.refuse[client*0x9E3779B97F4A7C15>>32%sampleHistory]
}

// charge counts a sample for the client, and says for how long it is over its limit; 0 if it is not.
func (q *asker) charge(c *Cache, client uint64) uint64 {
	if q.client.Rate == 0 {
		return 0
	}
	r := c.clients.Take(c.hasher.client(client), q.now, q.units, q.client)
	if r.Retry != 0 {
		*q.place(client) = refusal{client, q.now + r.Retry}
	}
	return r.Retry
}

// judge says whether the key is a suspect, with as few looks at the sketch as will do: a sample counts for
// all calls that it stands for; a record that is marked, and a key that is not there, are looked up; and a
// call that finds a penalty over counts for itself, since it decides whether the mark goes.
func (q *asker) judge(c *Cache, id uint64, sampled, marked, there bool) quota.Ruling {
	switch {
	case sampled:
		return c.objects.Judge(id, q.now, q.units, q.object)
	case marked:
		now := c.instant()
		if r := c.objects.Look(id, now, q.object); r.Verdict != quota.OK {
			return r
		}
		return c.objects.Judge(id, now, 1, q.object)
	case !there && !c.objects.Clear(id):
		return c.objects.Look(id, c.instant(), q.object)
	}
	return quota.Ruling{}
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
