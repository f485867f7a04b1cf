package remote_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
)

// quotaCache is a cache whose clock the test sets, with the entry "key" and with live parameters.
func quotaCache(t *testing.T, o cache.Quota, all ...cache.Setting) (*cache.Cache, *atomic.Int64) {
	t.Helper()
	now := &atomic.Int64{}
	now.Store(1_800_000_000_000)
	own, err := cache.Open("", cache.Options{Bytes: 4 << 20, NoJanitor: true, Quota: o,
		Clock: func() time.Time { return time.UnixMilli(now.Load()) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Close() })
	if err := errors.Join(own.Set([]byte("key"), []byte("value")), own.TuneAll(all...)); err != nil {
		t.Fatal(err)
	}
	return own, now
}

// held is what quotas say of a call; nil if it was done.
func held(t *testing.T, err error) *remote.Held {
	t.Helper()
	var h *remote.Held
	if err != nil && (!errors.As(err, &h) || h.RetryAfter < time.Millisecond) {
		t.Fatalf("%v, want a *remote.Held with a time to wait", err)
	}
	return h
}

// TestQuota_Client: one client that hammers is served what the live parameter quota.client allows, whatever
// it does, and is told for how long to wait. It can wait so long, and is served. The other client of the same
// cache notices nothing.
func TestQuota_Client(t *testing.T) {
	const rate = 40 // a second, and as many at once
	own, now := quotaCache(t, cache.Quota{}, cache.Setting{Name: "quota.client", Value: rate})
	s, loudPath := serving(t, own, remote.Options{})
	_, quietPath := serving(t, own, remote.Options{})
	loud, quiet := dial(t, loudPath, remote.DialOptions{}), dial(t, quietPath, remote.DialOptions{})
	ctx, done := t.Context(), 0
	var wait time.Duration
	for n := range 4 * rate {
		var err error
		switch n % 3 {
		case 0:
			var v []byte
			var ok bool
			if v, ok, err = loud.Get(ctx, []byte("key"), []byte("to:")); ok != (err == nil) ||
				ok != (string(v) == "to:value") {
				t.Fatalf("call %d: %q %v %v", n, v, ok, err)
			}
		case 1:
			err = loud.Set(ctx, fmt.Append(nil, n), nil)
		default:
			_, err = loud.Delete(ctx, []byte("none"))
		}
		h := held(t, err)
		if n%3 == 1 {
			if _, ok, err := own.Get(fmt.Append(nil, n), nil); ok != (h == nil) || err != nil {
				t.Fatalf("set %d took effect: %v (%v), and said %v", n, ok, err, h)
			}
		}
		if h == nil {
			done++
			continue
		}
		if !errors.Is(h, remote.ErrDenied) || !h.ByClient ||
			!strings.Contains(h.Error(), h.RetryAfter.String()) {
			t.Fatalf("call %d: %v", n, h)
		}
		wait = h.RetryAfter
		if n%6 == 0 { // half of the rate of the other one
			if v, ok, err := quiet.Get(ctx, []byte("key"), nil); string(v) != "value" || !ok || err != nil {
				t.Fatalf("the other client: %q %v %v", v, ok, err)
			}
		}
	}
	if done != rate {
		t.Errorf("%d calls were done at one moment, want %d", done, rate)
	}
	now.Add(wait.Milliseconds())
	if v, ok, err := loud.Get(ctx, []byte("key"), nil); string(v) != "value" || !ok || err != nil {
		t.Errorf("after %v: %q %v %v", wait, v, ok, err)
	}
	if err := s.Close(); err != nil { // so all is counted
		t.Fatal(err)
	}
	if n := s.Counts(); n.Held != 3*rate || n.Refused != n.Held {
		t.Errorf("counts: %+v, want %d held", n, 3*rate)
	}
	again, err := remote.Create(loudPath, remote.Options{})
	if err != nil {
		t.Fatal(err)
	}
	serve(t, again, own)
	if h := held(t, loud.Set(ctx, nil, nil)); h == nil || !h.ByClient {
		t.Errorf("a new service knows the client by another number: %v", h)
	}
}

// TestQuota_Number: two slot files of one number are one client.
func TestQuota_Number(t *testing.T) {
	own, _ := quotaCache(t, cache.Quota{}, cache.Setting{Name: "quota.client", Value: 2})
	var clients []*remote.Client
	for range 2 {
		_, path := serving(t, own, remote.Options{Client: 7})
		clients = append(clients, dial(t, path, remote.DialOptions{}))
	}
	for n, want := range []bool{false, false, true, true} {
		_, _, err := clients[n%2].Get(t.Context(), []byte("key"), nil)
		if h := held(t, err); (h != nil) != want {
			t.Errorf("call %d: %v, want it held: %v", n, h, want)
		}
	}
	if _, a, err := own.Ask(7, []byte("key"), nil); a.State != cache.Denied || err != nil {
		t.Errorf("an Ask of the same number: %+v %v", a, err)
	}
}

// TestQuota_Object: a key that two clients together ask for too often is a suspect to both, for a time that
// grows, then denied, in batches too; another key is not. When the time is over it is a hit again.
func TestQuota_Object(t *testing.T) {
	own, now := quotaCache(t, cache.Quota{}, cache.Setting{Name: "quota.object", Value: 20},
		cache.Setting{Name: "quota.retry", Value: 100})
	var clients []*remote.Client
	for range 2 {
		_, path := serving(t, own, remote.Options{})
		clients = append(clients, dial(t, path, remote.DialOptions{}))
	}
	if err := own.Set([]byte("other"), []byte("of nobody")); err != nil {
		t.Fatal(err)
	}
	var waits []time.Duration
	for n := 0; len(waits) < 3; n++ {
		_, _, err := clients[n%2].Get(t.Context(), []byte("key"), nil)
		h := held(t, err)
		switch {
		case n > 10000:
			t.Fatalf("%d calls, and the key was held %v", n, waits)
		case h == nil:
			continue
		case h.ByClient || errors.Is(err, remote.ErrDenied) != (len(waits) == 2):
			t.Fatalf("after %v: %v", waits, err)
		}
		waits = append(waits, h.RetryAfter)
		now.Add(h.RetryAfter.Milliseconds()) // and goes on: that is the next offence
	}
	if waits[1] <= waits[0] || waits[2] <= waits[1] {
		t.Errorf("the times to wait are %v, want each longer than the one before", waits)
	}
	now.Add(-1)
	var b remote.Batch
	b.Get([]byte("key"))
	b.Get([]byte("other"))
	all, err := clients[0].Do(t.Context(), &b)
	if err != nil || len(all) != 2 || all[0].OK || !errors.Is(all[0].Err, remote.ErrDenied) ||
		all[1].Err != nil || string(all[1].Value) != "of nobody" {
		t.Errorf("a batch: %+v %v", all, err)
	}
	now.Add(time.Hour.Milliseconds())
	v, ok, err := clients[1].Get(t.Context(), []byte("key"), nil)
	if string(v) != "value" || !ok || err != nil {
		t.Errorf("an hour later: %q %v %v", v, ok, err)
	}
}

// TestQuota_Warn: with ActionWarn the client has the value, also of a suspect, and is told of a suspect that
// is not there that it is absent. A cache without quotas has no limit.
func TestQuota_Warn(t *testing.T) {
	own, _ := quotaCache(t, cache.Quota{Object: 1, Action: cache.ActionWarn})
	_, path := serving(t, own, remote.Options{})
	warned := dial(t, path, remote.DialOptions{})
	limited, _ := quotaCache(t, cache.Quota{Object: 1, Client: 1})
	_, path = serving(t, struct{ remote.Cache }{limited}, remote.Options{})
	free := dial(t, path, remote.DialOptions{})
	for n := range 50 {
		for _, c := range []*remote.Client{warned, free} {
			v, ok, err := c.Get(t.Context(), []byte("key"), nil)
			if string(v) != "value" || !ok || err != nil {
				t.Fatalf("call %d: %q %v %v", n, v, ok, err)
			}
		}
	}
	if _, err := warned.Delete(t.Context(), []byte("key")); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := warned.Get(t.Context(), []byte("key"), nil); ok || err != nil {
		t.Errorf("a suspect that is not there: %v, %v", ok, err)
	}
	_, a, err := own.Ask(1, []byte("key"), nil)
	if a.State != cache.Suspect || !a.Warned || a.Found || err != nil {
		t.Errorf("the test needs one: %+v, %v", a, err)
	}
}

// TestQuota_Malformed: requests that make no sense, and one that is empty, count against the limit of their
// client, as gets do.
func TestQuota_Malformed(t *testing.T) {
	const rate = 5
	own, _ := quotaCache(t, cache.Quota{}, cache.Setting{Name: "quota.client", Value: rate})
	s, path := serving(t, own, remote.Options{})
	raw, err := slots.Dial(path, os.Geteuid())
	if err != nil {
		t.Fatal(err)
	}
	for n := range rate - 1 {
		h, ok, err := raw.Claim()
		if err == nil && ok {
			err = raw.Send(&h, make([]byte, n%2))
		}
		o := slots.Pending
		for ok && o == slots.Pending && err == nil {
			if err = raw.Sleep(&h, time.Second); err == nil {
				o, _, err = raw.Poll(&h, nil)
			}
		}
		if o != slots.Answered || err != nil {
			t.Fatalf("request %d: %v %v", n, o, err)
		}
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	c := dial(t, path, remote.DialOptions{})
	for n, want := range []bool{false, true} {
		_, _, err := c.Get(t.Context(), []byte("key"), nil)
		if h := held(t, err); (h != nil) != want {
			t.Errorf("get %d behind them: %v, want it held: %v", n, err, want)
		}
	}
	if err := s.Close(); err != nil { // so all is counted
		t.Fatal(err)
	}
	if n := s.Counts(); n.Malformed != rate-1 || n.Held != 1 {
		t.Errorf("counts: %+v", n)
	}
}

// TestQuota_Rest: a client that goes on although it is told to wait gets one answer in 16 ms; not so one that
// is told so of a key alone, and one that has no limit any more.
func TestQuota_Rest(t *testing.T) {
	own, _ := quotaCache(t, cache.Quota{Object: 1, Retry: time.Minute},
		cache.Setting{Name: "quota.client", Value: 1})
	_, path := serving(t, own, remote.Options{})
	c := dial(t, path, remote.DialOptions{})
	if err := c.Set(t.Context(), []byte("key"), []byte("value")); err != nil {
		t.Fatal(err)
	}
	usual := func(byClient bool) time.Duration {
		var all []time.Duration
		for range 21 {
			begun := time.Now()
			_, _, err := c.Get(t.Context(), []byte("key"), nil)
			all = append(all, time.Since(begun))
			if h := held(t, err); len(all) > 3 && (h == nil || h.ByClient != byClient) {
				t.Fatalf("call %d: %v", len(all), err)
			}
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	d := usual(true) // less than 16 ms, since the service rests while the client works
	if d < 15*time.Millisecond || d > 500*time.Millisecond {
		t.Errorf("of calls too often the median takes %v", d)
	}
	if err := own.Tune("quota.client", 0); err != nil {
		t.Fatal(err)
	}
	if d = usual(false); d > 8*time.Millisecond {
		t.Errorf("of calls for a suspect the median takes %v", d)
	}
}

// TestQuota_Hammer: the service of a process that hammers, whatever that is told, takes less than a tenth of
// a processor. So others keep nine tenths of what they can do, on one processor too, but for what the process
// does by itself. Without a limit it is an attack: its service takes many times as much.
func TestQuota_Hammer(t *testing.T) {
	dir := t.TempDir()
	file, path := filepath.Join(dir, "a.cache"), filepath.Join(dir, "a.slots")
	own, err := cache.Open(file, cache.Options{Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Close() })
	service := start(t, "serve", file, path)
	start(t, "hammer", path)
	taken := func(limit uint64) float64 {
		if err := own.Tune("quota.client", limit); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond) // what is under way, and the burst
		before, begun := processor(t, service), time.Now()
		time.Sleep(1500 * time.Millisecond)
		return (processor(t, service) - before).Seconds() / time.Since(begun).Seconds()
	}
	free, limited := taken(0), taken(100)
	t.Logf("of a processor: without a limit %.2f, with one %.3f", free, limited)
	if limited > 0.1 || free < 3*limited {
		t.Errorf("with a limit %.3f of a processor are taken, want at most 0.1; without one %.2f", limited,
			free)
	}
}

// processor is for how long a process has had a processor.
func processor(t *testing.T, p *os.Process) (d time.Duration) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ") // behind the name, which may have spaces
	for _, field := range strings.Fields(rest)[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		const tick = time.Second / 100 // in which Linux tells it
		d += time.Duration(n) * tick
	}
	return d
}
