package remote_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/remote"
)

// TestClient_ContextHasEnded: a call whose context has ended sends nothing, although a service waits for it.
// It says that nothing was done, and why the context has ended.
func TestClient_ContextHasEnded(t *testing.T) {
	own, cause := newCache(t), errors.New("the cause")
	s, path := serving(t, own, remote.Options{})
	c := dial(t, path, remote.DialOptions{})
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	caused, end := context.WithCancelCause(t.Context())
	end(cause)
	for name, ctx := range map[string]context.Context{"canceled": canceled, "late": late, "caused": caused} {
		for range 100 {
			var b remote.Batch
			b.Set([]byte("key"), nil)
			_, _, got := c.Get(ctx, []byte("key"), nil)
			_, deleted := c.Delete(ctx, []byte("key"))
			_, done := c.Do(ctx, &b)
			for call, err := range map[string]error{"get": got, "set": c.Set(ctx, []byte("key"), nil),
				"delete": deleted, "batch": done} {
				if !errors.Is(err, remote.ErrTimeout) || !errors.Is(err, ctx.Err()) ||
					errors.Is(err, cause) != (ctx == caused) {
					t.Fatalf("%s, %s: %v, want %v and %v", name, call, err, remote.ErrTimeout, ctx.Err())
				}
			}
		}
	}
	if _, ok, err := own.Get([]byte("key"), nil); ok || err != nil {
		t.Errorf("the key is there: %v %v", ok, err)
	}
	if err := c.Set(t.Context(), []byte("other"), nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil { // so all is counted
		t.Fatal(err)
	}
	if n := s.Counts(); n.Requests != 1 {
		t.Errorf("the service has performed %d requests, want the last one", n.Requests)
	}
}

// TestCall_WaitsByItsOwnContext: how long a Wait goes on is up to its own context, or up to the Timeout since
// Start, and not up to the deadline of the context that Start had, be that sooner or later.
func TestCall_WaitsByItsOwnContext(t *testing.T) {
	own, path := newCache(t), filepath.Join(t.TempDir(), "a.slots")
	s, err := remote.Create(path, remote.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b remote.Batch
	b.Get([]byte("key"))
	start := func(timeout, deadline time.Duration) (*remote.Client, *remote.Call, context.Context) {
		c := dial(t, path, remote.DialOptions{Timeout: timeout})
		ctx, cancel := context.WithTimeout(t.Context(), deadline)
		t.Cleanup(cancel)
		call, err := c.Start(ctx, &b)
		if err != nil {
			t.Fatal(err)
		}
		return c, call, ctx
	}
	c, call, ended := start(time.Hour, 10*time.Millisecond)
	<-ended.Done()
	time.AfterFunc(20*time.Millisecond, func() { serve(t, s, own) })
	if _, err := call.Wait(context.Background()); err != nil {
		t.Errorf("the context of Start has ended ahead of the answer: %v", err)
	}
	if err := errors.Join(c.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if s, err = remote.Create(path, remote.Options{}); err != nil { // it lives, and takes nothing
		t.Fatal(err)
	}
	defer s.Close()
	_, call, _ = start(10*time.Millisecond, time.Hour) // else the test does not end
	if _, err := call.Wait(context.Background()); !errors.Is(err, remote.ErrTimeout) {
		t.Errorf("the Timeout has passed: %v", err)
	}
}

// slow is a cache whose first set calls a function, and whose others take their time.
type slow struct {
	remote.Cache
	first func()
	sets  int
}

func (s *slow) Set(key, value []byte) error {
	if s.sets++; s.sets == 1 {
		s.first()
	} else {
		time.Sleep(20 * time.Millisecond)
	}
	return s.Cache.Set(key, value)
}

// TestService_EndsInTheMiddleOfABatch: a service that is to end goes on with the batch that it has taken, but
// not to its end if that is far away. The client is told of each operation whether it was done.
func TestService_EndsInTheMiddleOfABatch(t *testing.T) {
	const all = 200
	for _, how := range []string{"context", "Close"} {
		t.Run(how, func(t *testing.T) {
			own, path := newCache(t), filepath.Join(t.TempDir(), "a.slots")
			s, err := remote.Create(path, remote.Options{})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			closed := make(chan error, 1)
			closing := func() { closed <- s.Close() }
			served := &slow{Cache: own, first: cancel}
			if how == "Close" {
				served.first = func() { go closing(); time.Sleep(20 * time.Millisecond) }
			}
			c := dial(t, path, remote.DialOptions{Timeout: time.Hour})
			var b remote.Batch
			for n := range all {
				b.Set(fmt.Append(nil, n), []byte("value"))
			}
			call, err := c.Start(t.Context(), &b)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Serve(ctx, served); err != nil {
				t.Error(err)
			}
			cancel()
			if how == "context" {
				closing()
			}
			if err := <-closed; err != nil {
				t.Error(err)
			}
			results, err := call.Wait(t.Context())
			if err != nil || len(results) != all {
				t.Fatal(len(results), err)
			}
			done := served.sets
			if done < 2 || done == all {
				t.Errorf("%d operations of %d were done", done, all)
			}
			for n, r := range results {
				_, there, err := own.Get(fmt.Append(nil, n), nil)
				told := errors.Is(r.Err, remote.ErrClosed)
				if there != (n < done) || err != nil || r.OK != there || told == there {
					t.Fatalf("operation %d of %d that were done: %+v; its key is there: %v, %v", n, done, r,
						there, err)
				}
			}
			n := s.Counts()
			if n.Requests != 1 || n.Operations != uint64(done) || n.Refused != uint64(all-done) {
				t.Errorf("counts: %+v", n)
			}
		})
	}
}

// truncating is a cache whose last set shortens a file to nothing.
type truncating struct {
	remote.Cache
	file string
	last int
	sets int
}

func (x *truncating) Set(key, value []byte) error {
	if x.sets++; x.sets == x.last {
		if err := os.Truncate(x.file, 0); err != nil {
			return err
		}
	}
	return x.Cache.Set(key, value)
}

// TestServe_CountsWhatItDidBeforeAnError: the operations of the turn that ends a service with an error are
// counted, as those of each other turn.
func TestServe_CountsWhatItDidBeforeAnError(t *testing.T) {
	const all = 3
	path := filepath.Join(t.TempDir(), "a.slots")
	s, err := remote.Create(path, remote.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := dial(t, path, remote.DialOptions{})
	for n := range all {
		var b remote.Batch
		b.Set(fmt.Append(nil, n), []byte("value"))
		if _, err := c.Start(t.Context(), &b); err != nil { // nobody waits for it
			t.Fatal(err)
		}
	}
	err = s.Serve(t.Context(), &truncating{Cache: newCache(t), file: path, last: all})
	if !errors.Is(err, remote.ErrCorrupt) {
		t.Errorf("of a file that was truncated: %v, want %v", err, remote.ErrCorrupt)
	}
	if n := s.Counts(); n.Operations != all {
		t.Errorf("%d operations were done, and the counts are %+v", all, n)
	}
}
