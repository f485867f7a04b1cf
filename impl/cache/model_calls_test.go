package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"time"
)

// sessionCall is a kind of call, as the bytes of the input say, and its judgement.
type sessionCall struct {
	name string
	call func(s *session, in *input, view int, c *Cache) error
}

var sessionCalls = []sessionCall{
	{"get", callGet}, {"look", callLook}, {"view", callView}, {"batch", callBatch}, {"ask", callAsk},
	{"set", callSet}, {"set", callSet}, {"set", callSet}, {"set for a time", callSetTTL},
	{"set if absent", callSetIfAbsent}, {"set many", callSetMany}, {"too large", callTooLarge},
	{"expire", callExpire}, {"delete", callDelete}, {"compare and swap", callSwap}, {"add", callAdd},
	{"compute", callCompute},
	{"wait", callWait}, {"walk", callWalk}, {"tune", callTune},
}

func callGet(s *session, in *input, view int, c *Cache) error {
	k, head := in.key(), "head"[:in.below(5)]
	got, ok, err := c.Get([]byte(k), []byte(head))
	if !strings.HasPrefix(string(got), head) || !ok && len(got) != len(head) {
		return unlike("get appends %.20q to %q", got, head)
	}
	return s.read(view, "get", k, got[len(head):], ok, err)
}

// read judges a call that counts as a hit or a miss.
func (s *session) read(view int, call, key string, got []byte, ok bool, err error) error {
	if ok {
		s.counts[view].Hits++
	} else {
		s.counts[view].Misses++
	}
	return errors.Join(s.same(call, key, got, ok, err), s.settle(view, effect{}))
}

func callView(s *session, in *input, view int, c *Cache) error {
	k, seen, calls := in.key(), []byte(nil), 0
	ok, err := c.View([]byte(k), func(v []byte) { seen, calls = bytes.Clone(v), calls+1 })
	if calls == 1 != ok {
		return unlike("view has called %d times; the key is there: %v", calls, ok)
	}
	return s.read(view, "view", k, seen, ok, err)
}

func callAsk(s *session, in *input, view int, c *Cache) error {
	k := in.key()
	got, a, err := c.Ask(uint64(in.below(3)), []byte(k), nil)
	want := Answer{State: a.State, Found: a.State == Hit}
	if a != want || a.State != Hit && a.State != Miss {
		return unlike("answer %+v without limits", a)
	}
	return s.read(view, "ask", k, got, a.Found, err)
}

// callLook makes the calls that leave no trace.
func callLook(s *session, in *input, view int, c *Cache) error {
	k := in.key()
	got, ok, err := c.Peek([]byte(k), nil)
	if err := s.same("peek", k, got, ok, err); err != nil {
		return err
	}
	want, there := s.live(k)
	if ok, err = c.Contains([]byte(k)); ok != there || err != nil {
		return unlike("contains %.20q: %v, %v; want %v", k, ok, err, there)
	}
	left, ok, err := c.TTL([]byte(k))
	if ok != there || err != nil || there && left != s.left(want) || !there && left != 0 {
		return unlike("time to live of %.20q: %v, %v, %v; want %+v, %v", k, left, ok, err, want, there)
	}
	return s.settle(view, effect{})
}

func callBatch(s *session, in *input, view int, c *Cache) error {
	keys := make([][]byte, in.below(20))
	for i := range keys {
		keys[i] = []byte(in.key())
	}
	values := make([][]byte, len(keys))
	all, n, err := c.GetBatch(keys, values, []byte("head"))
	if err != nil || !bytes.HasPrefix(all, []byte("head")) {
		return unlike("batch: %.20q, %v", all, err)
	}
	length := len("head")
	for i, k := range keys {
		if values[i] != nil {
			n--
		}
		length += len(values[i])
		if err := s.read(view, "batch", string(k), values[i], values[i] != nil, nil); err != nil {
			return err
		}
	}
	if n != 0 || length != len(all) {
		return unlike("batch has %d more than it gives, and %d bytes, want %d", n, len(all), length)
	}
	return nil
}

func callSet(s *session, in *input, view int, c *Cache) error {
	k, v := in.key(), in.value(s)
	if err := c.Set([]byte(k), v); err != nil {
		return err
	}
	return s.settle(view, s.sets(k, v, s.ttl))
}

// sets is the effect of a set.
func (s *session) sets(key string, value []byte, ttl time.Duration) effect {
	return effect{key: key, written: true, item: item{string(value), s.endOf(ttl)}}
}

func callSetTTL(s *session, in *input, view int, c *Cache) error {
	k, v, ttl := in.key(), in.value(s), time.Duration(in.below(20)-1)*700*time.Microsecond
	err := c.SetTTL([]byte(k), v, ttl)
	if ttl < 0 {
		if !errors.Is(err, ErrTTL) {
			return unlike("a time of %v is %v", ttl, err)
		}
		return s.settle(view, effect{})
	}
	return errors.Join(err, s.settle(view, s.sets(k, v, ttl)))
}

// callSetMany sets keys that nobody looks at any more, so that room is needed.
func callSetMany(s *session, in *input, view int, c *Cache) error {
	n := in.below(30)
	if s.roomy {
		return nil
	}
	for range n {
		v := s.fresh(200 + 40*n)
		k := string(v[:20])
		if err := errors.Join(c.Set([]byte(k), v), s.settle(view, s.sets(k, v, s.ttl))); err != nil {
			return err
		}
	}
	return nil
}

func callTooLarge(s *session, in *input, view int, c *Cache) error {
	k := in.key()
	err := c.Set([]byte(k), make([]byte, c.store.Layout().BasketBytes-uint32(in.below(9))))
	if !errors.Is(err, ErrTooLarge) {
		return unlike("a value as large as a basket is %v", err)
	}
	return s.settle(view, effect{})
}

func callWait(s *session, in *input, _ int, _ *Cache) error {
	s.clock.ms.Add(int64(in.below(4)))
	return nil
}

func callWalk(s *session, in *input, view int, c *Cache) error {
	if in.below(8) != 0 {
		return nil // it takes long
	}
	return errors.Join(s.all(c), s.settle(view, effect{}))
}

// callTune changes the time that a set gives, or what decides when room is made.
func callTune(s *session, in *input, _ int, c *Cache) error {
	n := in.below(12)
	switch in.below(3) {
	case 0:
		if c.options.TTL == 0 {
			s.ttl = time.Duration(n) * time.Millisecond
		}
		return c.Tune("ttl.default", uint64(n))
	case 1:
		if s.roomy {
			return nil
		}
		return c.TuneAll(Setting{"compact.living", uint64(90 - 5*n)},
			Setting{"compact.gain", uint64(10 + 8*n)})
	}
	return c.Tune("janitor.reserve", uint64(1+n%4))
}

// gone reports whether the value that the key had was told to have left for others during this call. What the
// call then did with the key may be what it does with one that is not there.
func (s *session) gone(key string) bool {
	x, ok := s.live(key)
	return !ok || slices.ContainsFunc(s.events, func(e Event) bool {
		return string(e.Key) == key && string(e.Value) == x.value &&
			e.Reason != Replaced && e.Reason != Deleted
	})
}

func callSetIfAbsent(s *session, in *input, view int, c *Cache) error {
	k, v := in.key(), in.value(s)
	_, there := s.live(k)
	ttl := s.ttl
	call := func() (bool, error) { return c.SetIfAbsent([]byte(k), v) }
	if n := in.below(8); n%2 == 1 {
		ttl = time.Duration(n/2) * time.Millisecond
		call = func() (bool, error) { return c.SetIfAbsentTTL([]byte(k), v, ttl) }
	}
	set, err := call()
	if err != nil || set == there && !s.gone(k) || !set && !there {
		return unlike("set if absent %.20q: %v, %v; there: %v", k, set, err, there)
	}
	e := s.sets(k, v, ttl)
	e.written = set
	return s.settle(view, e)
}

func callExpire(s *session, in *input, view int, c *Cache) error {
	k, ttl := in.key(), time.Duration(in.below(12)-1)*time.Millisecond
	is, there := s.live(k)
	ok, err := c.Expire([]byte(k), ttl)
	switch {
	case ttl < 0 && (ok || !errors.Is(err, ErrTTL)), ttl >= 0 && err != nil:
		return unlike("expire in %v: %v, %v", ttl, ok, err)
	case ttl < 0:
		return s.settle(view, effect{})
	case ok && !there, there && !ok && !s.gone(k):
		return unlike("expire %.20q: %v, %v; there: %v", k, ok, err, there)
	}
	return s.settle(view, effect{key: k, written: ok, item: item{is.value, s.endOf(ttl)}})
}

func callDelete(s *session, in *input, view int, c *Cache) error {
	k := in.key()
	_, there := s.live(k)
	deleted, err := c.Delete([]byte(k))
	if err != nil || deleted && !there || there && !deleted && !s.gone(k) {
		return unlike("delete %.20q: %v, %v; there: %v", k, deleted, err, there)
	}
	return s.settle(view, effect{key: k, removed: deleted})
}

func callSwap(s *session, in *input, view int, c *Cache) error {
	k, v := in.key(), in.value(s)
	is, there := s.live(k)
	old := is.value
	if in.below(3) == 0 {
		old += "x"
	}
	swapped, err := c.CompareAndSwap([]byte(k), []byte(old), v)
	want := there && old == is.value
	if err != nil || swapped && !want || want && !swapped && !s.gone(k) {
		return unlike("swap %.20q: %v, %v; want %v", k, swapped, err, want)
	}
	e := s.sets(k, v, s.ttl)
	e.written = swapped
	return s.settle(view, e)
}

// callAdd adds to a counter of a few keys, most of which have one.
func callAdd(s *session, in *input, view int, c *Cache) error {
	k, delta := in.key(), int64(in.below(256)-128)*math.MaxInt64/100+1
	if in.below(4) != 0 {
		k = "counter"[:7-in.below(2)]
	}
	is, there := s.live(k)
	sum, err := c.Add([]byte(k), delta)
	e := effect{key: k, written: err == nil, item: item{string(counterOf(sum)), s.endOf(s.ttl)}}
	var old int64
	if there && len(is.value) == counterBytes {
		old = int64(binary.LittleEndian.Uint64([]byte(is.value)))
	}
	over := delta > 0 && old > math.MaxInt64-delta || delta < 0 && old < math.MinInt64-delta
	switch {
	case there && !s.gone(k) && len(is.value) != counterBytes:
		if !errors.Is(err, ErrCounter) || sum != 0 {
			return unlike("add to %d bytes: %d, %v", len(is.value), sum, err)
		}
	case there && !s.gone(k) && over:
		if !errors.Is(err, ErrOverflow) || sum != 0 {
			return unlike("add %d to %d: %d, %v", delta, old, sum, err)
		}
	case err != nil:
		return err
	case there && !s.gone(k) && sum == old+delta:
		e.item.end = is.end
	case !s.gone(k) || sum != delta:
		return unlike("add %d to %.20q: %d; there: %v, with %d", delta, k, sum, there, old)
	}
	return s.settle(view, e)
}

// counterOf is a counter as Add writes it.
func counterOf(n int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }

func callCompute(s *session, in *input, view int, c *Cache) error {
	k, v, op := in.key(), in.value(s), Op(in.below(5))
	is, there := s.live(k)
	var old []byte
	var given bool
	got, ok, err := c.Compute([]byte(k), func(b []byte, is bool) ([]byte, Op) {
		old, given = bytes.Clone(b), is
		for i := range b {
			b[i] ^= 1 // it may be changed
		}
		return v, op
	})
	if given && (!there || string(old) != is.value) || there && !given && !s.gone(k) {
		return unlike("compute %.20q is given %.20q, %v; want %.20q, %v", k, old, given, is.value, there)
	}
	e := s.sets(k, v, s.ttl)
	e.written, e.removed = op == Write || op == WriteKeepTTL, op == Remove && given
	if op == WriteKeepTTL && given {
		e.item.end = is.end
	}
	switch {
	case op > WriteKeepTTL:
		if !errors.Is(err, ErrOp) || ok || got != nil {
			return unlike("compute by operation %d: %.20q, %v, %v", op, got, ok, err)
		}
	case err != nil:
		return err
	case op == Remove && (ok || got != nil),
		e.written && (!ok || !bytes.Equal(got, v)),
		op == Keep && (ok != given || !bytes.Equal(got, old)):
		return unlike("compute %.20q by operation %d: %.20q, %v", k, op, got, ok)
	}
	return s.settle(view, e)
}
