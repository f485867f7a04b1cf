package cache

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/impl/region"
)

// What a writer asks for are the live parameters of its cache, each tier's own.
func TestParameters_AreWhatWritersAskFor(t *testing.T) {
	o := small()
	o.Tiers = 5
	c := open(t, "", o)
	if got, want := c.params.tuning(), (basket.Tuning{Living: 90, Gain: 10, Reserve: 1}); got != want {
		t.Errorf("of a new cache %+v, want %+v", got, want)
	}
	want := basket.Tuning{Living: 61, Gain: 23, Reserve: 7}
	tuned(t, c, "compact.living", 61)
	tuned(t, c, "compact.gain", 23)
	tuned(t, c, "janitor.reserve", 7)
	for tier := range 5 {
		want.Share[tier], want.Ages[tier] = uint32(11+tier), uint64(100+tier)
		tuned(t, c, fmt.Sprintf("tier.%d.share", tier), uint64(11+tier))
		tuned(t, c, fmt.Sprintf("tier.%d.age", tier), uint64(100+tier))
	}
	if got := c.params.tuning(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A policy that breaks the rules is named ahead of a number of tiers that it does not have.
func TestOptions_PolicyIsJudgedFirst(t *testing.T) {
	for says, o := range map[string]Options{
		"option Policy is":            {Policy: shaped{"", 1, 1}, Tiers: 4},
		"option Tiers is":             {Policy: shaped{"", 1, 1}, Tiers: 99},
		"option TTL is":               {Policy: shaped{"good", 1, 1}, TTL: -1, Quota: Quota{Action: 9}},
		"option Hash is":              {Policy: shaped{"", 1, 1}, Hash: 9},
		"option BasketBytes is 5000,": {BasketBytes: 5000, Policy: shaped{"", 1, 1}, TTL: -1},
		"option BasketBytes is 5001,": {BasketBytes: 5001, TTL: -1},
		"option Bytes is":             {Bytes: 1, BasketBytes: 5000},
	} {
		if err := o.check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// A region in which one option is zero, too large or too small is damaged, and it is said to be in the part
// of the cache that it is.
func TestOptionsOf_EachIsWithinItsBounds(t *testing.T) {
	g, err := geometryOf(Options{Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	sound := g.own.Params
	most := map[string]uint64{paramBytes: BytesMax, paramBasket: BasketBytesMax, paramEntries: 1 << 31,
		paramHash: 2, paramBits: 32, paramTiers: 8}
	for i, p := range sound {
		bad := []uint64{0, math.MaxUint64}
		if n, ok := most[p.Name]; ok {
			bad = append(bad, n+1, n+1<<32)
		}
		if p.Name == paramBytes || p.Name == paramBasket || p.Name == paramEntries {
			bad = append(bad, 1, 63)
		}
		for _, value := range bad {
			g.own.Params = append([]region.Param{}, sound...)
			g.own.Params[i].Value = value
			r, err := region.Heap(g.layout())
			if err != nil {
				t.Fatal(err)
			}
			_, err = optionsOf(r, nil)
			var e *region.Error
			if !errors.Is(err, region.ErrHeader) || !errors.As(err, &e) || e.Field != "part cache" ||
				e.Want != "options within their bounds" || !strings.Contains(e.Do, "unlink it") {
				t.Errorf("%s is %d: %v", p.Name, value, err)
			}
		}
	}
}

// Ask says that it has found an entry exactly where it appends the value.
func TestAsk_FoundIsWhatIsAppended(t *testing.T) {
	for _, action := range []Action{ActionRefuse, ActionWarn, ActionExpel} {
		q := perKey
		q.Action = action
		c, k := timed(t, askStart, Options{Quota: q})
		seen := map[string]bool{}
		for n := range 400 {
			key := []string{"there", "none"}[n%2]
			if n%200 < 150 {
				set(t, c, "there", "v")
			}
			value, a, err := c.Ask(1, []byte(key), []byte("to:"))
			if err != nil || a.Found != (string(value) == "to:v") || !a.Found && string(value) != "to:" ||
				key == "none" && a.Found || a.State == Hit && !a.Found || a.State == Miss && a.Found {
				t.Errorf("%v: %s is answered by %+v with %q, %v", action, key, a, value, err)
			}
			seen[fmt.Sprint(key, a.State)] = true
			if n == 199 {
				k.ms.Add(10_000)
			}
		}
		for _, s := range []string{"there hit", "there suspect", "none miss", "none suspect"} {
			if name, state, _ := strings.Cut(s, " "); !seen[name+state] {
				t.Errorf("%v: the test needs some %s", action, s)
			}
		}
	}
}

// Between samples a key that is there and has no mark is what it is, whatever the counts say: only a sample
// looks at them. A key that has a mark, and one that is not there, are looked up.
func TestAsk_JudgeBetweenSamples(t *testing.T) {
	c, _ := timed(t, askStart, Options{Quota: perKey})
	q := &inquiry{thresholds: c.thresholds(), now: c.instant()}
	const id, calm = 0x123456789abcdef, 0xfedcba987654321
	first := c.objects.Judge(id, q.now, 1000, q.object)
	if first.Verdict != quota.Suspect {
		t.Fatalf("%+v", first)
	}
	for _, x := range []struct {
		id                     uint64
		sampled, marked, there bool
		suspect                bool
	}{
		{id, true, false, true, true}, {id, false, false, true, false}, {id, false, true, true, true},
		{id, false, true, false, true}, {id, false, false, false, true}, {calm, false, false, false, false},
		{calm, false, true, true, false}, {calm, true, false, true, false}, {calm, false, false, true, false},
	} {
		q.sampled = x.sampled
		r := q.judge(c, x.id, x.marked, x.there)
		if got := r.Verdict == quota.Suspect; got != x.suspect || got && r != first ||
			!got && r != (quota.Ruling{}) {
			t.Errorf("%+v: %+v", x, r)
		}
	}
}

// Only a sample, and a call that finds a penalty over, count for a key. Others look, and change no count.
func TestAsk_WhoCountsForTheKey(t *testing.T) {
	c, _ := timed(t, askStart, Options{Quota: perKey})
	q := &inquiry{thresholds: c.thresholds(), now: c.instant()}
	const suspect, calm = 0x123456789abcdef, 0xfedcba987654321
	if r := c.objects.Judge(suspect, q.now, 51, q.object); r.Verdict != quota.Suspect {
		t.Fatalf("%+v", r)
	}
	counts := func() (all []uint64) {
		for _, section := range []string{SectionObjects, SectionClients} {
			words, err := c.region.Section(Engine, section)
			if err != nil {
				t.Fatal(err)
			}
			for i := range words {
				all = append(all, words[i].Load())
			}
		}
		return all
	}
	for _, x := range []struct {
		id                     uint64
		sampled, marked, there bool
		counts                 bool
	}{
		{suspect, true, false, true, true}, {suspect, true, true, true, true},
		{calm, true, false, false, true}, {calm, false, true, true, true}, {calm, false, true, false, true},
		{suspect, false, true, true, false}, {suspect, false, true, false, false},
		{suspect, false, false, false, false}, {suspect, false, false, true, false},
		{calm, false, false, true, false}, {calm, false, false, false, false},
	} {
		before := counts()
		q.sampled = x.sampled
		q.judge(c, x.id, x.marked, x.there)
		if changed := !slices.Equal(counts(), before); changed != x.counts {
			t.Errorf("%+v: it has counted: %v", x, changed)
		}
	}
}

// Who has no limit of its own lists the suspects of others as they do, however long they have to wait.
func TestSuspects_WithoutALimit(t *testing.T) {
	path := cacheFile(t)
	k := &testClock{}
	k.ms.Store(askStart)
	o := Options{Bytes: 1 << 20, NoJanitor: true, Clock: k.now, Quota: Quota{Object: 10, Retry: time.Hour}}
	judges := open(t, path, o)
	o.Quota = Quota{Client: 1, Retry: time.Millisecond}
	looks := open(t, path, o)
	set(t, judges, "hot", "v")
	set(t, judges, "cold", "v")
	for offence := 1; offence <= 3; offence++ {
		a := overLimit(t, judges, 1, "hot")
		want, err := judges.Suspects()
		if err != nil || len(want) != 1 || want[0].Offences != offence ||
			want[0].RetryAfter != a.RetryAfter || a.RetryAfter < time.Hour-time.Minute ||
			string(want[0].Key) != "hot" {
			t.Fatalf("offence %d: %+v, %v", offence, want, err)
		}
		if got, err := looks.Suspects(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("offence %d: %+v, %v, want %+v", offence, got, err, want)
		}
		k.ms.Add(a.RetryAfter.Milliseconds() + 1)
		if got, err := looks.Suspects(); err != nil || len(got) != 0 {
			t.Errorf("offence %d: when its time is over %+v, %v", offence, got, err)
		}
	}
}

// A value that is set counts as one, by whatever call, and nothing else does.
func TestCounts_OfSets(t *testing.T) {
	c := open(t, "", small())
	k, sets := []byte("k"), uint64(0)
	compute := func(op Op) func() error {
		return func() error {
			_, _, err := c.Compute(k, func([]byte, bool) ([]byte, Op) { return []byte("12345678"), op })
			return err
		}
	}
	swap := func(old string) func() error {
		return func() error { _, err := c.CompareAndSwap(k, []byte(old), []byte("v")); return err }
	}
	absent := func() error { _, err := c.SetIfAbsent(k, []byte("v")); return err }
	remove := func() error { _, err := c.Delete(k); return err }
	add := func() error { _, err := c.Add(k, 1); return err }
	for i, x := range []struct {
		call func() error
		sets uint64
	}{
		{compute(Keep), 0}, {compute(Remove), 0}, {swap("v"), 0}, {remove, 0}, {absent, 1}, {absent, 0},
		{swap("w"), 0}, {swap("v"), 1}, {compute(Keep), 0}, {compute(Write), 1}, {add, 1},
		{compute(Remove), 0}, {add, 1}, {remove, 0}, {func() error { return c.SetTTL(k, k, time.Hour) }, 1},
		{func() error { return c.SetTTL(k, k, -1) }, 0},
		{func() error { _ = c.Set(k, make([]byte, 1<<20)); return nil }, 0},
	} {
		if err := x.call(); err != nil && !errors.Is(err, ErrTTL) {
			t.Errorf("call %d: %v", i, err)
		}
		sets += x.sets
		if s := statsOf(t, c); s.Sets != sets || s.Hits+s.Misses != 0 {
			t.Errorf("behind call %d %d sets are counted, want %d, and %d gets", i, s.Sets, sets,
				s.Hits+s.Misses)
		}
	}
}

// Stats has the writers that all processes have, and each field is of what it says.
func TestStats_OfAll(t *testing.T) {
	path := cacheFile(t)
	o := Options{Bytes: 1 << 20, NoJanitor: true, Writers: 2}
	a, b := open(t, path, o), open(t, path, o)
	for n, c := range []*Cache{a, b} {
		if s := statsOf(t, c); s.Writers != n {
			t.Errorf("%d processes have set something, and there are %d writers", n, s.Writers)
		}
		set(t, c, fmt.Sprint(n), "v")
	}
	s, l := statsOf(t, a), a.store.Layout()
	if s.Writers != 2 || s.Entries != 2 || s.Baskets != int(l.Baskets) || s.OpenBaskets != 2 ||
		s.FreeBaskets != s.Baskets-2 || s.SealedBaskets != 0 || s.RetiringBaskets != 0 ||
		s.FreeBytes != uint64(s.FreeBaskets)*uint64(l.BasketBytes) ||
		len(s.Parameters) != len(a.Parameters()) || s.LiveBytes == 0 ||
		s.LiveBytes+s.DeadBytes != 2*uint64(l.BasketBytes) {
		t.Errorf("%+v", s)
	}
}

// Processes tells of a region that has been closed.
func TestProcesses_OfAClosedRegion(t *testing.T) {
	c, err := Open("", small())
	if err != nil {
		t.Fatal(err)
	}
	set(t, c, "k", "v")
	if err := c.region.Close(); err != nil {
		t.Fatal(err)
	}
	if all, err := c.Processes(); all != nil || err == nil || !strings.HasPrefix(err.Error(), "processes: ") {
		t.Errorf("%v, %v", all, err)
	}
	if sums := c.counters.own.sum(); sums != (Counts{}) {
		t.Errorf("a call that fails has stored %+v", sums)
	}
}

// The gap to the next sample is at most 16 times as long as it is on average, by whatever is drawn: from this
// state on none of the first 255 numbers ends it.
func TestSample_LongestGap(t *testing.T) {
	c, _ := timed(t, askStart, Options{Quota: Quota{Object: 1 << 20}})
	d := drawnFrom(8945644784509053323)
	if q := d.sample(c); !q.sampled || d.left.Load() != 16*16 {
		t.Errorf("%v, and the next sample is %d calls away, want 256", q.sampled, d.left.Load())
	}
	for n := range 255 {
		if d.sample(c).sampled {
			t.Fatalf("call %d is a sample", n+1)
		}
	}
	if !d.sample(c).sampled {
		t.Error("call 256 is none")
	}
}

// A region is not a byte larger than it may be: with a byte less than it takes it is smaller.
func TestGeometry_NotAByteMore(t *testing.T) {
	for _, o := range []Options{{Bytes: 1 << 20}, {Bytes: 5 << 20, Policy: TinyLFU{}},
		{Bytes: 64 << 20, Tiers: 1}, {Bytes: 20 << 20, BasketBytes: 1 << 20, Entries: 64}} {
		o = o.complete()
		for range 5 {
			g, err := geometryOf(o)
			if err != nil {
				t.Fatal(err)
			}
			size := g.layout().Size()
			if size > o.Bytes {
				t.Errorf("a region of %d bytes takes %d", o.Bytes, size)
			}
			o.Bytes = size - 1
		}
	}
}

// Whoever wants a handle has the one that is free, wherever it is, and none is made for him.
func TestPool_FindsTheFreeOne(t *testing.T) {
	const n = 7
	p, alive := testPool(n+1, n+1) // one more could be made
	var all [n]*slot[*made]
	for i := range all {
		s, err := p.take()
		if err != nil {
			t.Fatal(err)
		}
		all[i] = s
	}
	for i, free := range all {
		free.give(0)
		got := make(chan *slot[*made], 1)
		go func() {
			s, err := p.takeAny(0)
			if err != nil {
				t.Error(err)
			}
			got <- s
		}()
		select {
		case s := <-got:
			if s != free || alive.Load() != n {
				t.Errorf("handle %d is free, and another one was taken", i)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("handle %d is free, and nobody finds it", i)
		}
	}
}

// An event of which a view can read neither key nor value is an error of the key.
func TestTyped_EventOfNeither(t *testing.T) {
	m, err := NewTyped[int64, int64](open(t, "", small()), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	k, v, err := m.Event(Event{Key: []byte("short"), Value: []byte("v")})
	if k != 0 || v != 0 || !errors.Is(err, ErrCodec) || !strings.Contains(err.Error(), "codec of the key") {
		t.Errorf("%d, %d, %v", k, v, err)
	}
}

// Buffers of two mebibytes are kept for the next call, and larger ones are not.
func TestScratch_KeepsTwoMebibytes(t *testing.T) {
	for _, n := range []int{2 << 20, 2<<20 + 1} {
		var s scratch
		s.init(1)
		b := s.take()
		b.key, b.value = make([]byte, n), make([]byte, n)
		b.give()
		if kept := b.key != nil; kept != (n == 2<<20) || kept != (b.value != nil) {
			t.Errorf("buffers of %d bytes are kept: %v", n, kept)
		}
	}
}

// laned is a policy that appends to each tier that it is asked for.
type laned struct{ shaped }

func (laned) Shape(asked uint32) (tiers, lanes uint32) { return max(asked, 1), max(asked, 1) }

// A cache has as many baskets as there is room for, also where that is so to the byte, and as many writers as
// half of the baskets are enough for.
func TestGeometry_AsManyBasketsAsFit(t *testing.T) {
	for tiers := range 9 {
		o := Options{Bytes: 10 << 20, BasketBytes: 64 << 10, Entries: 1 << 14, Tiers: tiers,
			Policy: laned{shaped{name: "laned"}}}.complete()
		g, err := geometryOf(o)
		if err != nil {
			t.Fatal(err)
		}
		lanes := uint32(max(tiers, 1))
		size := func(baskets uint64) uint64 {
			x := g
			x.basket = withBaskets(g.basket, baskets, lanes)
			return x.layout().Size()
		}
		const each = 64<<10 + 1<<10 // with the marks of recency
		first := o.Bytes / each
		over := (size(first) - first*each) / each
		o.Bytes = size(first) - over*each
		if g, err = geometryOf(o); err != nil || over == 0 {
			t.Fatal(over, err)
		}
		n := uint64(g.basket.Baskets)
		if size(n) > o.Bytes || size(n+1) <= o.Bytes {
			t.Errorf("%d baskets in %d bytes: they take %d, and one more %d", n, o.Bytes, size(n), size(n+1))
		}
		if w := uint64(g.basket.Writers); w*uint64(lanes+1) > n/2 || (w+1)*uint64(lanes+1) <= n/2 {
			t.Errorf("%d tiers, %d lanes: %d writers for %d baskets", o.Tiers, lanes, w, n)
		}
	}
}

// wordy is a policy that needs more words than a store may have for one.
type wordy struct{ shaped }

func (wordy) Words(uint64) uint64 { return 1<<32 + 1 }

// A policy that asks for more memory than there may be is refused, however large the cache is.
func TestOptions_PolicyOfTooManyWords(t *testing.T) {
	o := Options{Bytes: 40 << 30, Entries: 64, Policy: wordy{shaped{"wordy", 1, 1}}}
	_, err := geometryOf(o)
	if !errors.Is(err, region.ErrGeometry) || !strings.HasPrefix(err.Error(), "cache: ") {
		t.Errorf("%v", err)
	}
}

// Whoever opens a cache that exists with other options is told what the cache has, also where no new one
// could be made of them.
func TestOpen_OtherOptionsThanTheCache(t *testing.T) {
	path := cacheFile(t)
	open(t, path, small())
	for says, o := range map[string]Options{
		"entries of cache is 8192, want 1048576":     {Bytes: 1 << 20, Entries: 1 << 20},
		"basket bytes of cache is 8192, want 262144": {BasketBytes: 256 << 10, Bytes: 1 << 20},
		"bytes of cache is 1048576, want 2097152":    {Bytes: 2 << 20},
		"hash of cache is xxh3, want siphash":        {Hash: HashSip},
		"policy of cache is ageing, want tinylfu":    {Policy: TinyLFU{}},
		"tiers of cache is 4, want 1":                {Tiers: 1},
	} {
		calls := map[string]func(string, Options) (*Cache, error){"open": Open, "attach": Attach}
		for name, call := range calls {
			if c, err := call(path, o); c != nil || !errors.Is(err, region.ErrLayout) ||
				!strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want %q", name, err, says)
			}
		}
	}
}

// Of clients that share a place one is refused, and others are not for that.
func TestAsk_ClientsOfOnePlace(t *testing.T) {
	c, _ := timed(t, askStart, Options{Quota: Quota{Client: 1000}})
	q := &c.refused
	other := uint64(8)
	for q.at(other) != q.at(7) {
		other++
	}
	q.put(7, askStart*1_000_000+5)
	if wait := q.wait(c, other); wait != 0 {
		t.Errorf("client %d is refused for %d", other, wait)
	}
	if wait := q.wait(c, 7); wait != 5 {
		t.Errorf("client 7 is refused for %d, want 5", wait)
	}
}

// The last error of the overflow may be asked for again and again, also beside entries that overflow.
func TestOverflow_ErrorIsToldAgain(t *testing.T) {
	r := &refusing{ttl: map[string]time.Duration{}}
	c := open(t, "", Options{Bytes: 256 << 10, NoJanitor: true, Overflow: r})
	for range 2 {
		if err := c.OverflowError(); errors.Is(err, errRefused) != (r.puts > 0) || !c.spills.mu.TryLock() {
			t.Fatalf("behind %d entries: %v, or the next one would wait for ever", r.puts, err)
		}
		c.spills.mu.Unlock()
		for i := range 600 {
			set(t, c, fmt.Sprint(i), string(make([]byte, 1000)))
		}
	}
	if err := c.OverflowError(); !errors.Is(err, errRefused) || r.puts == 0 {
		t.Errorf("behind %d entries: %v", r.puts, err)
	}
}
