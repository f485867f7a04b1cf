package cache

import (
	"errors"
	"fmt"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/quota"
)

// State is the verdict of Ask.
type State uint8

// States of an Answer.
const (
	Miss    State = iota // the key is not there
	Hit                  // the value is there, and nobody asks for too much
	Suspect              // the key is asked for too often: ask again after RetryAfter
	Denied               // the key has three offences or more, or the client asks too often
)

// String is the name in lower case.
func (s State) String() string {
	switch s {
	case Miss:
		return "miss"
	case Hit:
		return "hit"
	case Suspect:
		return "suspect"
	case Denied:
		return "denied"
	}
	return fmt.Sprintf("state%d", uint8(s))
}

// Answer is what Ask returns beside the value.
type Answer struct {
	State      State
	RetryAfter time.Duration // with Suspect and Denied: after it the call is served, if others ask less
	Offences   int           // number of offences of the key; 0 if it is not a suspect
	ByClient   bool          // Denied because of the client, and not because of the key
	Found      bool          // the entry is there, and its value was appended
	Warned     bool          // Suspect by ActionWarn: the value is returned unless the key is absent
}

// Ask is Get for a client, with quotas: see Options.Quota, and the live parameters quota.object, quota.client
// and quota.retry. The client is any number by which the program tells its clients apart, such as a hash of
// an account. The value is appended to dst with Hit, and with Suspect if the action is ActionWarn and the
// entry is there. Otherwise dst is returned unchanged.
//
// A client that asks too often is Denied, whatever key it asks for, and its refused calls do not count for
// the key. A key that is asked for too often is a Suspect, for a time that doubles with each further offence.
// From the third offence on it is Denied, and with ActionExpel its entry leaves. This also holds for a key
// that is absent. The key is a Hit or a Miss again when the time is over and the rate has come down. All
// clients together make a key a suspect. One client alone can do so only if quota.client is above
// quota.object, or if there is no limit for clients.
//
// Rates are counted in the region, for all processes together, in memory of a fixed size. By chance they may
// be too high: package quota says how likely that is, and docs/quota.md explains how to choose thresholds.
// One call in 16 is a sample that stands for all 16; with a low rate each call is a sample. A sample reads
// the live parameters. A process has 32 counters of calls, and it follows a change of a parameter within 256
// calls that share a counter. A client that was told to wait has to wait nevertheless, unless there is no
// limit any more. Get and the other calls neither count nor refuse.
//
// Errors and progress: those of Get. As with Get, most calls need no handle. If a mark cannot be made for
// want of a handle or of room, the next sample tries again.
func (c *Cache) Ask(client uint64, key, dst []byte) (value []byte, a Answer, err error) {
	if !c.begun() {
		return dst, a, failed("ask", c.unopened())
	}
	line := c.glanced.line()
	q, wait := c.admit(client, line)
	if wait != 0 {
		c.ended()
		return dst, Answer{State: Denied, RetryAfter: inFull(wait), ByClient: true}, nil
	}
	whole := c.hasher.whole(key)
	if q.sampled && q.object.Rate != 0 {
		c.objects.Request(whole)
	}
	x := asked{key: key, hash: c.hasher.index(whole)}
	value, m, ok, err := c.valueFor(x.hash, key, dst)
	if err != nil {
		c.ended()
		return dst, a, failed("ask", err)
	}
	r := q.judge(c, whole, m.Suspect, ok)
	if r.Verdict != quota.OK {
		r = c.servedAfter(whole, q.units, c.instant(), r, q.object)
	}
	c.ended()
	if r.Verdict == quota.OK && !m.Suspect {
		if ok {
			line.hit(m.Tier)
			return value, Answer{State: Hit, Found: true}, nil
		}
		line.misses.Add(1)
		return dst, a, nil
	}
	x.marked, x.ok, x.tier = m.Suspect, ok, m.Tier
	a = c.odd(line, x, r)
	a.Warned = a.State == Suspect && c.options.Quota.Action == ActionWarn
	if a.Found = ok && (a.State == Hit || a.Warned); !a.Found {
		value = dst
	}
	return value, a, nil
}

// valueFor finds the value for an Ask, by a glance or with a handle. It counts nothing.
func (c *Cache) valueFor(hash uint32, key, dst []byte) (value []byte, m basket.Meta, ok bool, err error) {
	if glances {
		if value, m, what := c.glance(hash, key, dst); what != basket.Unsure {
			return value, m, what == basket.Present, nil
		}
	}
	return c.valueByHandle(hash, key, dst)
}

// valueByHandle is valueFor after a glance that gave no answer.
//
//go:noinline
func (c *Cache) valueByHandle(hash uint32, key, dst []byte) (value []byte, m basket.Meta, ok bool,
	err error) {
	s, err := c.reading()
	if err != nil {
		return dst, m, false, err
	}
	value, m, ok, err = c.found(s.handle, s.handle.Reader, hash, key, dst)
	s.give(0)
	return value, m, ok, err
}

// Admit counts a call of a client other than an Ask, such as a set that the program makes for the client. It
// returns how long the client has to wait because it calls too often, or 0 if it need not wait. The call
// counts against the same limit of the client as an Ask, and for no key. The program itself then makes or
// refuses the call.
//
// Errors: ErrClosed.
func (c *Cache) Admit(client uint64) (retryAfter time.Duration, err error) {
	if !c.begun() {
		return 0, failed("admit", c.unopened())
	}
	_, wait := c.admit(client, c.glanced.line())
	c.ended()
	return inFull(wait), nil
}

// inFull converts a time to wait in nanoseconds, and rounds it up to the unit of the clock, a millisecond.
// The clock does not advance within a millisecond, so a caller that waits for a part of one could find the
// clock unchanged.
func inFull(ns uint64) time.Duration {
	return (time.Duration(ns) + time.Millisecond - 1).Truncate(time.Millisecond)
}

// asked is a key that was asked for, and what was found.
type asked struct {
	key    []byte
	hash   uint32
	marked bool // the record has the mark of a suspect
	ok     bool // there is one
	tier   uint32
}

// odd ends an Ask of a key that is a suspect, or is marked as one.
func (c *Cache) odd(line *glancedLine, x asked, r quota.Ruling) Answer {
	action := c.options.Quota.Action
	a := Answer{RetryAfter: inFull(r.Retry), Offences: r.Offences}
	switch {
	case r.Verdict == quota.OK && x.ok:
		a.State = Hit
		line.hit(x.tier)
	case r.Verdict == quota.OK:
		a.State = Miss
		line.misses.Add(1)
	case r.Verdict == quota.Denied:
		a.State = Denied
		line.denied.Add(1)
	default:
		a.State = Suspect
		line.suspects.Add(1)
	}
	switch {
	case !x.ok: // there is no record to change
	case a.State == Denied && action == ActionExpel:
		c.once(x, func(w *writer, f basket.Found) (bool, error) {
			return w.Remove(f, basket.ReasonExpelled)
		})
	case x.marked != (r.Verdict != quota.OK):
		c.once(x, func(w *writer, f basket.Found) (bool, error) {
			return w.Mark(f, !x.marked)
		})
	}
	return a
}

// once makes a change of an entry that is there. If another call changes the key in between, that call wins
// (state C19), and this change is lost; a later call makes it again. Errors are ignored for the same reason.
func (c *Cache) once(x asked, change func(w *writer, f basket.Found) (bool, error)) {
	s, err := c.writers.takeNow()
	if err != nil {
		return
	}
	w := s.handle
	w.calls++
	if f, _, err := w.Find(x.hash, w.own(x.key), nil); err == nil {
		_, _ = change(w, f) // of a key that is gone it takes out at most what has expired
	}
	c.done(s, 0)
}

// SuspectKey is a key that is a suspect, with the time to wait and the number of its offences.
type SuspectKey struct {
	Key        []byte
	RetryAfter time.Duration
	Offences   int
}

// Suspects lists the entries that are suspects now, in no particular order. It works even if this process has
// no limit for keys. A suspect without an entry is not listed, because the counts do not contain keys.
// Suspects is weakly consistent, as Walk is, and takes as long. Errors: those of Walk.
func (c *Cache) Suspects() ([]SuspectKey, error) {
	var all []SuspectKey
	var bad error
	err := c.walk(func(b *buffers, x basket.Link) bool {
		if !x.Meta.Suspect {
			return true
		}
		key := b.value[x.From:x.Key]
		var r quota.Ruling
		if r, bad = c.lookUp(key); bad == nil && r.Verdict != quota.OK {
			all = append(all, SuspectKey{append([]byte{}, key...), inFull(r.Retry), r.Offences})
		}
		return bad == nil
	})
	if err = errors.Join(err, bad); err != nil {
		return nil, failed("suspects", err)
	}
	return all, nil
}

// lookUp returns whether the key is a suspect now.
func (c *Cache) lookUp(key []byte) (r quota.Ruling, err error) {
	s, err := c.reading()
	if err != nil {
		return r, err
	}
	t, id, now := c.thresholds(), c.hasher.whole(key), c.instant()
	if l := t.object; l.Rate != 0 {
		r = c.servedAfter(id, t.units, now, c.objects.Look(id, now, l), l)
	} else { // it is for the others to judge: this process has no limit of its own
		l = quota.Limits{Rate: 1, Burst: 1, Retry: quota.RetryMax, Deny: denyFrom}
		r = c.objects.Look(id, now, l)
	}
	s.give(0)
	return r, nil
}
