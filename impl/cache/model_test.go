package cache

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// A session makes calls, one after the other, and holds each against a plain map. What leaves the cache is
// told, so the map knows at each moment what every call has to return.

var errModel = errors.New("the cache is not the map")

func unlike(format string, args ...any) error {
	return fmt.Errorf("%w: %w", errModel, fmt.Errorf(format, args...))
}

// item is what the map has under a key.
type item struct {
	value string
	end   int64 // milliseconds since 1970; 0 is never
}

// put is what the store has been given.
type put struct {
	key, value string
	ttl        time.Duration
}

// session is a cache, by one or two views, and the map beside it.
type session struct {
	views   []*Cache
	clock   *testClock
	items   map[string]item
	ttl     time.Duration // of what is set without a time of its own
	roomy   bool          // all that lives has room: nothing may leave for others
	events  []Event
	puts    []put
	counts  []Counts        // that each view should have
	values  int             // that were made up
	mistake func(*session)  // of a canary: what it does between a call and the judgement
	made    map[string]bool // calls that were made, and reasons that were told
}

func (s *session) event(e Event) { s.events = append(s.events, e) }

// Put is that of a Store.
func (s *session) Put(key, value []byte, ttl time.Duration) error {
	s.puts = append(s.puts, put{string(key), string(value), ttl})
	return nil
}

func (s *session) now() int64 { return s.clock.ms.Load() }

// live is what a get of the key has to find.
func (s *session) live(key string) (item, bool) {
	x, ok := s.items[key]
	return x, ok && (x.end == 0 || x.end > s.now())
}

// endOf is when an entry ends that is set now for so long: a part of a millisecond counts as one.
func (s *session) endOf(ttl time.Duration) int64 {
	if ttl == 0 {
		return 0
	}
	return s.now() + int64((ttl+time.Millisecond-1)/time.Millisecond)
}

// effect is what a call has done with a key, by what it has returned.
type effect struct {
	key     string
	written bool
	removed bool
	item    item // with written
}

// settle takes what was told during a call into the map, and the effect of the call.
func (s *session) settle(view int, e effect) error {
	if s.mistake != nil {
		s.mistake(s)
	}
	events, puts := s.events, s.puts
	s.events, s.puts = nil, nil
	made := false // the effect
	var given []put
	for _, x := range events {
		k, v := string(x.Key), string(x.Value)
		is, ok := s.items[k]
		if !ok && k == e.key && e.written && !made {
			is, ok, made = e.item, true, true // it was set, and has left
		}
		if !ok || is.value != v {
			return unlike("told that %.20q with %.20q is %v; it had %.20q (there: %v)", k, v, x.Reason,
				is.value, ok)
		}
		if err := s.reason(x.Reason, is, k == e.key && !made, e); err != nil {
			return fmt.Errorf("told of %.20q: %w", k, err)
		}
		s.count(view, x.Reason)
		if x.Reason == Evicted || x.Reason == IndexFull {
			if is.end == 0 || is.end > s.now() {
				given = append(given, put{k, v, s.left(is)})
			}
		}
		if delete(s.items, k); x.Reason == Replaced {
			s.items[k], made = e.item, true
		}
		made = made || x.Reason == Deleted
	}
	if !slices.Equal(puts, given) {
		return unlike("the store was given %+v, want %+v", puts, given)
	}
	if _, ok := s.items[e.key]; e.removed && !made || e.written && !made && ok {
		return unlike("nothing was told of the value that %.20q had", e.key)
	}
	if e.written && !made {
		s.items[e.key] = e.item
	}
	if e.written {
		s.counts[view].Sets++
	}
	return nil
}

// left is how much longer the item is found.
func (s *session) left(x item) time.Duration {
	if x.end == 0 {
		return 0
	}
	return time.Duration(x.end-s.now()) * time.Millisecond
}

// reason judges the reason that was told for an item. The key may be that of a call which has not had its
// effect so far.
func (s *session) reason(r Reason, x item, own bool, e effect) error {
	over := x.end != 0 && x.end <= s.now()
	switch {
	case r == Replaced && own && e.written && !over, r == Deleted && own && e.removed && !over:
		return nil
	case r == Expired && over:
		return nil
	case (r == Evicted || r == IndexFull) && !s.roomy:
		return nil
	}
	return unlike("reason %d of an item with %+v by a call with %+v", r, x, e)
}

// count counts what was told.
func (s *session) count(view int, r Reason) {
	c := &s.counts[view]
	of := map[Reason]*uint64{Replaced: &c.Replaced, Deleted: &c.Deleted, Expired: &c.Expired,
		Evicted: &c.Evicted, IndexFull: &c.IndexFull}
	*of[r]++
	s.made[r.String()] = true
}

// same holds what a call has found against an item.
func (s *session) same(call, key string, got []byte, ok bool, err error) error {
	want, there := s.live(key)
	if err != nil || ok != there || there && string(got) != want.value {
		return unlike("%s %.20q: %.20q, %v, %v; want %.20q, %v", call, key, got, ok, err, want.value, there)
	}
	return nil
}

// all holds the walks of a view against the map.
func (s *session) all(c *Cache) error {
	want := map[string]string{}
	for k := range s.items {
		if x, ok := s.live(k); ok {
			want[k] = x.value
		}
	}
	got, keys, values := map[string]string{}, []string{}, []string{}
	for k, v := range c.All() {
		if _, twice := got[string(k)]; twice {
			return unlike("all has %.20q twice", k)
		}
		got[string(k)] = string(v)
	}
	for k := range c.Keys() {
		keys = append(keys, string(k))
	}
	for v := range c.Values() {
		values = append(values, string(v))
	}
	slices.Sort(keys)
	slices.Sort(values)
	if !maps.Equal(got, want) || !slices.Equal(keys, slices.Sorted(maps.Keys(want))) ||
		!slices.Equal(values, slices.Sorted(maps.Values(want))) || c.Len() != len(want) {
		return unlike("all has %d entries, %d keys, %d values, and Len is %d; want %d", len(got), len(keys),
			len(values), c.Len(), len(want))
	}
	return nil
}

// rest holds counts, accounts and structure against what they should be, after the last call.
func (s *session) rest() error {
	var sum Counts
	for i, c := range s.views {
		got, err := c.Stats()
		if err != nil {
			return err
		}
		hits := uint64(0)
		for _, n := range got.TierHits {
			hits += n
		}
		if tiers := len(got.Tiers); hits != got.Hits && tiers > 1 || hits != 0 && tiers == 1 {
			return unlike("%d of %d hits are in the %d tiers", hits, got.Hits, tiers)
		}
		if got.TierHits = (Counts{}).TierHits; got.Counts != s.counts[i] {
			return unlike("counts are %+v, want %+v", got.Counts, s.counts[i])
		}
		if got.OverflowErrors != 0 {
			return unlike("%d errors of the store", got.OverflowErrors)
		}
		sum = sum.plus(s.counts[i])
	}
	got, err := s.views[0].Stats()
	if err != nil {
		return err
	}
	if got.All.TierHits = (Counts{}).TierHits; got.All != sum {
		return unlike("counts of all are %+v, want %+v", got.All, sum)
	}
	l := s.views[0].store.Layout()
	room := uint64(l.Baskets) * uint64(l.BasketBytes)
	f, err := s.views[0].Check()
	if err = errors.Join(err, f.Err()); err != nil {
		return unlike("%w", err)
	}
	if got.LiveBytes != f.Records.LiveBytes || got.LiveBytes+got.DeadBytes+got.FreeBytes != room {
		return unlike("live %d, dead %d, free %d bytes; a recount has %d that live, of %d", got.LiveBytes,
			got.DeadBytes, got.FreeBytes, f.Records.LiveBytes, room)
	}
	if n := f.Records.Records; n != len(s.items) {
		return unlike("%d records, want %d", n, len(s.items))
	}
	return s.all(s.views[len(s.views)-1])
}

// fresh is a value of n bytes that no other one equals, if it has four or more.
func (s *session) fresh(n int) []byte {
	s.values++
	return bytes.Repeat(fmt.Appendf(nil, "%04d", s.values), n/4+1)[:n]
}
