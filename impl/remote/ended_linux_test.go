package remote_test

import (
	"context"
	"errors"
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
