package remote_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/remote"
	"github.com/samecycle/samecycle/impl/slots"
)

// TestCall_FailedByTheNext: a service dies with a request, and the next one says so before the client has
// looked whether it lives. The client is told that, and not that its time was over.
func TestCall_FailedByTheNext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.slots")
	create := func() *slots.Service {
		s, err := slots.Create(path, fewSlots)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := create()
	c := dial(t, path, remote.DialOptions{Look: time.Hour, Timeout: time.Hour})
	var b remote.Batch
	b.Get([]byte("key"))
	call, err := c.Start(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = first.Turn(func([]byte, []byte) []byte { panic("a death") }, time.Second)
	}()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := create()
	t.Cleanup(func() { _ = second.Close() })
	_, err = call.Wait(t.Context())
	if !errors.Is(err, remote.ErrUnknown) || errors.Is(err, context.DeadlineExceeded) ||
		!strings.Contains(err.Error(), "died") {
		t.Errorf("%v", err)
	}
}
