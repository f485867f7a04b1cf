package cache

import (
	"errors"
	"fmt"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/quota"
)

// State is what Ask has to say.
type State uint8

// States of an Answer.
const (
	Miss    State = iota // the key is not there
	Hit                  // the value is there, and nobody asks for too much
	Suspect              // the key is asked for too often: ask again after RetryAfter
	Denied               // the same, after three offences; or the client asks too often
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

// Answer is what Ask answers beside the value.
type Answer struct {
	State      State
	RetryAfter time.Duration // of Suspect and Denied: whoever waits so long is served, if others calm down
	Offences   int           // that the key has; 0 if it is no suspect
	ByClient   bool          // Denied since the client asks too often, not since the key is asked for so
	Found      bool          // the entry is there, and its value was appended
	Warned     bool          // Suspect, and nothing was kept back: without Found the key is not there
}

// Ask is Get for a client, with quotas: see Options.Quota, and the live parameters quota.object, quota.client
// and quota.retry. The client is any number by which the program tells its clients apart, such as a hash of
// an account. The value is appended to dst with Hit, and with Suspect if the action is ActionWarn and the
// entry is there. Otherwise dst is returned as it was.
//
// A client that asks too often is Denied, whatever it asks for, and what it asks for does not count for the
// key. A key that is asked for too often is a Suspect, for a time that doubles with each further offence;
// from the third one on it is Denied, and with ActionExpel its entry leaves. That is so too for a key that
// is not there. It is a Hit or a Miss again when the time is over and the rate has come down. Who has asked
// a key into that state is the sum of all clients: one client alone can do it only if quota.client is above
// quota.object, or without a limit.
//
// Rates are counted in the region, for all processes together, in memory of a fixed size. They may come out
// too high by chance: package quota says how likely that is, and docs/quota.md how to choose thresholds. One
// call in 16 is a sample that stands for all; with a low rate each call is one. A sample reads the live
// parameters, so a process goes by a change within 256 calls of those that share a counter, of which there
// are 32. But a client that it has told to wait does have to, unless there is no limit any more. Get and the
// other calls neither count nor refuse.
//
// Errors and progress: those of Get. As with Get, most calls need no handle. A mark that cannot be made for
// want of a handle or of room is left to the next sample.
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

// valueFor finds the value for an Ask: by a glance, or with a handle. It counts nothing.
func (c *Cache) valueFor(hash uint32, key, dst []byte) (value []byte, m basket.Meta, ok bool, err error) {
	if glances {
		if value, m, what := c.glance(hash, key, dst); what != basket.Unsure {
			return value, m, what == basket.Present, nil
		}
	}
	return c.valueByHandle(hash, key, dst)
}

// valueByHandle is valueFor where a glance did not do.
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

// Admit counts a call of a client that is no Ask, such as a set that a program makes for it, and says for how
// long the client has to wait because it calls too often; 0 if it has not. It counts as an Ask does, against
// the same limit of the client, and for no key. The call itself is for the program to make, or to refuse.
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

// inFull is a time to wait of so many nanoseconds, rounded up to what the clock counts: it shows the begin of
// a millisecond for all of it, so who waits for part of one may find it where it was.
func inFull(ns uint64) time.Duration {
	return (time.Duration(ns) + time.Millisecond - 1).Truncate(time.Millisecond)
}

// asked is a key that was asked for, with what was found.
type asked struct {
	key    []byte
	hash   uint32
	marked bool // the record has the mark of a suspect
	ok     bool // there is one
	tier   uint32
}

// odd is the end of an Ask of a key that is a suspect, or is marked as one.
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

// once makes a change of an entry that is there, unless somebody else changes the key meanwhile: who comes
// between wins (state C19), and the change is lost at most, to be made after another call. So are its errors.
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

// SuspectKey is a key that is a suspect.
type SuspectKey struct {
	Key        []byte
	RetryAfter time.Duration
	Offences   int
}

// Suspects lists the entries that are suspects now, in no particular order, also if this process has no
// limit for keys. A suspect whose entry is not there is not listed: the counts have no keys. It is weakly
// consistent, as Walk is, and takes as long. Errors: those of Walk.
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

// lookUp says whether the key is a suspect now.
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
