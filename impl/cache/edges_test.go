package cache

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/impl/region"
)

// Thresholds are those of the options or of the live parameters: a rate, what it allows in the time of a
// burst and at least 1, and the first wait. A sample stands for a 64th of the smaller burst, up to 16 calls.
func TestThresholds(t *testing.T) {
	const second, hour = 1_000_000_000, 3600 * 1_000_000_000
	for _, x := range []struct {
		q              Quota
		object, client quota.Limits
		units          uint64
	}{
		{Quota{}, quota.Limits{Deny: 3}, quota.Limits{}, 16},
		{Quota{Object: 100}, quota.Limits{Rate: 100, Burst: 100, Retry: second, Deny: 3}, quota.Limits{}, 1},
		{Quota{Object: 191, Action: ActionWarn}, quota.Limits{Rate: 191, Burst: 191, Retry: second},
			quota.Limits{}, 2},
		{Quota{Client: 640, Retry: time.Hour}, quota.Limits{Deny: 3},
			quota.Limits{Rate: 640, Burst: 640, Retry: hour}, 10},
		{Quota{Object: 10_000, Client: 320, Retry: time.Millisecond, Action: ActionExpel},
			quota.Limits{Rate: 10_000, Burst: 10_000, Retry: 1_000_000, Deny: 3},
			quota.Limits{Rate: 320, Burst: 320, Retry: 1_000_000}, 5},
		{Quota{Object: 3, Burst: 1500 * time.Millisecond},
			quota.Limits{Rate: 3, Burst: 4, Retry: second, Deny: 3}, quota.Limits{}, 1},
		{Quota{Object: 999, Burst: 2*time.Second + time.Millisecond},
			quota.Limits{Rate: 999, Burst: 1998, Retry: second, Deny: 3}, quota.Limits{}, 16},
		{Quota{Object: 1000, Burst: 2*time.Second + time.Millisecond},
			quota.Limits{Rate: 1000, Burst: 2001, Retry: second, Deny: 3}, quota.Limits{}, 16},
		{Quota{Object: 7, Burst: time.Nanosecond}, quota.Limits{Rate: 7, Burst: 1, Retry: second, Deny: 3},
			quota.Limits{}, 1},
		{Quota{Object: 1000, Client: 2000, Burst: 10*time.Millisecond - 1}, // whole milliseconds count
			quota.Limits{Rate: 1000, Burst: 9, Retry: second, Deny: 3},
			quota.Limits{Rate: 2000, Burst: 18, Retry: second}, 1},
		{Quota{Object: 3000, Client: 1000, Burst: 2*time.Second - 1, Retry: time.Millisecond + 1},
			quota.Limits{Rate: 3000, Burst: 5997, Retry: 1_000_001, Deny: 3},
			quota.Limits{Rate: 1000, Burst: 1999, Retry: 1_000_001}, 16},
		{Quota{Client: 100_000_000, Burst: 30 * time.Minute}, quota.Limits{Deny: 3},
			quota.Limits{Rate: 100_000_000, Burst: 1 << 32, Retry: second}, 16},
	} {
		c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Quota: x.q})
		if got := c.thresholds(); got != (thresholds{x.object, x.client, x.units}) {
			t.Errorf("%+v: %+v, want %+v, %+v and %d", x.q, got, x.object, x.client, x.units)
		}
	}
	c := open(t, "", small())
	tuned(t, c, "quota.object", 50)
	tuned(t, c, "quota.client", 60)
	tuned(t, c, "quota.retry", 70)
	object := quota.Limits{Rate: 50, Burst: 50, Retry: 70_000_000, Deny: 3}
	client := quota.Limits{Rate: 60, Burst: 60, Retry: 70_000_000}
	if got := c.thresholds(); got != (thresholds{object, client, 1}) {
		t.Errorf("by live parameters %+v", got)
	}
}

// The time by which rates are counted is that of the cache in nanoseconds, and stands still where they would
// overflow.
func TestAsk_InstantOfAnyClock(t *testing.T) {
	const most = 1 << 62 / 1_000_000
	for at, want := range map[int64]uint64{0: 0, 5: 5_000_000, -7: 0, most - 1: (most - 1) * 1_000_000,
		most: most * 1_000_000, most + 1: most * 1_000_000, math.MaxInt64 / 1000: most * 1_000_000} {
		c, _ := timed(t, at, Options{Quota: perKey})
		if got := c.instant(); got != want {
			t.Errorf("at %d ms: %d, want %d", at, got, want)
		}
	}
}

// A client that a sample has found over its limit is refused until there is room for it, and
// not a nanosecond longer; others, and a cache without a limit, are not.
func TestAsk_HowLongAClientIsRefused(t *testing.T) {
	c, k := timed(t, askStart, Options{Quota: Quota{Client: 1000}})
	q := &c.refused
	const now = askStart * 1_000_000
	for _, x := range []struct {
		until, later, want uint64 // nanoseconds, milliseconds, nanoseconds
	}{{1_000_000, 0, 1_000_000}, {1_000_000, 1, 0}, {1_000_001, 1, 1}, {5_500_000, 2, 3_500_000}, {1, 1, 0}} {
		k.ms.Store(askStart)
		q.put(7, now+x.until)
		k.ms.Add(int64(x.later))
		if other := q.wait(c, 8); other != 0 {
			t.Errorf("another client is refused for %d", other)
		}
		if got := q.wait(c, 7); got != x.want {
			t.Errorf("until %d, after %d ms: refused for %d ns, want %d", x.until, x.later, got, x.want)
		}
		if gone := q.at(7).until.Load() == 0; gone != (x.want == 0) {
			t.Errorf("until %d, after %d ms: the refusal is gone: %v", x.until, x.later, gone)
		}
	}
	free := open(t, "", small())
	q.put(7, math.MaxUint64)
	if got := q.wait(free, 7); got != 0 || q.at(7).until.Load() != 0 {
		t.Errorf("without a limit: refused for %d", got)
	}
	places := map[*refusal]bool{}
	for client := range uint64(1000) {
		places[q.at(client)] = true
	}
	if len(places) != sampleHistory {
		t.Errorf("1000 clients share %d places, want %d", len(places), sampleHistory)
	}
}

// A batch of any number of keys, also more than are on their way at once, is as many gets, and counts as
// such; what has expired is none of them.
func TestGetBatch_OfAnyLength(t *testing.T) {
	c, k := timed(t, askStart, Options{Readers: 1})
	for i := range 70 {
		if err := c.SetTTL(key(i), key(i), time.Duration(1+i%2)*time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	k.ms.Add(60_000) // those with even numbers are over
	for _, n := range []int{0, 1, 15, 16, 17, 31, 32, 33, 48, 70} {
		keys, values := make([][]byte, n), make([][]byte, n)
		for i := range keys {
			keys[i], values[i] = key(i), []byte("of before")
		}
		before := statsOf(t, c)
		all, found, err := c.GetBatch(keys, values, nil)
		d := statsOf(t, c).Minus(before.Counts)
		if found != n/2 || len(all) != n/2*8 || err != nil || d.Hits != uint64(n/2) ||
			d.Misses != uint64(n-n/2) {
			t.Errorf("%d keys: %d found, %d bytes, %v; counted %d and %d", n, found, len(all), err, d.Hits,
				d.Misses)
		}
		for i, v := range values {
			if want := i%2 == 1; want != (string(v) == string(key(i))) || !want && v != nil {
				t.Errorf("%d keys: value %d is %x", n, i, v)
			}
		}
	}
}

// What a cache hands out may be appended to, and nothing else of it changes: a key and a value are of their
// own.
func TestBytes_MayBeAppendedTo(t *testing.T) {
	var e Event
	o := small()
	o.OnEvent = func(x Event) { e = x }
	c := open(t, "", o)
	set(t, c, "key", "value")
	if err := c.Walk(func(k, v []byte) bool {
		_, _ = append(k, "long enough to be seen"...), append(v, "long enough to be seen"...)
		if string(k) != "key" || string(v) != "value" || cap(k) != len(k) || cap(v) != len(v) {
			t.Errorf("behind an append the walk has %q and %q", k, v)
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	set(t, c, "key", "another value")
	_ = append(e.Key, "long enough to be seen"...)
	if string(e.Key) != "key" || string(e.Value) != "value" || e.Reason != Replaced {
		t.Errorf("behind an append the event has %q and %q", e.Key, e.Value)
	}
}

// What is left of the longest times is the longest that can be told, in whole milliseconds, and never
// negative.
func TestTTL_OfLongTimes(t *testing.T) {
	c, k := timed(t, 1, Options{})
	const longest = math.MaxInt64 / time.Millisecond * time.Millisecond
	for _, x := range []struct{ ttl, later, left time.Duration }{
		{math.MaxInt64, 0, longest}, {math.MaxInt64, 5 * time.Millisecond, longest - 4*time.Millisecond},
		{time.Hour, time.Hour - time.Millisecond, time.Millisecond}, {time.Hour, 0, time.Hour},
		{1, 0, time.Millisecond},
	} {
		k.ms.Store(1)
		setTTL(t, c, "k", x.ttl)
		k.ms.Add(x.later.Milliseconds())
		if left, ok, err := c.TTL([]byte("k")); left != x.left || !ok || err != nil {
			t.Errorf("of %v after %v: %v, %v, %v, want %v", x.ttl, x.later, left, ok, err, x.left)
		}
	}
}

// A typed set with a time lives for that time.
func TestTyped_SetsForATime(t *testing.T) {
	c, _ := timed(t, askStart, Options{TTL: time.Minute})
	m, err := NewTyped[int64, string](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, ttl := range []time.Duration{0, time.Second, time.Hour} {
		if err := m.SetTTL(5, "v", ttl); err != nil {
			t.Fatal(err)
		}
		if left, ok, err := c.TTL([]byte{5, 0, 0, 0, 0, 0, 0, 0}); left != ttl || !ok || err != nil {
			t.Errorf("for %v: %v left, %v, %v", ttl, left, ok, err)
		}
	}
}

// The ages of a tier are those of its first and last basket, by the clock of the cache.
func TestStats_AgesOfTiers(t *testing.T) {
	c, k := timed(t, askStart, Options{Writers: 1})
	set(t, c, "first", "v") // begins a basket
	ages := func(youngest, oldest time.Duration) {
		t.Helper()
		if top := statsOf(t, c).Tiers[0]; top.Youngest != youngest || top.Oldest != oldest {
			t.Errorf("the top tier is of %v to %v, want %v to %v", top.Youngest, top.Oldest, youngest, oldest)
		}
	}
	ages(0, 0)
	k.ms.Add(1500)
	ages(1500*time.Millisecond, 1500*time.Millisecond)
	set(t, c, "second", string(make([]byte, 7000)))
	set(t, c, "third", string(make([]byte, 7000))) // begins another one
	ages(0, 1500*time.Millisecond)
	k.ms.Add(250)
	ages(250*time.Millisecond, 1750*time.Millisecond)
	k.ms.Add(-1000)
	ages(0, 750*time.Millisecond)
}

// Where parameters are in the region, and how large the index is, belongs to the version of the format.
func TestFormat_OfWordsAndIndex(t *testing.T) {
	o := small()
	o.Tiers = 8
	c := open(t, "", o)
	at := map[string][2]int{"ttl.default": {0, 0}, "compact.living": {1, 0}, "compact.gain": {1, 32},
		"janitor.every": {2, 0}, "janitor.reserve": {3, 0}, "janitor.records": {4, 0}, "janitor.run": {5, 0},
		"quota.object": {16, 0}, "quota.client": {17, 0}, "quota.retry": {18, 0}}
	for tier := range 8 {
		at[fmt.Sprintf("tier.%d.share", tier)] = [2]int{6 + tier/2, tier % 2 * 32}
		at[fmt.Sprintf("tier.%d.age", tier)] = [2]int{20 + tier, 0}
	}
	for _, x := range c.Parameters() {
		before := make([]uint64, paramsMost)
		for i := range before {
			before[i] = c.params.words[i].Load()
		}
		tuned(t, c, x.Name, x.Most)
		want, ok := at[x.Name]
		got := c.params.words[want[0]].Load()
		if !ok || (got^before[want[0]])>>want[1]&math.MaxInt32 != x.Most&math.MaxInt32 {
			t.Errorf("%s is %d, and its word was %#x and is %#x", x.Name, x.Most, before[want[0]], got)
		}
	}
	for _, x := range []struct {
		o                  Options
		cells, descriptors uint32
	}{
		{Options{Bytes: 1 << 20}, 5461, 128}, {Options{Bytes: 1 << 20, Entries: 64}, 43, 64},
		{Options{Bytes: 1 << 20, Entries: 4096}, 2731, 64},
		{Options{Bytes: 1 << 20, Entries: 4159}, 2773, 64},
		{Options{Bytes: 1 << 20, Entries: 4160}, 2773, 65}, {Options{Bytes: 64 << 20}, 349525, 512},
	} {
		g, err := geometryOf(x.o)
		if i := g.index; err != nil || i.CellsPerHalf != x.cells || i.Descriptors != x.descriptors ||
			i.Window != 32 {
			t.Errorf("%+v: %+v, %v", x.o, g.index, err)
		}
	}
}

// A process makes as many handles as it is asked for, or as many as goroutines run, twice as many readers; of
// what the region has at most half without being asked, and always one.
func TestOptions_HowManyHandles(t *testing.T) {
	before := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(before)
	for _, x := range []struct{ asked, all, writers, readers int }{
		{0, 1, 1, 1}, {0, 2, 1, 1}, {0, 4, 2, 2}, {0, 7, 3, 3}, {0, 8, 3, 4}, {0, 12, 3, 6}, {0, 500, 3, 6},
		{1, 500, 1, 1}, {5, 500, 5, 5}, {5, 4, 4, 4}, {5, 5, 5, 5}, {256, 500, 256, 256},
	} {
		o := Options{Writers: x.asked, Readers: x.asked}
		if w, r := o.writers(x.all), o.readers(x.all); w != x.writers || r != x.readers {
			t.Errorf("%d asked for of %d: %d writers and %d readers, want %d and %d", x.asked, x.all, w, r,
				x.writers, x.readers)
		}
	}
}

// Each handle has a number of its own, by which a person finds the process: its pid is in the bits from 12
// on.
func TestHandles_Owners(t *testing.T) {
	c := open(t, "", small())
	seen := map[uint64]bool{}
	for range 4000 {
		n := c.owner()
		if seen[n] || n>>31 != 1 || n>>12&(1<<19-1) != uint64(os.Getpid())&(1<<19-1) {
			t.Fatalf("a handle of process %d has the number %#x", os.Getpid(), n)
		}
		seen[n] = true
	}
}

// The region has the number of each handle that there is: no two have one, and all are of this process.
func TestHandles_OwnersInTheRegion(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Readers: 3, Writers: 2})
	var readers []*slot[*reader]
	for range 3 {
		s, err := c.readers.take()
		if err != nil {
			t.Fatal(err)
		}
		readers = append(readers, s)
	}
	var writers []*slot[*writer]
	for range 2 {
		s, err := c.writers.take()
		if err != nil {
			t.Fatal(err)
		}
		writers = append(writers, s)
	}
	base := c.owner() &^ (1<<12 - 1)
	last := c.owner() & (1<<12 - 1)
	seen := map[uint64]int{}
	for _, x := range [][2]string{{hopscotch.Engine, hopscotch.SectionDescriptors},
		{basket.Engine, basket.SectionWriters}} {
		words, err := c.region.Section(x[0], x[1])
		if err != nil {
			t.Fatal(err)
		}
		for i := range words {
			if n := words[i].Load() & math.MaxUint32; n > base && n < base+last {
				seen[n]++
			}
		}
	}
	for n, times := range seen {
		if times != 1 {
			t.Errorf("%d handles have the number %#x", times, n)
		}
	}
	if len(seen) != 3+2*2 { // a reader has one in the index, and a writer one in the baskets, too
		t.Errorf("numbers of handles in the region: %x, want 7", seen)
	}
	for _, s := range readers {
		s.give(0)
	}
	for _, s := range writers {
		s.give(0)
	}
}

// A writer keeps the buffer of a key for the next call, and none that a key has made large.
func TestHandles_KeepNoLargeKeys(t *testing.T) {
	w := &writer{}
	for _, x := range []struct{ key, kept int }{{0, 64}, {10, 64}, {64, 64}, {200, 0}, {10, 0},
		{keptMost * 2, 0}} {
		k := make([]byte, x.key)
		if got := w.own(k); len(got) != x.key || got == nil || x.kept != 0 && cap(got) != x.kept {
			t.Errorf("of a key of %d bytes: %d bytes of %d", x.key, len(got), cap(got))
		}
	}
	if got := w.own(nil); cap(got) != 64 || got == nil {
		t.Errorf("behind a large key a buffer of %d bytes is kept", cap(got))
	}
	first := w.own([]byte("first"))
	if second := w.own([]byte("other")); &first[0] != &second[0] {
		t.Error("each call has a buffer of its own")
	}
}

// A line of counts has what the last process of the entry has done, by itself: hits, misses and sets since it
// came.
func TestCounts_SinceAProcessCame(t *testing.T) {
	words := make(region.Words, countsLine)
	first, second := region.MakeProcess(0, 1), region.MakeProcess(0, 2)
	a := new(counters)
	a.init(words, first)
	a.store(func() Counts { return Counts{Hits: 5, Misses: 6, Sets: 7, Replaced: 8} })
	b := new(counters)
	b.init(words, second)
	if _, ok := b.own.since(first); ok {
		t.Error("the line is of the second process")
	}
	b.store(func() Counts { return Counts{Hits: 10, Misses: 20, Sets: 30, Replaced: 40} })
	if got, ok := b.own.since(second); !ok || got.Hits != 10 || got.Misses != 20 || got.Sets != 30 {
		t.Errorf("the second process has done %+v, %v", got, ok)
	}
	want := Counts{Hits: 15, Misses: 26, Sets: 37, Replaced: 48}
	now := Counts{Hits: 11, Misses: 20, Sets: 30, Replaced: 40}
	total := Counts{Hits: 16, Misses: 26, Sets: 37, Replaced: 48}
	if got, all := b.own.sum(), b.total(now); got != want || all != total {
		t.Errorf("in all %+v, want %+v; with what was not stored %+v, want %+v", got, want, all, total)
	}
}
