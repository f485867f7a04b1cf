package cache

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/seam"
)

// Files of one FormatVersion are read by all builds of that version. So what the version stands for must not
// change without it: the sections and their sizes, and where keys are.
func TestFormat_OfTheVersion(t *testing.T) {
	const pinned = 5
	if FormatVersion != pinned {
		t.Fatalf("the version is %d: pin below what belongs to it, and give this test its number",
			FormatVersion)
	}
	for _, x := range []struct {
		o    Options
		want string
	}{
		{Options{Bytes: 1 << 20}, "baskets 100 of 8192, writers 25, clock 64 params 256 janitors 64 " +
			"counts 12288 objects 4096 clients 2048"},
		{Options{Bytes: 1 << 26, Policy: TinyLFU{}}, "baskets 96 of 524288, writers 16, clock 64 " +
			"params 256 janitors 64 counts 12288 objects 262144 clients 32768"},
		{Options{Bytes: 1 << 30, Hash: HashSip, Tiers: 2}, "baskets 208 of 4194304, writers 52, clock 64 " +
			"params 256 janitors 64 counts 12288 objects 4194304 clients 524288"},
	} {
		g, err := geometryOf(x.o.complete())
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("baskets %d of %d, writers %d,", g.basket.Baskets, g.basket.BasketBytes,
			g.basket.Writers)
		for _, s := range g.own.Sections {
			got += fmt.Sprintf(" %s %d", s.Name, s.Bytes)
		}
		if got != x.want {
			t.Errorf("%d bytes: %s, want %s: raise FormatVersion", x.o.Bytes, got, x.want)
		}
	}
	const clientSeven = 0x7169bd0fc70de23b
	for kind, want := range map[HashKind][2]uint64{HashXXH3: {0x90169e50fc3fb66f, clientSeven},
		HashSip: {0x4bbc5e077f522de1, clientSeven}} {
		h := newHasher(kind, 32, [2]uint64{0x0123456789abcdef, 0xfedcba9876543210})
		if got := [2]uint64{h.whole([]byte("key")), h.client(7)}; got != want {
			t.Errorf("%v: hashes %#x, want %#x: raise FormatVersion", kind, got, want)
		}
	}
}

// A cache hashes keys as it was asked to, with the secret of its region, and another view does as well.
func TestOptions_HashIsUsed(t *testing.T) {
	for _, kind := range []HashKind{HashXXH3, HashSip} {
		c := open(t, "", Options{Bytes: 1 << 20, Hash: kind})
		k := []byte("key")
		h := newHasher(kind, 32, c.store.Secret([2]uint64{}))
		if c.Options().Hash != kind || c.hasher.of(k) != h.of(k) {
			t.Errorf("%v: options %v, and the key is at %#x, want %#x", kind, c.Options().Hash,
				c.hasher.of(k), h.of(k))
		}
	}
}

// A process has as many handles as it asks for, and makes no more; and it has its GOMAXPROCS as before.
func TestOptions_HandlesOfAProcess(t *testing.T) {
	before := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(before)
	for _, x := range []struct{ asked, readers, writers int }{{0, 4, 2}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}} {
		c := open(t, "", Options{Bytes: 4 << 20, Readers: x.asked, Writers: x.asked})
		if r, w := len(c.readers.slots), len(c.writers.slots); r != x.readers || w != x.writers {
			t.Errorf("%d asked for: %d readers and %d writers, want %d and %d", x.asked, r, w, x.readers,
				x.writers)
		}
		if n := runtime.GOMAXPROCS(0); n != 2 {
			t.Fatalf("GOMAXPROCS is %d", n)
		}
	}
}

// Writers have half of the baskets at most: each has one open for each lane of the policy, and one that it
// retires. As many as these are enough for are there.
func TestGeometry_WritersOfAPolicy(t *testing.T) {
	for _, p := range []Policy{Ageing{}, TinyLFU{}} {
		g, err := geometryOf(Options{Bytes: 16 << 20, Policy: p}.complete())
		if err != nil {
			t.Fatal(err)
		}
		each, half := g.lanes+1, g.basket.Baskets/2
		if n := g.basket.Writers; n*each > half || (n+1)*each <= half {
			t.Errorf("%s: %d writers with %d baskets each, of %d", p.Name(), n, each, g.basket.Baskets)
		}
	}
}

// Whoever gives keys and values of different numbers has his bytes back.
func TestGetBatch_OfDifferentLengths(t *testing.T) {
	c := open(t, "", small())
	set(t, c, "k", "v")
	dst := []byte("to:")
	values := [][]byte{[]byte("before"), nil}
	all, n, err := c.GetBatch([][]byte{[]byte("k")}, values, dst)
	if string(all) != "to:" || n != 0 || !errors.Is(err, ErrBatch) || string(values[0]) != "before" {
		t.Errorf("%q, %d, %v", all, n, err)
	}
}

// Ask answers also while no mark can be made for want of a writer.
func TestAsk_WithoutAWriter(t *testing.T) {
	c, _ := timed(t, askStart, Options{Quota: perKey})
	set(t, c, "hot", "v")
	if _, err := c.writers.close(); err != nil {
		t.Fatal(err)
	}
	if a := overLimit(t, c, 1, "hot"); a.State != Suspect || a.RetryAfter <= 0 {
		t.Errorf("%+v", a)
	}
	askFor(t, c, 1, "hot", Suspect)
	if marked(t, c, "hot") {
		t.Error("there was a writer")
	}
	askFor(t, c, 1, "cold", Miss)
}

// An entry lives for its time also if the host was suspended meanwhile, which the processor's own count does
// not notice: the janitor does.
func TestClock_SuspendedHost(t *testing.T) {
	var word seam.Uint64
	slept := time.Duration(0)
	k := clock{host: func() (time.Duration, bool) { since, ok := sinceStart(); return since + slept, ok }}
	k.start(nil, &word)
	if word.Load() == 0 {
		t.Skip("NOT RUN: the system has no clock that tells the time since it was started")
	}
	before := k.now()
	end, err := k.end(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	k.advance()
	if now := k.now(); k.over(end) || now > before+60_000 {
		t.Errorf("the host was not suspended, and the clock went from %d to %d", before, now)
	}
	slept = 2 * time.Hour
	k.advance()
	if now := k.now(); !k.over(end) || now < before+7199_990 || now > before+7260_000 {
		t.Errorf("the host was suspended for two hours, and the clock went from %d to %d", before, now)
	}
}

// A process that has become idle gives up a reader and a writer every five seconds, down to one of each.
func TestJanitor_GivesUpIdleHandles(t *testing.T) {
	c := open(t, "", Options{Bytes: 4 << 20, NoJanitor: true, Readers: 4, Writers: 4})
	begin := time.Now()
	j := &janitor{Cache: c, every: tickEvery, turned: begin, settled: begin, idle: begin}
	var readers []*slot[*reader]
	var writers []*slot[*writer]
	for range 3 {
		r, err := c.readers.take()
		w, bad := c.writers.take()
		if err = errors.Join(err, bad); err != nil {
			t.Fatal(err)
		}
		readers, writers = append(readers, r), append(writers, w)
	}
	for i := range readers {
		readers[i].give(0)
		writers[i].give(0)
	}
	for _, x := range []struct {
		after time.Duration
		left  uint32
	}{{4900, 3}, {5000, 2}, {5100, 2}, {9900, 2}, {10_000, 1}, {20_000, 1}, {30_000, 1}} {
		j.turn(begin.Add(x.after * time.Millisecond))
		if r, w := c.readers.made.Load(), c.writers.made.Load(); r != x.left || w != x.left {
			t.Errorf("after %d ms there are %d readers and %d writers, want %d", x.after, r, w, x.left)
		}
	}
}

// A janitor that has nothing to do sleeps, and sees a change of the live parameters within half a second.
func TestJanitor_Sleeps(t *testing.T) {
	now := time.Now()
	for _, x := range []struct{ every, since, want time.Duration }{
		{time.Minute, 0, 500 * time.Millisecond},
		{100 * time.Millisecond, 30 * time.Millisecond, 70 * time.Millisecond},
		{100 * time.Millisecond, time.Second, time.Millisecond},
	} {
		j := &janitor{every: x.every, turned: now.Add(-x.since)}
		if got := j.nap(now); got != x.want {
			t.Errorf("a turn each %v, the last one %v ago: sleeps for %v, want %v", x.every, x.since, got,
				x.want)
		}
	}
}

// Close tells of what has gone wrong at the end of a handle.
func TestClose_TellsOfHandles(t *testing.T) {
	bad := errors.New("of the test")
	for name, spoil := range map[string]func(c *Cache){
		"a reader": func(c *Cache) {
			c.readers.end = func(r *reader) error { return errors.Join(endReader(r), bad) }
		},
		"a writer": func(c *Cache) {
			c.writers.end = func(w *writer) error { return errors.Join(endWriter(w), bad) }
		},
	} {
		c, err := Open("", small())
		if err != nil {
			t.Fatal(err)
		}
		set(t, c, "k", "v")
		spoil(c)
		if err := c.Close(); !errors.Is(err, bad) || !strings.HasPrefix(err.Error(), "close: ") {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := c.Get([]byte("k"), nil); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: after the close: %v", name, err)
		}
	}
}

// The default of a cache of one tier counts no hits by tier; with more of them each hit is of one.
func TestStats_HitsOfTiers(t *testing.T) {
	for _, tiers := range []int{1, 2} {
		c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Policy: Ageing{}, Tiers: tiers})
		set(t, c, "k", "v")
		for range 3 {
			want(t, c, "k", "v")
		}
		s := statsOf(t, c)
		hits, sum := uint64(0), uint64(0)
		for i, tier := range s.Tiers {
			hits += tier.Hits
			sum += s.TierHits[i]
		}
		expected := uint64(3)
		if tiers == 1 {
			expected = 0
		}
		if s.Hits != 3 || hits != expected || sum != expected || len(s.Tiers) != tiers {
			t.Errorf("%d tiers: %+v, want %d hits by tier", tiers, s, expected)
		}
	}
}

// What has expired, and what Ask refuses, is no hit of a tier: those of all tiers are the hits, whatever call
// has made them.
func TestStats_HitsOfTiersAreHits(t *testing.T) {
	c, k := timed(t, askStart, Options{Quota: perKey})
	set(t, c, "k", "v")
	setTTL(t, c, "short", time.Second)
	k.ms.Add(1001)
	keys := [][]byte{[]byte("k"), []byte("short"), []byte("none")}
	for range 3 {
		want(t, c, "short", "")
		want(t, c, "k", "v")
		if ok, err := c.View(keys[0], func([]byte) {}); !ok || err != nil {
			t.Error(ok, err)
		}
		if _, n, err := c.GetBatch(keys, make([][]byte, 3), nil); n != 1 || err != nil {
			t.Error(n, err)
		}
		askFor(t, c, 1, "short", Miss)
	}
	overLimit(t, c, 1, "k")
	askFor(t, c, 1, "k", Suspect)
	k.ms.Add(3_600_000)
	askFor(t, c, 1, "k", Hit) // and takes the mark away
	askFor(t, c, 1, "k", Hit)
	s := statsOf(t, c)
	sum := uint64(0)
	for _, n := range s.TierHits {
		sum += n
	}
	if s.Hits < 9 || sum != s.Hits || s.Suspects == 0 {
		t.Errorf("%d hits by tier: %+v", sum, s.Counts)
	}
}

// Each basket is counted once, by its state; and no tier is older than the cache, whatever the clock does.
func TestStats_BasketsAndAges(t *testing.T) {
	c, k := timed(t, 1_000_000, Options{})
	for _, tier := range statsOf(t, c).Tiers {
		if tier.Youngest != 0 || tier.Oldest != 0 {
			t.Errorf("an empty tier is of %v to %v", tier.Youngest, tier.Oldest)
		}
	}
	for i := range 200 {
		set(t, c, fmt.Sprint(i), string(make([]byte, 1000)))
		k.ms.Add(10)
	}
	s := statsOf(t, c)
	if s.OpenBaskets < 1 || s.SealedBaskets < 1 || s.Baskets != s.FreeBaskets+s.OpenBaskets+s.SealedBaskets+
		s.RetiringBaskets {
		t.Errorf("%+v", s)
	}
	if top := s.Tiers[0]; top.Oldest <= top.Youngest || top.Oldest > 2*time.Second {
		t.Errorf("the top tier is of %v to %v", top.Youngest, top.Oldest)
	}
	k.ms.Store(1000)
	for i, tier := range statsOf(t, c).Tiers {
		if tier.Youngest != 0 || tier.Oldest != 0 {
			t.Errorf("the clock was turned back, and tier %d is of %v to %v", i, tier.Youngest, tier.Oldest)
		}
	}
}

// Both bounds of a live parameter may be had, and what is outside of them is told with the bounds.
func TestTune_Bounds(t *testing.T) {
	c := open(t, "", small())
	for _, p := range c.Parameters() {
		for _, v := range []uint64{p.Least, p.Most} {
			tuned(t, c, p.Name, v)
			if x := live(t, c, p.Name); x.Value != v || !x.Tuned || x.Damaged {
				t.Errorf("%s tuned to %d: %+v", p.Name, v, x)
			}
			i := slices.IndexFunc(parameterRows[:], func(r parameterRow) bool { return r.name == p.Name })
			if got := c.params.value(i); got != v {
				t.Errorf("%s tuned to %d: %d is in force", p.Name, v, got)
			}
		}
		err := c.Tune(p.Name, p.Most+1)
		if bounds := fmt.Sprintf("%d..%d", p.Least, p.Most); !errors.Is(err, ErrValue) ||
			!strings.Contains(err.Error(), bounds) {
			t.Errorf("%s tuned to %d: %v, want one with %s", p.Name, p.Most+1, err, bounds)
		}
	}
}

// Names are as far apart as the shortest way from one to the other.
func TestDistance(t *testing.T) {
	for _, x := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3},
		{"flaw", "lawn", 2}, {"ab", "ba", 2}, {"ttl.defualt", "ttl.default", 2}, {"abcd", "bcd", 1},
		{"intention", "execution", 5}} {
		if got := distance(x.a, x.b); got != x.want {
			t.Errorf("from %q to %q: %d, want %d", x.a, x.b, got, x.want)
		}
		if got := distance(x.b, x.a); got != x.want {
			t.Errorf("from %q to %q: %d, want %d", x.b, x.a, got, x.want)
		}
	}
}

// No buffer that has grown large is kept, be it for a key or for a value, and small ones are.
func TestScratch_KeepsNoLargeBuffers(t *testing.T) {
	for _, x := range []struct{ key, value int }{{10, 20}, {keptMost + 1, 20}, {10, keptMost + 1},
		{keptMost, keptMost}} {
		var s scratch
		s.init(1)
		b := s.take()
		b.key, b.value = make([]byte, x.key), make([]byte, x.value)
		b.give()
		b = s.take()
		if (b.key != nil) != (x.key <= keptMost) || (b.value != nil) != (x.value <= keptMost) {
			t.Errorf("of %d and %d bytes %d and %d are kept", x.key, x.value, cap(b.key), cap(b.value))
		}
	}
}

// A call gives back the buffers that it had, also where a codec fails; and what it has kept is not the
// caller's.
func TestCalls_GiveBuffersBack(t *testing.T) {
	c := open(t, "", small())
	m, err := NewTyped[string, string](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	bad, err := NewTyped[string, string](c, failing{}, failing{})
	if err != nil {
		t.Fatal(err)
	}
	k := []byte("a key of the caller")
	value := bytes.Repeat([]byte("v"), 100)
	if err := c.Set(k, value); err != nil {
		t.Fatal(err)
	}
	keep := func([]byte, bool) ([]byte, Op) { return nil, Keep }
	same := func(old string, _ bool) (string, Op) { return old, Write }
	calls := map[string]func() error{
		"View":          func() error { _, err := c.View(k, func([]byte) {}); return err },
		"Walk":          func() error { return c.Walk(func(_, _ []byte) bool { return false }) },
		"Compute":       func() error { _, _, err := c.Compute(k, keep); return err },
		"typed Get":     func() error { _, _, err := m.Get("k"); return err },
		"typed Set":     func() error { return m.Set("k", "v") },
		"typed SetTTL":  func() error { return m.SetTTL("k", "v", time.Hour) },
		"typed absent":  func() error { _, err := m.SetIfAbsent("k", "v"); return err },
		"typed swap":    func() error { _, err := m.CompareAndSwap("k", "v", "w"); return err },
		"typed Compute": func() error { _, _, err := m.Compute("k", same); return err },
		"typed there":   func() error { _, err := m.Contains("k"); return err },
		"typed Delete":  func() error { _, err := m.Delete("k"); return err },
	}
	fail := map[string]func() error{
		"bad Get":     func() error { _, _, err := bad.Get("k"); return err },
		"bad Set":     func() error { return bad.Set("k", "v") },
		"bad SetTTL":  func() error { return bad.SetTTL("k", "v", time.Hour) },
		"bad absent":  func() error { _, err := bad.SetIfAbsent("k", "v"); return err },
		"bad swap":    func() error { _, err := bad.CompareAndSwap("k", "v", "w"); return err },
		"bad Compute": func() error { _, _, err := bad.Compute("k", same); return err },
		"bad there":   func() error { _, err := bad.Contains("k"); return err },
		"bad Delete":  func() error { _, err := bad.Delete("k"); return err },
	}
	free := func(name string) {
		t.Helper()
		for i := range c.scratch.all {
			if c.scratch.all[i].taken.Load() != 0 {
				t.Fatalf("%s has kept its buffers", name)
			}
		}
		if string(k) != "a key of the caller" {
			t.Fatalf("%s has written to the caller's key: %q", name, k)
		}
	}
	for range 2 {
		for name, call := range calls {
			if err := call(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			free(name)
		}
		for name, call := range fail {
			if err := call(); !errors.Is(err, errCodec) {
				t.Errorf("%s: %v", name, err)
			}
			free(name)
		}
	}
}

var errCodec = errors.New("codec of the test")

// failing is a codec that cannot do anything.
type failing struct{}

func (failing) Append(dst []byte, _ string) ([]byte, error) { return dst, errCodec }
func (failing) Decode([]byte) (string, error)               { return "", errCodec }

// An event is of the types of the view, and of another view's bytes it is an error that says which.
func TestTyped_EventsAreTyped(t *testing.T) {
	var events []Event
	o := small()
	o.OnEvent = func(e Event) { events = append(events, e) }
	c := open(t, "", o)
	m, err := NewTyped[int64, string](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Set(7, "seven"); err != nil {
		t.Fatal(err)
	}
	if there, err := m.Delete(7); !there || err != nil {
		t.Fatal(there, err)
	}
	if len(events) != 1 || events[0].Reason != Deleted {
		t.Fatalf("%+v", events)
	}
	if k, v, err := m.Event(events[0]); k != 7 || v != "seven" || err != nil {
		t.Errorf("%d, %q, %v", k, v, err)
	}
	other, err := NewTyped[int64, int64](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := other.Event(events[0]); !errors.Is(err, ErrCodec) ||
		!strings.Contains(err.Error(), "codec of the value") {
		t.Errorf("%v", err)
	}
	short := Event{Key: []byte("short"), Value: []byte("v")}
	if _, _, err := m.Event(short); !errors.Is(err, ErrCodec) ||
		!strings.Contains(err.Error(), "codec of the key") {
		t.Errorf("%v", err)
	}
}
