package cache

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/quota"
)

// askFor asks, and holds the state against what it should be.
func askFor(t testing.TB, c *Cache, client uint64, key string, want State) Answer {
	t.Helper()
	value, a, err := c.Ask(client, []byte(key), []byte("to:"))
	if err != nil || a.State != want {
		t.Fatalf("ask for %s by %d: %q %+v %v, want %v", key, client, value, a, err, want)
	}
	warned := a.State == Suspect && c.options.Quota.Action == ActionWarn
	withValue := a.State == Hit || warned
	if withValue != (len(value) > 3) || withValue != a.Found || warned != a.Warned ||
		string(value[:3]) != "to:" || a.RetryAfter%time.Millisecond != 0 {
		t.Fatalf("ask for %s by %d: %q with %+v", key, client, value, a)
	}
	return a
}

// marked reports whether the record of the key has the mark.
func marked(t testing.TB, c *Cache, key string) bool {
	t.Helper()
	s, err := c.readers.take()
	if err != nil {
		t.Fatal(err)
	}
	defer s.give(0)
	m, _, err := s.handle.Has(c.hasher.of([]byte(key)), []byte(key))
	if err != nil {
		t.Fatal(err)
	}
	return m.Suspect
}

// overLimit asks until the key is no hit any more, and returns the answer.
func overLimit(t testing.TB, c *Cache, client uint64, key string) Answer {
	t.Helper()
	for range 1000 {
		if _, a, err := c.Ask(client, []byte(key), nil); err != nil || a.State != Hit {
			return a
		}
	}
	t.Fatalf("%s has no limit", key)
	return Answer{}
}

const askStart = 1_800_000_000_000 // milliseconds

// perKey are 100 a second for a key, 50 at once.
var perKey = Quota{Object: 100, Burst: 500 * time.Millisecond}

// Without thresholds Ask is Get, however often it is called; and it counts as Get does.
func TestAsk_IsGetWithoutQuota(t *testing.T) {
	c := open(t, "", small())
	askFor(t, c, 1, "k", Miss)
	set(t, c, "k", "v")
	for range 1000 {
		askFor(t, c, 1, "k", Hit)
	}
	s, err := c.Stats()
	if err != nil || s.Hits != 1000 || s.Misses != 1 || s.Suspects != 0 || s.Denied != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Ask(1, []byte("k"), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after the close: %v", err)
	}
	if _, err := c.Suspects(); !errors.Is(err, ErrClosed) {
		t.Errorf("suspects after the close: %v", err)
	}
}

// A key that is asked for too often is a suspect for a time that doubles; then it is denied; and it is a hit
// again when it has calmed down. Its record is marked meanwhile, and plain calls do not care.
func TestAsk_SuspectsAndCalms(t *testing.T) {
	c, k := timed(t, askStart, Options{Quota: perKey})
	set(t, c, "hot", "v")
	set(t, c, "cold", "w")
	wait := time.Second
	for offence := 1; offence <= 3; offence++ {
		a := overLimit(t, c, 1, "hot")
		state := Suspect
		if offence == 3 {
			state = Denied
		}
		if a.State != state || a.Offences != offence || a.RetryAfter < wait ||
			a.RetryAfter > wait+time.Millisecond {
			t.Errorf("offence %d: %+v, want %v after %v", offence, a, state, wait)
		}
		if !marked(t, c, "hot") {
			t.Errorf("offence %d: the record has no mark", offence)
		}
		all, err := c.Suspects()
		if err != nil || len(all) != 1 || string(all[0].Key) != "hot" || all[0].Offences != offence ||
			all[0].RetryAfter != a.RetryAfter {
			t.Errorf("offence %d: the list of suspects is %v, %v", offence, all, err)
		}
		want(t, c, "hot", "v")
		askFor(t, c, 1, "cold", Hit)
		if n := askFor(t, c, 2, "hot", state); n.Offences != offence {
			t.Errorf("offence %d: another client is told %+v", offence, n)
		}
		k.ms.Add(wait.Milliseconds() + 1)
		wait *= 2
		if all, err := c.Suspects(); len(all) != 0 || err != nil { // whoever asks next finds the mark
			t.Errorf("offence %d: suspects whose time is over: %v, %v", offence, all, err)
		}
	}
	askFor(t, c, 1, "hot", Hit)
	if marked(t, c, "hot") {
		t.Error("a key that has calmed down has a mark still")
	}
	if all, err := c.Suspects(); len(all) != 0 || err != nil {
		t.Errorf("suspects: %v, %v", all, err)
	}
	if s, err := c.Stats(); err != nil || s.Suspects < 3 || s.Denied < 2 || s.Replaced != 0 || s.Sets != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A key that is not there is a suspect, too, so that nobody need load it.
func TestAsk_SuspectThatIsAbsent(t *testing.T) {
	c, k := timed(t, askStart, Options{Quota: perKey})
	for range 50 {
		askFor(t, c, 1, "none", Miss)
	}
	a := askFor(t, c, 1, "none", Suspect)
	k.ms.Add(a.RetryAfter.Milliseconds() + 1)
	askFor(t, c, 1, "none", Miss)
}

// C19: a value that is set wins over the mark, and the key is a suspect all the same; the mark comes back
// with the next sample. So too with each other change.
func TestReportC19_SetOfASuspect(t *testing.T) {
	c, _ := timed(t, askStart, Options{Quota: perKey})
	set(t, c, "hot", "v")
	overLimit(t, c, 1, "hot")
	for n, change := range []func() error{
		func() error { return c.Set([]byte("hot"), []byte("2")) },
		func() error { _, err := c.CompareAndSwap([]byte("hot"), []byte("2"), []byte("3")); return err },
		func() error {
			four := func([]byte, bool) ([]byte, Op) { return []byte("4"), Write }
			_, _, err := c.Compute([]byte("hot"), four)
			return err
		},
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		want(t, c, "hot", fmt.Sprint(n+2))
		if marked(t, c, "hot") {
			t.Errorf("change %d: the new value has the mark of the old one", n)
		}
		askFor(t, c, 1, "hot", Suspect)
		if !marked(t, c, "hot") {
			t.Errorf("change %d: the mark has not come back", n)
		}
		want(t, c, "hot", fmt.Sprint(n+2))
	}
}

// Values that are set all the time are never lost to marks, and each get finds one that is not older than
// the last that was set.
func TestReportC19_SetsBesideMarks(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20, Quota: Quota{Object: 1, Burst: time.Millisecond,
		Retry: time.Millisecond}})
	set(t, c, "hot", "0")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, _, err := c.Ask(1, []byte("hot"), nil); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for n := range 20_000 {
		set(t, c, "hot", fmt.Sprint(n))
		want(t, c, "hot", fmt.Sprint(n))
	}
	close(stop)
	wg.Wait()
	if f, err := c.Check(); err != nil || f.Err() != nil {
		t.Error(f.Err(), err)
	}
}

// With ActionWarn the program is told, and has the value; nothing is denied.
func TestAsk_Warn(t *testing.T) {
	q := perKey
	q.Action = ActionWarn
	c, k := timed(t, askStart, Options{Quota: q})
	set(t, c, "hot", "v")
	for range 5 {
		a := overLimit(t, c, 1, "hot")
		askFor(t, c, 1, "hot", Suspect)
		k.ms.Add(a.RetryAfter.Milliseconds() + 1)
	}
}

// With ActionExpel the entry leaves at the third offence, and is told. The key is denied until it calms down;
// then it can be set anew.
func TestAsk_Expel(t *testing.T) {
	q := perKey
	q.Action = ActionExpel
	var told []Event
	c, k := timed(t, askStart, Options{Quota: q, OnEvent: func(e Event) { told = append(told, e) }})
	set(t, c, "hot", "v")
	for range 2 {
		a := overLimit(t, c, 1, "hot")
		k.ms.Add(a.RetryAfter.Milliseconds() + 1)
	}
	if len(told) != 0 {
		t.Errorf("before the third offence: %v", told)
	}
	a := overLimit(t, c, 1, "hot")
	if a.State != Denied || len(told) != 1 || told[0].Reason != Expelled || string(told[0].Key) != "hot" ||
		string(told[0].Value) != "v" {
		t.Errorf("at the third offence: %+v, told %v", a, told)
	}
	want(t, c, "hot", "")
	askFor(t, c, 1, "hot", Denied)
	if s, err := c.Stats(); err != nil || s.Expelled != 1 || s.Entries != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	k.ms.Add(a.RetryAfter.Milliseconds() + 1)
	askFor(t, c, 1, "hot", Miss)
	set(t, c, "hot", "new")
	askFor(t, c, 1, "hot", Hit)
}

// A client has what its rate allows, and no more; other clients, and what it asks for, have nothing of it.
func TestAsk_ClientOverItsLimit(t *testing.T) {
	c, k := timed(t, askStart, Options{Quota: Quota{Client: 100, Object: 150, Burst: 500 * time.Millisecond}})
	set(t, c, "hot", "v")
	served := 0
	for n := range 10_000 { // 1000 a second, for 10 seconds
		k.ms.Add(1)
		_, a, err := c.Ask(1, []byte("hot"), nil)
		switch {
		case err != nil:
			t.Fatal(err)
		case a.State == Hit:
			served++
		case a.State != Denied || !a.ByClient || a.RetryAfter <= 0 || a.RetryAfter > 20*time.Millisecond:
			t.Fatalf("%+v", a)
		}
		if n%100 == 0 {
			askFor(t, c, 2+uint64(n), "hot", Hit)
		}
	}
	if most := 100*10 + 50; served > most || served < most*95/100 {
		t.Errorf("%d were served, want %d", served, most)
	}
}

// High rates are sampled, and the limits hold on average.
func TestAsk_SampledClient(t *testing.T) {
	c, k := timed(t, askStart, Options{Readers: 1, Quota: Quota{Client: 10_000}})
	set(t, c, "k", "v")
	served := 0
	for n := range 400_000 { // 100 each millisecond, for 4 seconds
		if n%100 == 0 {
			k.ms.Add(1)
		}
		if _, a, err := c.Ask(1, []byte("k"), nil); err != nil {
			t.Fatal(err)
		} else if a.State == Hit {
			served++
		}
	}
	// The spread of 3125 samples is 1.8 percent: the bounds are more than six times that away.
	if most := 10_000*4 + 10_000; served > most*115/100 || served < most*85/100 {
		t.Errorf("%d were served, want about %d", served, most)
	}
}

// The live parameters are thresholds for all that have the cache, within 256 calls. Options.Quota of a
// process goes before them.
func TestTune_Quotas(t *testing.T) {
	path := cacheFile(t)
	o := Options{Bytes: 1 << 20, Readers: 1}
	c, other := open(t, path, o), open(t, path, o)
	o.Quota = Quota{Object: 1_000_000}
	own := open(t, path, o)
	set(t, c, "k", "v")
	for range 100 {
		askFor(t, other, 1, "k", Hit)
	}
	if err := c.TuneAll(Setting{"quota.object", 1}, Setting{"quota.retry", 3_600_000}); err != nil {
		t.Fatal(err)
	}
	for range 256 + 2 {
		if _, _, err := other.Ask(1, []byte("k"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if a := askFor(t, other, 1, "k", Suspect); a.RetryAfter < 59*time.Minute {
		t.Errorf("%+v", a)
	}
	tuned(t, c, "quota.object", 0)
	for range 256 {
		if _, _, err := other.Ask(1, []byte("k"), nil); err != nil {
			t.Fatal(err)
		}
	}
	askFor(t, other, 1, "k", Hit)
	if marked(t, c, "k") {
		t.Error("without a limit the mark has stayed")
	}
	tuned(t, c, "quota.client", 1)
	denied := 0
	for range 10_000 { // a test that stands still meanwhile is served once more for each second
		if _, a, err := other.Ask(9, []byte("k"), nil); err != nil {
			t.Fatal(err)
		} else if a.State == Denied && a.ByClient {
			denied++
		}
	}
	if denied < 5000 {
		t.Errorf("of 10000 calls of one client at 1 a second %d are denied", denied)
	}
	tuned(t, c, "quota.client", 0)
	tuned(t, c, "quota.object", 1)
	set(t, c, "of another process", "v")
	for range 100 {
		askFor(t, own, 1, "of another process", Hit)
	}
}

// Whatever somebody has written into the counts, calls work, and all are served after the longest wait.
func TestAsk_DamagedCounts(t *testing.T) {
	c, k := timed(t, askStart, Options{Quota: Quota{Client: 100, Object: 100}})
	set(t, c, "k", "v")
	for _, bits := range []uint64{^uint64(0), 1 << 63, 1, 0xAAAA_AAAA_AAAA_AAAA} {
		for _, name := range []string{SectionObjects, SectionClients} {
			words, err := c.region.Section(Engine, name)
			if err != nil {
				t.Fatal(err)
			}
			for i := range words {
				words[i].Store(bits)
			}
		}
		for range 2 { // first the client is refused, then the key
			for client := range uint64(3) {
				if _, _, err := c.Ask(client, []byte("k"), nil); err != nil {
					t.Fatal(err)
				}
			}
			k.ms.Add(quota.AheadMost/1_000_000 + 1000)
		}
		for client := range uint64(3) {
			askFor(t, c, client, "k", Hit)
		}
	}
}

// Each bad threshold is an error that names it.
func TestOptions_BadQuotas(t *testing.T) {
	for field, q := range map[string]Quota{
		"Quota": {Object: 1 << 40}, "Quota.Burst": {Burst: 2 * time.Hour}, "Quota.Retry": {Retry: 1},
		"Quota.Action": {Action: 9},
	} {
		_, err := Open("", Options{Bytes: 1 << 20, Quota: q})
		var e *Error
		if !errors.As(err, &e) || e.Field != field || !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v, want an error of %s", q, err, field)
		}
	}
	for _, q := range []Quota{{Object: 1, Client: 100_000_000, Burst: burstMost, Retry: time.Hour},
		{Object: 100_000_000, Client: 1, Burst: time.Nanosecond, Retry: time.Millisecond}} {
		o := Options{Bytes: 1 << 20, Quota: q}
		c := open(t, "", o)
		x := c.thresholds()
		if x.object.Check() != nil || x.client.Check() != nil || x.units < 1 || x.units > sampleMost {
			t.Errorf("%+v: thresholds %+v", q, x)
		}
	}
	if s := fmt.Sprint(Miss, Hit, Suspect, Denied, State(9), ActionRefuse, ActionWarn, ActionExpel,
		Action(9)); s != "miss hit suspect denied state9 refuse warn expel action9" {
		t.Errorf("names: %s", s)
	}
}

// The sizes of the counts are those that docs/quota.md names, and they are at most a two-hundredth of the
// cache, but for small ones.
func TestQuotas_TakeLittle(t *testing.T) {
	for _, x := range []struct {
		bytes            uint64
		objects, clients uint32
	}{{BytesMin, 32, 64}, {1 << 20, 64, 64}, {16 << 20, 1024, 256}, {256 << 20, 16384, 4096},
		{1 << 30, 65536, 16384}, {BytesMax, 65536, 16384}} {
		objects, clients := objectsLayout(x.bytes), clientsLayout(x.bytes)
		if objects.Width != x.objects || clients.Width != x.clients {
			t.Errorf("%d bytes: %d columns for keys, %d for clients", x.bytes, objects.Width, clients.Width)
		}
		size := uint64(objects.Words()+clients.Words()) * 8
		if size > max(x.bytes/200, 6<<10) {
			t.Errorf("%d bytes: the counts take %d", x.bytes, size)
		}
	}
}

// Between two samples the mark of a record says that it is a suspect, and the counts say it of a key that is
// not there: once a sample has found the offence, each call is told. The first call behind the time finds
// that it is over, and takes the mark away.
func TestAsk_BetweenSamples(t *testing.T) {
	c, k := timed(t, askStart, Options{Quota: Quota{Object: 10_000}})
	set(t, c, "hot", "v")
	for _, x := range []struct {
		key  string
		calm State
	}{{"hot", Hit}, {"none", Miss}} {
		for wait := range 2 {
			calls := 0
			for ; calls < 20_000; calls++ {
				if _, a, err := c.Ask(1, []byte(x.key), nil); err != nil {
					t.Fatal(err)
				} else if a.State != x.calm {
					break
				}
			}
			if calls < 5000 || calls == 20_000 {
				t.Fatalf("%s is a suspect after %d calls at once, want some 10000", x.key, calls)
			}
			for range 500 {
				askFor(t, c, 2, x.key, Suspect)
			}
			if x.calm == Hit != marked(t, c, x.key) {
				t.Errorf("%s has a mark: %v", x.key, marked(t, c, x.key))
			}
			k.ms.Add(int64(1000<<wait) + 1000)
			askFor(t, c, 2, x.key, x.calm)
			if marked(t, c, x.key) {
				t.Errorf("%s has a mark still", x.key)
			}
			k.ms.Add(1000) // the bucket is empty again
		}
	}
}
