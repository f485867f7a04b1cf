package remote

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// recorder is a cache that keeps what it is asked for, and refuses what a cache must not be asked.
type recorder struct {
	t     *testing.T
	calls int
	bytes int
	err   error
}

func (r *recorder) note(key, value []byte) {
	r.calls++
	r.bytes += len(key) + len(value)
}

func (r *recorder) Get(key, dst []byte) ([]byte, bool, error) {
	r.note(key, nil)
	return append(dst, key...), len(key)%2 == 0, r.err
}

func (r *recorder) Set(key, value []byte) error {
	r.note(key, value)
	return r.err
}

func (r *recorder) SetTTL(key, value []byte, ttl time.Duration) error {
	if r.note(key, value); ttl < 0 {
		r.t.Errorf("a set for %v", ttl)
	}
	return r.err
}

func (r *recorder) Delete(key []byte) (bool, error) {
	r.note(key, nil)
	return len(key)%2 == 0, r.err
}

// FuzzRequest: whatever bytes a request has, it is performed as a whole or not at all, nothing is read beyond
// it, and the answer fits and has a result for each operation. One of more operations than there is room for
// results is not performed.
func FuzzRequest(f *testing.F) {
	var b Batch
	b.Set([]byte("key"), []byte("value"))
	b.Get([]byte("key"))
	b.SetTTL(nil, nil, time.Hour)
	b.Delete([]byte("k"))
	f.Add(b.request)
	f.Add([]byte{})
	f.Add(bytes.Repeat(b.request, 7))  // 28 operations, of 31 that fit
	f.Add(bytes.Repeat(b.request, 8))  // 32
	f.Add(bytes.Repeat(b.request, 16)) // 64
	f.Add(b.request[:len(b.request)-1])
	for at := 0; at < len(b.request); at += 4 {
		for _, x := range []byte{1, 0x80, 0xFF} {
			bad := bytes.Clone(b.request)
			bad[at] ^= x
			bad[at+3] ^= x
			f.Add(bad)
		}
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		r, most := &recorder{t: t}, 256
		p := performer{ctx: t.Context(), cache: r, most: most}
		answer := p.perform(request[:len(request):len(request)], make([]byte, 0, most))
		if n, ok := sound(request); !ok || n*resultBytes > most {
			if r.calls != 0 || p.counts.Malformed != 1 {
				t.Fatalf("a malformed request made %d calls", r.calls)
			}
			want := ErrRequest
			if ok {
				want = ErrTooLarge
			}
			if _, err := resultsOf(answer, 3, most); !errors.Is(err, want) || len(answer) != resultBytes {
				t.Fatalf("a request of %d operations, well-formed %v: %v", n, ok, err)
			}
			return
		}
		if r.calls == 0 || r.calls > OpsMax || r.bytes > len(request) {
			t.Fatalf("%d bytes of request made %d calls with %d bytes", len(request), r.calls, r.bytes)
		}
		all, err := resultsOf(answer, r.calls, most)
		if err != nil || len(answer) > most {
			t.Fatalf("%d calls, an answer of %d bytes: %v", r.calls, len(answer), err)
		}
		for _, x := range all {
			if x.Err != nil && !errors.Is(x.Err, ErrTooLarge) {
				t.Fatal(x.Err)
			}
		}
	})
}

// TestPerform_OpsMax: a request of more operations than there may be is refused as a whole, with how many
// there may be, however much room the answer has; one of so many is done.
func TestPerform_OpsMax(t *testing.T) {
	var b Batch
	b.Get([]byte("key"))
	for n, want := range map[int]int{OpsMax: OpsMax, OpsMax + 1: 0, 2 * OpsMax: 0} {
		r := &recorder{t: t}
		p := performer{ctx: t.Context(), cache: r, most: 1 << 20}
		all, err := resultsOf(p.perform(bytes.Repeat(b.request, n), nil), n, 0)
		if r.calls != want || len(all) != want {
			t.Errorf("%d operations: %d calls, %d results, want %d", n, r.calls, len(all), want)
		}
		if want == 0 && (!errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), fmt.Sprint(OpsMax))) {
			t.Errorf("%d operations: %v", n, err)
		}
	}
}

// TestOperation_RoundTrip: what a batch writes is what the service reads.
func TestOperation_RoundTrip(t *testing.T) {
	for n := range 40 {
		want := operation{kind: kindSet, ttl: int64(n) - 1, key: bytes.Repeat([]byte{1}, n%9),
			value: bytes.Repeat([]byte{2}, n)}
		b := append(want.appendTo(nil), 0xEE)
		got, rest, ok := next(b)
		if !ok || len(rest) != 1 || got.kind != want.kind || got.ttl != want.ttl ||
			!bytes.Equal(got.key, want.key) || !bytes.Equal(got.value, want.value) || len(b)%8 != 1 {
			t.Fatalf("%+v comes back as %+v, %d bytes left, %v", want, got, len(rest), ok)
		}
	}
}

// TestStatuses: each error of the cache comes to the client as an error that says the same.
func TestStatuses(t *testing.T) {
	for _, x := range []struct{ of, want error }{{nil, nil}, {cache.ErrKey, ErrTooLarge},
		{cache.ErrTooLarge, ErrTooLarge}, {cache.ErrNoRoom, ErrBusy}, {cache.ErrBusy, ErrBusy},
		{cache.ErrCorrupt, ErrCorrupt}, {cache.ErrClosed, ErrClosed}, {errors.New("another one"),
			ErrUnknown}} {
		var told []error
		p := performer{ctx: t.Context(), cache: &recorder{t: t, err: x.of}, most: 256,
			onError: func(err error) { told = append(told, err) }}
		var b Batch
		b.Get([]byte("even"))
		b.Set(nil, nil)
		b.SetTTL(nil, nil, 0)
		b.Delete([]byte("even"))
		all, err := resultsOf(p.perform(b.request, nil), 4, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range all {
			if !errors.Is(r.Err, x.want) || r.OK != (x.of == nil) || x.of != nil && r.Value != nil {
				t.Errorf("operation %d of a cache that says %v: %+v, want %v", i, x.of, r, x.want)
			}
		}
		if fails := x.want == ErrCorrupt || x.want == ErrUnknown; fails != (len(told) == 4) ||
			fails && !errors.Is(told[0], x.of) || !fails && len(told) != 0 {
			t.Errorf("of a cache that says %v the service is told %v", x.of, told)
		}
	}
	if err := Status(77).err(0, 0); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a status that there is none of: %v", err)
	}
	if _, err := resultsOf(make([]byte, 15), 2, 0); !errors.Is(err, ErrCorrupt) {
		t.Errorf("an answer that ends too soon: %v", err)
	}
	if _, err := resultsOf([]byte{0, 0, 0, 0, 9, 0, 0, 0, 1}, 1, 0); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a value that ends too soon: %v", err)
	}
}

// limiter is a cache with a limit for its client: so many operations are admitted, and no more.
type limiter struct {
	recorder
	left int
}

const limiterRetry = 3 * time.Millisecond

func (l *limiter) Admit(uint64) (time.Duration, error) {
	if l.left--; l.left < 0 {
		return limiterRetry, l.err
	}
	return 0, l.err
}

func (l *limiter) Ask(client uint64, key, dst []byte) ([]byte, cache.Answer, error) {
	if retry, err := l.Admit(client); retry != 0 || err != nil {
		return dst, cache.Answer{State: cache.Denied, ByClient: true, RetryAfter: retry}, err
	}
	return dst, cache.Answer{State: cache.Miss}, nil
}

// TestRefusedRequest_IsCharged: a request that is refused as a whole takes an operation from the rate of its
// client. Behind one that is above the rate the service rests, as behind a get.
func TestRefusedRequest_IsCharged(t *testing.T) {
	const most = 128
	var get, many Batch
	get.Get(nil)
	for range most/resultBytes + 1 {
		many.Get(nil)
	}
	for name, request := range map[string][]byte{"empty": {}, "cut": get.request[:operationBytes-1],
		"too many operations": many.request, "a get": get.request} {
		l := &limiter{recorder: recorder{t: t}, left: 2}
		p := performer{ctx: t.Context(), cache: l, quotas: l, most: most}
		for n, want := range []time.Duration{0, 0, limiterRetry, limiterRetry} {
			p.perform(request, nil)
			if d := p.rest(0); d != want {
				t.Errorf("%s: behind request %d the service rests for %v, want %v", name, n, d, want)
			}
		}
		l.err = ErrClosed // of a cache that is closed
		p.perform(request, nil)
		if l.calls != 0 || p.rest(time.Hour) != 0 {
			t.Errorf("%s: %d calls were made", name, l.calls)
		}
	}
}

// TestRest: the service looks away for as long as it has told the client to wait, up to 16 ms, and for ten
// times as long as it took to refuse operations; not at all if it has refused none for the client's rate.
func TestRest(t *testing.T) {
	const ms = time.Millisecond
	for _, x := range []struct {
		admitted, refused, malformed int
		took, want                   time.Duration
	}{
		{3, 0, 0, time.Hour, 0}, {0, 1, 0, 0, limiterRetry}, {0, 1, 0, 200 * time.Microsecond, limiterRetry},
		{0, 1, 0, ms, 10 * ms}, {0, 7, 0, 2 * ms, 20 * ms}, {3, 1, 0, 4 * ms, 10 * ms},
		{1, 3, 0, 4 * ms, 30 * ms}, {0, 1, 0, time.Hour, time.Second}, {0, 0, 1, 5 * ms, 50 * ms},
		{2, 1, 1, 4 * ms, 20 * ms},
	} {
		l := &limiter{recorder: recorder{t: t}, left: x.admitted}
		p := performer{ctx: t.Context(), cache: l, quotas: l, most: 1 << 10}
		var b Batch
		for range x.admitted + x.refused {
			b.Get(nil)
		}
		if b.Len() > 0 {
			p.perform(b.request, nil)
		}
		for range x.malformed {
			p.perform(nil, nil)
		}
		if d := p.rest(x.took); d != x.want {
			t.Errorf("%+v: it rests for %v", x, d)
		}
		if d := p.rest(time.Hour); d != 0 {
			t.Errorf("%+v: behind a turn without requests it rests for %v", x, d)
		}
	}
	p := performer{wait: time.Hour}
	if d := p.rest(0); d != 16*ms {
		t.Errorf("it rests for %v of an hour, want 16 ms", d)
	}
}

// TestRest_ForgetsEachTurn: operations of turns in which none was refused do not make the rest shorter that
// follows a turn with nothing but refusals.
func TestRest_ForgetsEachTurn(t *testing.T) {
	const ms = time.Millisecond
	for _, honest := range []int{1, 100, OpsMax} {
		l := &limiter{recorder: recorder{t: t}, left: 3 * honest}
		p := performer{ctx: t.Context(), cache: l, quotas: l, most: 1 << 20}
		var b Batch
		for range honest {
			b.Get(nil)
		}
		for turn, want := range []time.Duration{0, 0, 0, 40 * ms, 40 * ms} {
			p.perform(b.request, nil)
			if d := p.rest(4 * ms); d != want {
				t.Errorf("behind turn %d of %d operations the service rests for %v, want %v", turn, honest, d,
					want)
			}
		}
	}
}
