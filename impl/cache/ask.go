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
// parameters, so each handle of a process goes by a change within 256 calls. But a client that it has told
// to wait does have to, unless there is no limit any more. Get and the other calls neither count nor refuse.
//
// Errors and progress: those of Get. A mark that cannot be made for want of a handle or of room is left to
// the next sample.
func (c *Cache) Ask(client uint64, key, dst []byte) (value []byte, a Answer, err error) {
	s, err := c.reading()
	if err != nil {
		return dst, a, failed("ask", err)
	}
	q := &s.handle.asker
	wait, sampled := q.admit(c, client)
	if wait != 0 {
		s.give(0)
		return dst, Answer{State: Denied, RetryAfter: time.Duration(wait), ByClient: true}, nil
	}
	whole := c.hasher.whole(key)
	hash := c.hasher.index(whole)
	if sampled && q.object.Rate != 0 {
		c.objects.Request(whole)
	}
	value, m, ok, err := s.handle.Get(hash, key, dst)
	if ok && c.clock.over(m.Expires) {
		value, ok = dst, false
	}
	if err != nil {
		s.give(0)
		return dst, a, failed("ask", err)
	}
	var r quota.Ruling
	if q.object.Rate != 0 {
		r = q.judge(c, whole, sampled, m.Suspect, ok)
	}
	if r.Verdict == quota.OK && !m.Suspect { // the most frequent way by far
		if ok {
			hit(s, m.Tier)
			return value, Answer{State: Hit, Found: true}, nil
		}
		s.give(slotSecond)
		return dst, a, nil
	}
	if r.Verdict != quota.OK {
		r = c.servedAfter(whole, q.units, c.instant(), r, q.object)
	}
	a = c.odd(s, asked{key, hash, m.Suspect, ok, m.Tier}, r)
	if !ok || a.State != Hit && (a.State != Suspect || c.options.Quota.Action != ActionWarn) {
		value = dst
	} else {
		a.Found = true
	}
	return value, a, nil
}

// Admit counts a call of a client that is no Ask, such as a set that a program makes for it, and says for how
// long the client has to wait because it calls too often; 0 if it has not. It counts as an Ask does, against
// the same limit of the client, and for no key. The call itself is for the program to make, or to refuse.
//
// Errors: ErrClosed, ErrBusy.
func (c *Cache) Admit(client uint64) (retryAfter time.Duration, err error) {
	s, err := c.reading()
	if err != nil {
		return 0, failed("admit", err)
	}
	wait, _ := s.handle.asker.admit(c, client)
	s.give(0)
	return time.Duration(wait), nil
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
func (c *Cache) odd(s *slot[*reader], x asked, r quota.Ruling) Answer {
	tally, action := s.handle.asker.tally, c.options.Quota.Action
	a := Answer{RetryAfter: time.Duration(r.Retry), Offences: r.Offences}
	count := uint64(0)
	switch {
	case r.Verdict == quota.OK && x.ok:
		a.State, count = Hit, slotFirst
		s.handle.count(x.tier)
	case r.Verdict == quota.OK:
		a.State, count = Miss, slotSecond
	case r.Verdict == quota.Denied:
		a.State = Denied
		tally.denied.Store(tally.denied.Load() + 1)
	default:
		a.State = Suspect
		tally.suspects.Store(tally.suspects.Load() + 1)
	}
	s.give(count)
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
			all = append(all, SuspectKey{append([]byte{}, key...), time.Duration(r.Retry), r.Offences})
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
