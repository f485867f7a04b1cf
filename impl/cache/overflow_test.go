package cache

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/filestore"
)

var _ Store = (*filestore.Store)(nil)

// What leaves for want of room is in the store, with its value and for the rest of its time, and everything
// else is in the cache. What was deleted, replaced or has expired is given to nobody.
func TestOverflow_HasWhatLeaves(t *testing.T) {
	s, err := filestore.Open(filepath.Join(t.TempDir(), "store"), filestore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	now := time.Unix(1_000_000_000, 0)
	c := open(t, "", Options{Bytes: 256 << 10, NoJanitor: true, Overflow: s,
		Clock: func() time.Time { return now },
		OnEvent: func(e Event) {
			if e.Reason == Evicted || e.Reason == IndexFull {
				told++
			}
		}})
	const keys = 600
	value := func(i int) string { return fmt.Sprintf("value %d %s", i, strings.Repeat("x", 1000)) }
	for i := range keys {
		key := fmt.Sprint("key ", i)
		set(t, c, key, "replaced at once")
		set(t, c, key, value(i))
		if i%10 == 0 {
			if _, err := c.Delete([]byte(key)); err != nil {
				t.Fatal(err)
			}
		}
	}
	below := 0
	for i := range keys {
		key := []byte(fmt.Sprint("key ", i))
		above, ok, err := c.Get(key, nil)
		stored, spilled, err2 := s.Get(key, nil)
		if err != nil || err2 != nil || ok == spilled && i%10 != 0 || i%10 == 0 && (ok || spilled) {
			t.Errorf("%s: %v in the cache, %v in the store; %v %v", key, ok, spilled, err, err2)
		}
		if got := string(above) + string(stored); i%10 != 0 && got != value(i) {
			t.Errorf("%s has %.20q", key, got)
		}
		if spilled {
			below++
		}
	}
	x := statsOf(t, c)
	if below == 0 || x.Overflowed != uint64(told) || int(x.Overflowed) != below || x.OverflowErrors != 0 ||
		c.OverflowError() != nil {
		t.Errorf("%d are in the store, %d were told, %d given: %v", below, told, x.Overflowed,
			c.OverflowError())
	}
}

// refusing is a store that has no room.
type refusing struct {
	ttl  map[string]time.Duration
	puts uint64
}

var errRefused = errors.New("the disk is full")

func (r *refusing) Put(key, _ []byte, ttl time.Duration) error {
	r.puts++
	r.ttl[string(key)] = ttl
	return errRefused
}

// The error of a store is counted and shown, and no call fails by it. An entry is given with the rest of its
// time, and not at all if that is over.
func TestOverflow_Fails(t *testing.T) {
	r := &refusing{ttl: map[string]time.Duration{}}
	now := time.Unix(1_000_000_000, 0)
	c := open(t, "", Options{Bytes: 256 << 10, NoJanitor: true, Overflow: r,
		Clock: func() time.Time { return now }})
	value := make([]byte, 1000)
	for key, ttl := range map[string]time.Duration{"over": time.Second, "later": time.Minute, "never": 0} {
		if err := c.SetTTL([]byte(key), value, ttl); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(20 * time.Second)
	for i := range 600 {
		if err := c.Set(fmt.Appendf(nil, "key %d", i), value); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := r.ttl["over"]; ok || r.ttl["later"] != 40*time.Second {
		t.Errorf("given with %v", r.ttl["later"])
	}
	if ttl, ok := r.ttl["never"]; !ok || ttl != 0 {
		t.Errorf("an entry without an end: %v %v", ttl, ok)
	}
	x := statsOf(t, c)
	if r.puts == 0 || x.OverflowErrors != r.puts || x.Overflowed != 0 ||
		!errors.Is(c.OverflowError(), errRefused) {
		t.Errorf("%d errors of %d entries, the last one %v", x.OverflowErrors, r.puts, c.OverflowError())
	}
}

// An entry whose time is over at the very moment in which it leaves for want of room is given to nobody: the
// rest of its time would be 0, and that is for ever.
func TestOverflow_AtTheEnd(t *testing.T) {
	for left, given := range map[time.Duration]bool{-time.Millisecond: false, 0: false,
		time.Millisecond: true} {
		r := &refusing{ttl: map[string]time.Duration{}}
		k := &testClock{}
		k.ms.Store(askStart)
		c := open(t, "", Options{Bytes: 256 << 10, NoJanitor: true, Overflow: r, Clock: k.now})
		end := uint64(int64(c.clock.now()) + left.Milliseconds())
		c.overflow(Event{Key: []byte("k"), Reason: Evicted, expires: end})
		if ttl, ok := r.ttl["k"]; ok != given || ok && ttl != left {
			t.Errorf("with %v left it is given: %v, for %v", left, ok, ttl)
		}
	}
}

// statsOf are the Stats of a cache.
func statsOf(t testing.TB, c *Cache) Stats {
	t.Helper()
	s, err := c.Stats()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// keeping is a store that keeps the values.
type keeping map[string]string

func (k keeping) Put(key, value []byte, _ time.Duration) error {
	k[string(key)] = string(value)
	return nil
}

// What leaves since the index is full is given to the store, too, although there is room for records.
func TestOverflow_OfAFullIndex(t *testing.T) {
	below := keeping{}
	c := open(t, "", Options{Bytes: 1 << 20, Entries: 256, NoJanitor: true, Overflow: below})
	const keys = 2000
	for i := range keys {
		set(t, c, fmt.Sprint("key ", i), fmt.Sprint("value ", i))
	}
	x := statsOf(t, c)
	if x.IndexFull == 0 || x.Evicted != 0 || x.Overflowed != x.IndexFull || len(below) != int(x.IndexFull) {
		t.Errorf("%d entries left since the index was full, and %d others; %d were given, and %d are there",
			x.IndexFull, x.Evicted, x.Overflowed, len(below))
	}
	for i := range keys {
		key := fmt.Sprint("key ", i)
		above, ok, err := c.Get([]byte(key), nil)
		stored, spilled := below[key]
		if err != nil || ok == spilled || string(above)+stored != fmt.Sprint("value ", i) {
			t.Errorf("%s: %q in the cache, %q in the store, %v", key, above, stored, err)
		}
	}
}

// The last error is that of some entry, also while somebody reads it: it changes under the lock alone, and
// the count ahead of it.
func TestOverflow_ErrorChangesUnderTheLock(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true,
		Overflow: &refusing{ttl: map[string]time.Duration{}}})
	ended := make(chan struct{})
	c.spills.mu.Lock()
	go func() {
		defer close(ended)
		c.overflow(Event{Reason: Evicted})
	}()
	for c.spills.errors.Load() == 0 && c.spills.last == nil {
		time.Sleep(time.Millisecond)
	}
	if c.spills.last != nil {
		t.Error("the last error changes while another one has the lock")
	}
	c.spills.mu.Unlock()
	if <-ended; !errors.Is(c.OverflowError(), errRefused) || statsOf(t, c).OverflowErrors != 1 {
		t.Errorf("%v, %d errors", c.OverflowError(), statsOf(t, c).OverflowErrors)
	}
}

// scribbling is a store that keeps what it is given, and writes over it.
type scribbling struct{ kept [][]byte }

func (s *scribbling) Put(key, value []byte, _ time.Duration) error {
	for _, b := range [][]byte{key, value} {
		for i := range b {
			b[i] = 'X'
		}
		s.kept = append(s.kept, b)
	}
	return nil
}

// The bytes that a store is given are its own, and those of the event belong to the receiver of that: neither
// sees what the other one does with them.
func TestOverflow_BytesOfItsOwn(t *testing.T) {
	s, told := &scribbling{}, 0
	c := open(t, "", Options{Bytes: 256 << 10, NoJanitor: true, Overflow: s, OnEvent: func(e Event) {
		if e.Reason != Evicted {
			return
		}
		told++
		if !strings.HasPrefix(string(e.Key), "key ") || strings.Trim(string(e.Value), "v") != "" {
			t.Errorf("told %.20q with %.20q", e.Key, e.Value)
		}
		for _, b := range [][]byte{e.Key, e.Value} {
			for i := range b {
				b[i] = 'Y'
			}
		}
	}})
	for i := range 600 {
		set(t, c, fmt.Sprint("key ", i), strings.Repeat("v", 1000))
	}
	for _, b := range s.kept {
		if strings.Trim(string(b), "X") != "" {
			t.Fatalf("the store has %.20q", b)
		}
	}
	if told == 0 || len(s.kept) != 2*told {
		t.Errorf("%d were told, the store has %d keys and values", told, len(s.kept))
	}
}

// An entry that has expired is told as expired, and is not given to the store, also where a full index or the
// want of room makes it leave.
func TestOverflow_OfExpiredEntries(t *testing.T) {
	for name, o := range map[string]Options{"index full": {Bytes: 1 << 20, Entries: 256},
		"evicted": {Bytes: 1 << 17, BasketBytes: 4096, Entries: 1 << 11}} {
		now := time.Unix(1e9, 0)
		ends, seen := map[string]time.Time{}, map[Reason]int{}
		o.NoJanitor, o.Overflow, o.Clock = true, keeping{}, func() time.Time { return now }
		o.OnEvent = func(e Event) {
			seen[e.Reason]++
			if over := !now.Before(ends[string(e.Key)]); over != (e.Reason == Expired) {
				t.Errorf("%s: %q, whose time is over: %t, is told as %v", name, e.Key, over, e.Reason)
			}
		}
		c := open(t, "", o)
		for i := range 20000 {
			key := fmt.Sprint("key ", i)
			life := time.Duration(1+i*7919%2000) * time.Millisecond
			ends[key] = now.Add(life)
			if err := c.SetTTL([]byte(key), make([]byte, 40), life); err != nil {
				t.Fatal(err)
			}
			now = now.Add(time.Millisecond)
		}
		x := statsOf(t, c)
		if x.Overflowed != x.Evicted+x.IndexFull || x.Expired == 0 || seen[Expired] == 0 ||
			(x.IndexFull > 0) != (name == "index full") || (x.Evicted > 0) != (name == "evicted") {
			t.Errorf("%s: %d overflowed, %d evicted, %d index full, %d expired", name, x.Overflowed,
				x.Evicted, x.IndexFull, x.Expired)
		}
	}
}
