package cache

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// ledger holds what clients have set against what is told: each value is set once in a whole test, so that
// one knows it again.
type ledger struct {
	mu   sync.Mutex
	told map[string][]Reason // by value
}

func newLedger() *ledger { return &ledger{told: map[string][]Reason{}} }

func (l *ledger) event(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told[string(e.Value)] = append(l.told[string(e.Value)], e.Reason)
}

// values are those that were told.
func (l *ledger) values() map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	told := map[string]bool{}
	for v := range l.told {
		told[v] = true
	}
	return told
}

// ledgerValue is a value that names its key and its number, of any length.
func ledgerValue(k, n uint64, length int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, k)
	b = binary.LittleEndian.AppendUint64(b, n)
	return append(b, make([]byte, length)...)
}

// client works on keys that nobody else changes, so it knows what each has: the last value that it has set,
// nothing if it has deleted it, or nothing because that value was told.
type client struct {
	t      *testing.T
	c      *Cache
	r      *rand.Rand
	first  uint64 // of its keys
	has    map[uint64]string
	all    []string // values that it has set
	gone   []string // values that it missed, and that must be told as removed
	number uint64
}

const (
	clientKeys   = 400
	clientLength = 1500
)

// work makes calls, and holds each answer against what the client knows.
func (x *client) work(calls int) {
	for range calls {
		k := x.first + x.r.Uint64N(clientKeys)
		name := key(int(k))
		switch x.r.IntN(8) {
		case 0:
			deleted, err := x.c.Delete(name)
			if err != nil {
				x.t.Errorf("delete: %v", err)
				return
			}
			if had := x.has[k]; deleted && had == "" {
				x.t.Errorf("key %d came back", k)
			} else if !deleted && had != "" {
				x.gone = append(x.gone, had)
			}
			delete(x.has, k)
		case 1, 2, 3, 4:
			x.number++
			v := ledgerValue(k, x.number, x.r.IntN(clientLength))
			if err := x.c.Set(name, v); err != nil {
				x.t.Errorf("set: %v", err)
				return
			}
			x.has[k] = string(v)
			x.all = append(x.all, string(v))
		default:
			v, ok, err := x.c.Get(name, nil)
			had := x.has[k]
			switch {
			case err != nil:
				x.t.Errorf("get: %v", err)
				return
			case ok && string(v) != had:
				x.t.Errorf("key %d has %.16x, want %.16x", k, v, had)
			case !ok && had != "":
				x.gone = append(x.gone, had)
				delete(x.has, k)
			}
		}
	}
}

// Each value that was ever set is there, or was told once to have left, with the reason; and what a client
// misses was told as a removal, not as its own doing. With chains, and with an index that is too small, too.
func TestTold_EachValueOnce(t *testing.T) {
	for name, o := range map[string]Options{
		"evictions":   {Bytes: 1 << 20},
		"own chores":  {Bytes: 1 << 20, NoJanitor: true},
		"collisions":  {Bytes: 1 << 20, hashBits: 7},
		"small index": {Bytes: 8 << 20, Entries: 256},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLedger()
			o.OnEvent = l.event
			c := open(t, "", o)
			var clients []*client
			var wg sync.WaitGroup
			for i := range 3 {
				x := &client{t: t, c: c, r: rand.New(rand.NewPCG(7, uint64(i))),
					first: uint64(i) * clientKeys, has: map[uint64]string{}}
				clients = append(clients, x)
				wg.Go(func() { x.work(shorter(20000)) })
			}
			wg.Wait()
			before := l.values()
			kept := map[string]bool{}
			for _, v := range c.All() {
				kept[string(v)] = true
			}
			if err := c.Close(); err != nil { // and with it the janitor tells no more
				t.Error(err)
			}
			for v := range l.values() { // the janitor may have evicted it behind the walk
				if !before[v] {
					delete(kept, v)
				}
			}
			l.judge(t, clients, kept)
		})
	}
}

// judge holds the ledger against the clients' own books, and against what the cache has at the end.
func (l *ledger) judge(t *testing.T, clients []*client, kept map[string]bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	counts := map[Reason]int{}
	for _, x := range clients {
		for _, v := range x.gone {
			if told := l.told[v]; len(told) != 1 || told[0] != Evicted && told[0] != IndexFull {
				t.Errorf("value %.16x is missing, and told %v", v, told)
			}
		}
		for _, v := range x.all {
			told := l.told[v]
			if n := len(told); kept[v] && n != 0 || !kept[v] && n != 1 {
				t.Errorf("value %.16x: there %v, told %v", v, kept[v], told)
				continue
			}
			delete(l.told, v)
			if kept[v] {
				continue
			}
			counts[told[0]]++
			if own := told[0] == Replaced || told[0] == Deleted; own && x.has[keyOf(v)] == v {
				t.Errorf("value %.16x is the last of its key, and told as %v", v, told)
			}
		}
	}
	for v, told := range l.told {
		t.Errorf("value %.16x was told %v, and nobody has set it", v, told)
	}
	t.Logf("%v", counts)
	if counts[Evicted]+counts[IndexFull] == 0 {
		t.Error("nothing was evicted: the test needs a smaller cache")
	}
}

// keyOf is the key of a ledgerValue.
func keyOf(value string) uint64 { return binary.LittleEndian.Uint64([]byte(value)) }

// D3: writers that set the same keys again and again, with any sizes, in a full cache: no set fails,
// evictions go on, and no more lives than there is room for.
func TestReportD3_EvictionDoesNotStall(t *testing.T) {
	var evicted atomic.Int64
	c := open(t, "", Options{Bytes: 1 << 20, BasketBytes: 64 << 10, OnEvent: func(e Event) {
		if e.Reason == Evicted {
			evicted.Add(1)
		}
	}})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(9, uint64(i)))
			for n := range shorter(20000) {
				if err := c.Set(key(r.IntN(1000)), make([]byte, r.IntN(6000))); err != nil {
					t.Errorf("set %d: %v", n, err)
					return
				}
			}
		})
	}
	for last := int64(0); last < 3; last++ {
		for begin := evicted.Load(); evicted.Load() == begin && !t.Failed(); {
			if _, _, err := c.Get(key(0), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	wg.Wait()
}

// D4: a set that needs room takes out what is needed for that, and not much more.
func TestReportD4_NoOverEviction(t *testing.T) {
	for _, size := range []int{100, 1000, 4000} {
		left := 0
		c := open(t, "", Options{Bytes: 2 << 20, BasketBytes: 16 << 10, NoJanitor: true,
			OnEvent: func(e Event) { left += len(e.Value) + 32 }})
		r := rand.New(rand.NewPCG(1, uint64(size)))
		inBasket := int(c.Options().BasketBytes)
		most, total := 0, 0
		for i := range 6 << 20 / size {
			left = 0
			if err := c.Set(key(i), make([]byte, r.IntN(2*size))); err != nil {
				t.Fatal(err)
			}
			most, total = max(most, left), total+left
		}
		if total == 0 || most > 2*inBasket {
			t.Errorf("values of about %d bytes: one set took %d bytes out of baskets of %d", size, most,
				inBasket)
		}
		// In the steady state what leaves is what comes.
		if total > 7<<20 {
			t.Errorf("values of about %d bytes: %d bytes left for 6 MiB that came", size, total)
		}
		if n := c.Len(); n*(size+32) < 1<<20 {
			t.Errorf("values of about %d bytes: only %d entries are there", size, n)
		}
	}
}

// I1: a set walks over a bounded number of records, and so tells a bounded number of events, also if
// everything was used.
func TestReportI1_BoundedWork(t *testing.T) {
	for _, touch := range []bool{false, true} {
		told := 0
		c := open(t, "", Options{Bytes: 2 << 20, NoJanitor: true, OnEvent: func(Event) { told++ }})
		most := 0
		for i := range 60000 {
			told = 0
			if err := c.Set(key(i), make([]byte, 64)); err != nil {
				t.Fatal(err)
			}
			most = max(most, told)
			if touch {
				if _, _, err := c.Get(key(i), nil); err != nil {
					t.Fatal(err)
				}
				if _, _, err := c.Get(key(i-i%7*100), nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		if most == 0 || most > 64 {
			t.Errorf("touched %v: one set took %d entries out, want 1 to 64", touch, most)
		}
		t.Logf("touched %v: at most %d", touch, most)
	}
}

// I1: the walk over a basket that retires is spread over the calls that set: hardly one of them takes out
// nearly as much as a call may, which is 8, and many take out something.
func TestReportI1_WorkIsSpread(t *testing.T) {
	for _, most := range []int{2000, 12_000} {
		values, keys := workIsSpread(t, most, false), workIsSpread(t, most, true)
		if values > keys*108/100 || keys > values*108/100 { // one percent comes by chance
			t.Errorf("long values: %d sets took out something; long keys: %d", values, keys)
		}
	}
}

// workIsSpread sets records that are long by their values, or by their keys, and returns how many sets took
// out something.
func workIsSpread(t *testing.T, most int, long bool) (some int) {
	t.Helper()
	const calls, much = 4000, 7
	told := 0
	c := open(t, "", Options{Bytes: 2 << 20, BasketBytes: 16 << 10, NoJanitor: true,
		OnEvent: func(Event) { told++ }})
	r := rand.New(rand.NewPCG(1, 2))
	many := 0
	for i := range 2 * calls {
		k, v := key(i), make([]byte, r.IntN(most))
		if long {
			k, v = append(k, v...), nil
		}
		told = 0
		if err := c.Set(k, v); err != nil {
			t.Fatal(err)
		}
		if i < calls {
			continue // it is not full before
		}
		if told > 0 {
			some++
		}
		if told >= much {
			many++
		}
	}
	t.Logf("of %d sets %d took out something, %d of them %d or more", calls, some, many, much)
	if many > calls/100 || some < calls/3 {
		t.Errorf("of %d sets %d took out something, %d of them %d or more", calls, some, many, much)
	}
	return some
}

// C6: what was deleted or replaced before all processes ended is not there when the next one begins.
func TestReportC6_RestartRevivesNothing(t *testing.T) {
	path := cacheFile(t)
	o := Options{Bytes: 4 << 20, NoJanitor: true}
	c := open(t, path, o)
	set(t, c, "deleted", "1")
	set(t, c, "replaced", "1")
	filled := 0
	fill := func() { // more than a basket
		for range 200 {
			filled++
			set(t, c, fmt.Sprint("filler ", filled), string(make([]byte, 500)))
		}
	}
	fill()
	set(t, c, "replaced", "2")
	if ok, err := c.Delete([]byte("deleted")); !ok || err != nil {
		t.Fatal(ok, err)
	}
	fill()
	for range 3 {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		var err error
		if c, err = Open(path, o); err != nil {
			t.Fatal(err)
		}
		want(t, c, "deleted", "")
		want(t, c, "replaced", "2")
		set(t, c, "after", "x")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// What the function of the events sets, when it is told that a key has left, stays: a call takes an entry out
// once, and is over with it by then.
func TestTold_WhatIsSetAgainStays(t *testing.T) {
	for name, x := range map[string]struct {
		reason Reason
		call   func(t *testing.T, c *Cache, k *testClock)
	}{
		"delete": {Deleted, func(t *testing.T, c *Cache, _ *testClock) {
			if there, err := c.Delete([]byte("k")); !there || err != nil {
				t.Error(there, err)
			}
		}},
		"compute": {Deleted, func(t *testing.T, c *Cache, _ *testClock) {
			if _, ok, err := c.Compute([]byte("k"), func([]byte, bool) ([]byte, Op) {
				return nil, Remove
			}); ok || err != nil {
				t.Error(ok, err)
			}
		}},
		"expulsion": {Expelled, func(t *testing.T, c *Cache, k *testClock) {
			for range denyFrom {
				a := overLimit(t, c, 1, "k")
				k.ms.Add(a.RetryAfter.Milliseconds() + 1)
			}
		}},
		"expired": {Expired, func(t *testing.T, c *Cache, k *testClock) {
			setTTL(t, c, "k", time.Second)
			k.ms.Add(1001)
			if there, err := c.Delete([]byte("k")); there || err != nil {
				t.Error(there, err)
			}
		}},
	} {
		var c *Cache
		var k *testClock
		told := 0
		q := perKey
		q.Action = ActionExpel
		c, k = timed(t, askStart, Options{Quota: q, OnEvent: func(e Event) {
			if e.Reason == x.reason {
				told++
				set(t, c, "k", "again")
			}
		}})
		set(t, c, "k", "v")
		x.call(t, c, k)
		if told != 1 {
			t.Errorf("%s: told %d times", name, told)
		}
		if v, ok, err := c.Peek([]byte("k"), nil); string(v) != "again" || !ok || err != nil {
			t.Errorf("%s: behind it the key has %q, %v, %v", name, v, ok, err)
		}
	}
}
