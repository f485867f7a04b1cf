package remote_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
)

// newCache is a small cache of this process.
func newCache(t *testing.T) *cache.Cache {
	t.Helper()
	c, err := cache.Open("", cache.Options{Bytes: 4 << 20, NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// serving starts a service on a new slot file.
func serving(t *testing.T, c remote.Cache, o remote.Options) (*remote.Service, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.slots")
	s, err := remote.Create(path, o)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, s, c)
	return s, path
}

// serve runs a service until the test ends, and holds what it returns against nil.
func serve(t *testing.T, s *remote.Service, c remote.Cache) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(context.Background(), c) }()
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, remote.ErrClosed) {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// dial is a client of the file.
func dial(t *testing.T, path string, o remote.DialOptions) *remote.Client {
	t.Helper()
	c, err := remote.Dial(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil && !errors.Is(err, remote.ErrClosed) {
			t.Error(err)
		}
	})
	return c
}

// TestClient_IsACache: what is set is got, what is deleted is not, and the cache itself has the same.
func TestClient_IsACache(t *testing.T) {
	own, ctx := newCache(t), t.Context()
	_, path := serving(t, own, remote.Options{})
	c := dial(t, path, remote.DialOptions{})
	if _, ok, err := c.Get(ctx, []byte("a"), nil); ok || err != nil {
		t.Fatal(ok, err)
	}
	for n := range 100 {
		key, value := fmt.Appendf(nil, "key %d", n), bytes.Repeat([]byte{byte(n)}, n*7)
		if err := c.Set(ctx, key, value); err != nil {
			t.Fatal(err)
		}
		got, ok, err := c.Get(ctx, key, []byte("before "))
		if want := append([]byte("before "), value...); !ok || err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s: %q %v %v, want %q", key, got, ok, err, want)
		}
		if got, ok, err := own.Get(key, nil); !ok || err != nil || !bytes.Equal(got, value) {
			t.Fatalf("%s in the cache: %q %v %v", key, got, ok, err)
		}
	}
	for _, want := range []bool{true, false} {
		if ok, err := c.Delete(ctx, []byte("key 7")); ok != want || err != nil {
			t.Fatalf("delete: %v %v, want %v", ok, err, want)
		}
	}
	if err := c.SetTTL(ctx, []byte("short"), nil, time.Hour); err != nil {
		t.Fatal(err)
	}
	if left, ok, err := own.TTL([]byte("short")); !ok || err != nil || left <= 59*time.Minute ||
		left > time.Hour+time.Second {
		t.Fatalf("short: %v %v %v", left, ok, err)
	}
	if err := c.SetTTL(ctx, []byte("short"), nil, 0); err != nil {
		t.Fatal(err)
	}
	if left, ok, err := own.TTL([]byte("short")); !ok || err != nil || left != 0 {
		t.Fatalf("for ever: %v %v %v", left, ok, err)
	}
}

// TestGet_TheValueIsTheCallers: a value that was got without a slice to append to stays as it is when the
// client gets others of the same length.
func TestGet_TheValueIsTheCallers(t *testing.T) {
	own, ctx := newCache(t), t.Context()
	_, path := serving(t, own, remote.Options{})
	c := dial(t, path, remote.DialOptions{})
	const all = 50 // so many, because the memory of one call is not always that of the next one
	var values [][]byte
	for n := range byte(all) {
		if err := own.Set([]byte{n}, bytes.Repeat([]byte{n}, 100)); err != nil {
			t.Fatal(err)
		}
		value, ok, err := c.Get(ctx, []byte{n}, nil)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		values = append(values, value)
	}
	for n, value := range values {
		if want := bytes.Repeat([]byte{byte(n)}, 100); !bytes.Equal(value, want) {
			t.Fatalf("value %d is now %x", n, value)
		}
	}
}

// TestBatch: the results are those of the operations, in their order.
func TestBatch(t *testing.T) {
	own, ctx := newCache(t), t.Context()
	s, path := serving(t, own, remote.Options{})
	c := dial(t, path, remote.DialOptions{})
	var b remote.Batch
	b.Set([]byte("a"), []byte("one"))
	b.Get([]byte("a"))
	b.Set(nil, []byte("of the empty key"))
	b.Get(nil)
	b.Delete([]byte("a"))
	b.Get([]byte("a"))
	b.Delete([]byte("a"))
	want := []remote.Result{{OK: true}, {OK: true, Value: []byte("one")}, {OK: true},
		{OK: true, Value: []byte("of the empty key")}, {OK: true}, {}, {}}
	for range 3 {
		all, err := c.Do(ctx, &b)
		if err != nil || len(all) != len(want) {
			t.Fatal(all, err)
		}
		for i, r := range all {
			if r.OK != want[i].OK || !bytes.Equal(r.Value, want[i].Value) || r.Err != nil {
				t.Errorf("result %d is %+v, want %+v", i, r, want[i])
			}
		}
	}
	if err := s.Close(); err != nil { // so all is counted
		t.Fatal(err)
	}
	if n := s.Counts(); n.Operations != 3*uint64(len(want)) || n.Requests != 3 || n.Refused != 0 ||
		n.Damaged != 0 {
		t.Errorf("counts: %+v", n)
	}
}

// TestStart_ManyUnderWay: as many calls as slots are under way, each gets its own answer, and one more waits.
func TestStart_ManyUnderWay(t *testing.T) {
	const n = 16
	own, ctx := &gated{Cache: newCache(t), gate: make(chan struct{})}, t.Context()
	_, path := serving(t, own, remote.Options{File: slots.Options{Slots: n}})
	c := dial(t, path, remote.DialOptions{})
	var calls []*remote.Call
	for i := range n {
		var b remote.Batch
		b.Set(fmt.Appendf(nil, "%d", i), fmt.Appendf(nil, "value %d", i))
		b.Get(fmt.Appendf(nil, "%d", i))
		call, err := c.Start(ctx, &b)
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, call)
	}
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if err := c.Set(short, nil, nil); !errors.Is(err, remote.ErrNoSlot) || !errors.Is(err,
		context.DeadlineExceeded) {
		t.Fatalf("one call more: %v, want %v", err, remote.ErrNoSlot)
	}
	close(own.gate)
	for i, call := range calls {
		for range 2 { // a second Wait says the same
			all, err := call.Wait(ctx)
			if err != nil || string(all[1].Value) != fmt.Sprintf("value %d", i) {
				t.Fatal(all, err)
			}
		}
	}
	if err := c.Set(ctx, nil, nil); err != nil {
		t.Fatal(err)
	}
}

// gated is a cache whose sets wait for a gate.
type gated struct {
	remote.Cache
	gate chan struct{}
	once sync.Once
	in   chan struct{} // closed when a set waits, if it is not nil
}

func (g *gated) Set(key, value []byte) error {
	if g.in != nil {
		g.once.Do(func() { close(g.in) })
	}
	<-g.gate
	return g.Cache.Set(key, value)
}

// TestClient_Timeout: a request that nobody has taken is withdrawn, and never done. One that the service has
// is abandoned, and its outcome is unknown; its slot comes back.
func TestClient_Timeout(t *testing.T) {
	own := &gated{Cache: newCache(t), gate: make(chan struct{}), in: make(chan struct{})}
	s, path := serving(t, own, remote.Options{File: slots.Options{Slots: 2}})
	c := dial(t, path, remote.DialOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	taken := make(chan error)
	go func() { taken <- c.Set(ctx, []byte("taken"), nil) }()
	<-own.in
	for range 5 { // more than there are slots
		short, end := context.WithTimeout(t.Context(), 5*time.Millisecond)
		err := c.Set(short, []byte("waits"), nil)
		if !errors.Is(err, remote.ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a request that waits: %v, want %v", err, remote.ErrTimeout)
		}
		end()
	}
	cancel()
	if err := <-taken; !errors.Is(err, remote.ErrUnknown) || !errors.Is(err, context.Canceled) {
		t.Errorf("a request that was taken: %v, want %v", err, remote.ErrUnknown)
	}
	close(own.gate)
	for range 4 {
		if err := c.Set(t.Context(), []byte("later"), nil); err != nil {
			t.Error(err)
		}
	}
	for key, want := range map[string]bool{"taken": true, "waits": false, "later": true} {
		if _, ok, err := c.Get(t.Context(), []byte(key), nil); ok != want || err != nil {
			t.Errorf("%s is there: %v (%v), want %v", key, ok, err, want)
		}
	}
	if err := s.Close(); err != nil { // so all is counted
		t.Fatal(err)
	}
	if n := s.Counts(); n.Dropped != 1 || n.Damaged != 0 {
		t.Errorf("counts: %+v, want one answer dropped", n)
	}
}

// TestClient_NoService: calls say so, and go on with the next service.
func TestClient_NoService(t *testing.T) {
	own := newCache(t)
	s, path := serving(t, own, remote.Options{})
	c := dial(t, path, remote.DialOptions{Look: 5 * time.Millisecond})
	if err := c.Set(t.Context(), []byte("a"), []byte("1")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := c.Set(t.Context(), []byte("a"), []byte("2")); !errors.Is(err, remote.ErrNoService) {
			t.Fatalf("without a service: %v, want %v", err, remote.ErrNoService)
		}
	}
	again, err := remote.Create(path, remote.Options{})
	if err != nil {
		t.Fatal(err)
	}
	serve(t, again, own)
	if v, ok, err := c.Get(t.Context(), []byte("a"), nil); string(v) != "1" || !ok || err != nil {
		t.Fatalf("%q %v %v", v, ok, err)
	}
}

// TestTooLarge: what does not fit is refused, with what would.
func TestTooLarge(t *testing.T) {
	own, ctx := newCache(t), t.Context()
	_, path := serving(t, own, remote.Options{File: slots.Options{RequestBytes: 256, ResponseBytes: 128}})
	c := dial(t, path, remote.DialOptions{})
	if err := c.Set(ctx, []byte("key"), make([]byte, 256)); !errors.Is(err, remote.ErrTooLarge) ||
		!strings.Contains(err.Error(), "at most 248") {
		t.Errorf("a large set: %v", err)
	}
	if err := c.Set(ctx, make([]byte, 1<<16), nil); !errors.Is(err, remote.ErrTooLarge) {
		t.Errorf("a long key: %v", err)
	}
	for n := range 200 {
		if err := own.Set([]byte("key"), bytes.Repeat([]byte("x"), n)); err != nil {
			t.Fatal(err)
		}
		v, ok, err := c.Get(ctx, []byte("key"), nil)
		if fits := n <= c.ValueMax(); fits != (err == nil) || fits != ok || fits && len(v) != n ||
			!fits && (!errors.Is(err, remote.ErrTooLarge) || !strings.Contains(err.Error(),
				fmt.Sprintf("has %d bytes", n))) {
			t.Fatalf("a value of %d bytes, %d fit: %d bytes, %v, %v", n, c.ValueMax(), len(v), ok, err)
		}
	}
	var b remote.Batch
	if _, err := c.Do(ctx, &b); !errors.Is(err, remote.ErrRequest) {
		t.Errorf("an empty batch: %v", err)
	}
	b.SetTTL(nil, nil, -1)
	if _, err := c.Do(ctx, &b); !errors.Is(err, remote.ErrRequest) {
		t.Errorf("a negative time: %v", err)
	}
}

// TestClosed: calls of a closed client or service are errors, and end calls that wait.
func TestClosed(t *testing.T) {
	own := &gated{Cache: newCache(t), gate: make(chan struct{}), in: make(chan struct{})}
	s, path := serving(t, own, remote.Options{})
	c := dial(t, path, remote.DialOptions{Look: 2 * time.Millisecond})
	waits := make(chan error)
	go func() { waits <- c.Set(context.Background(), nil, nil) }()
	<-own.in
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-waits; !errors.Is(err, remote.ErrClosed) || !errors.Is(err, remote.ErrUnknown) {
		t.Errorf("a call that waits: %v", err)
	}
	if err := c.Set(t.Context(), nil, nil); !errors.Is(err, remote.ErrClosed) {
		t.Errorf("a call: %v", err)
	}
	if err := c.Close(); !errors.Is(err, remote.ErrClosed) {
		t.Errorf("a second close: %v", err)
	}
	close(own.gate)
	// What the closed client has left is freed by the next one.
	next := dial(t, path, remote.DialOptions{})
	for range 3 * next.Slots() {
		if err := next.Set(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Serve(t.Context(), own); !errors.Is(err, remote.ErrClosed) {
		t.Errorf("serve: %v", err)
	}
	if err := s.Close(); !errors.Is(err, remote.ErrClosed) {
		t.Errorf("a second close: %v", err)
	}
}

// TestServe_EndsWithItsContext although it sleeps for long; another one that is called meanwhile is told. The
// next one goes on with the counts.
func TestServe_EndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.slots")
	s, err := remote.Create(path, remote.Options{Idle: remote.WaitMax})
	if err != nil {
		t.Fatal(err)
	}
	for round := range uint64(3) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Serve(ctx, newCache(t)) }()
		c := dial(t, path, remote.DialOptions{})
		if err := c.Set(t.Context(), nil, nil); err != nil { // it runs
			t.Fatal(err)
		}
		if err := s.Serve(t.Context(), newCache(t)); !errors.Is(err, remote.ErrServing) {
			t.Errorf("a second one at once: %v", err)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if n := s.Counts(); n.Operations != round+1 || n.Requests != round+1 {
			t.Errorf("behind %d requests: %+v", round+1, n)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestOptions: times out of bounds are named.
func TestOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.slots")
	if _, err := remote.Create(path, remote.Options{Idle: -1}); !errors.Is(err, remote.ErrOptions) {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused file is there: %v", err)
	}
	for _, o := range []remote.DialOptions{{Timeout: -1}, {Look: 1}, {Timeout: 48 * time.Hour}} {
		if _, err := remote.Dial(path, o); !errors.Is(err, remote.ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := remote.Dial(path, remote.DialOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestDial_OfAnotherFile: what is wrong with a file is told of the file. The one who dials has given no
// option that could be wrong.
func TestDial_OfAnotherFile(t *testing.T) {
	dir := t.TempDir()
	own, slot := filepath.Join(dir, "cache"), filepath.Join(dir, "a.slots")
	c, err := cache.Open(own, cache.Options{Bytes: 1 << 20, NoJanitor: true})
	if err == nil {
		err = c.Close()
	}
	var image []byte
	for _, word := range []uint64{slots.Magic, slots.Version, 255} {
		image = binary.NativeEndian.AppendUint64(image, word)
	}
	if err = errors.Join(err, os.WriteFile(slot, append(image, make([]byte, 4096)...), 0o600)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		own: "header is not that of a slot file: name the file that the service created for this client",
		slot: "number of slots in the header is 255, want 1..64: the file is damaged, or of another " +
			"version: unlink it, and let the service create it anew",
	} {
		_, err := remote.Dial(path, remote.DialOptions{})
		if want = "slots: " + path + ": slot file unusable: " + want; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if !errors.Is(err, slots.ErrFile) || errors.Is(err, remote.ErrOptions) {
			t.Errorf("%v is one of the options, or not one of the file", err)
		}
	}
}

// TestServe_RingsForNothing: a client that rings without a request does not keep its service busy. It gets to
// look once in 16 ms, and a request is still performed.
func TestServe_RingsForNothing(t *testing.T) {
	own := newCache(t)
	path := filepath.Join(t.TempDir(), "a.slots")
	s, err := remote.Create(path, remote.Options{})
	if err != nil {
		t.Fatal(err)
	}
	serve(t, s, own)
	c := dial(t, path, remote.DialOptions{})
	for s.Counts().Empty < 3 {
		s.RingForTest()
	}
	if err := c.Set(t.Context(), []byte("a"), nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := s.Counts(); n.Requests != 1 || n.Sleeps > 1000 {
		t.Errorf("counts: %+v", n)
	}
}
