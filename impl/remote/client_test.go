package remote

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// TestClient_NeverDialled: a client of a program that has overlooked the error of Dial says so by each call,
// as a zero one does, and has room for nothing.
func TestClient_NeverDialled(t *testing.T) {
	ctx, key := context.Background(), []byte("k")
	for name, c := range map[string]*Client{"nil": nil, "zero": {}} {
		dst, ok, get := c.Get(ctx, key, []byte("before"))
		deleted, del := c.Delete(ctx, key)
		var b Batch
		b.Get(key)
		results, do := c.Do(ctx, &b)
		call, start := c.Start(ctx, &b)
		if ok || deleted || string(dst) != "before" || results != nil || call != nil {
			t.Errorf("%s: %q, %v, %v, %v, %v", name, dst, ok, deleted, results, call)
		}
		const never = "remote: client was never dialled: use what Dial returns with a nil error"
		for _, x := range []struct {
			before string
			err    error
		}{{"get: ", get}, {"set: ", c.Set(ctx, key, nil)}, {"set: ", c.SetTTL(ctx, key, nil, 0)},
			{"delete: ", del}, {"", do}, {"", start}, {"close: ", c.Close()}} {
			if !errors.Is(x.err, ErrClosed) || fmt.Sprint(x.err) != x.before+never {
				t.Errorf("%s: %v, want %q", name, x.err, x.before+never)
			}
		}
		sizes := [...]int{c.RequestMax(), c.ValueMax(), c.OpsMax(), c.Slots(), int(c.TimedOut())}
		if sizes != [len(sizes)]int{} {
			t.Errorf("%s: sizes of %v", name, sizes)
		}
	}
}

// TestService_NeverCreated: so does a service of a program that has overlooked the error of Create.
func TestService_NeverCreated(t *testing.T) {
	for name, s := range map[string]*Service{"nil": nil, "zero": {}} {
		const never = "remote: service was never created: use what Create returns with a nil error"
		for call, err := range map[string]error{"serve: ": s.Serve(context.Background(), nil),
			"close: ": s.Close()} {
			if !errors.Is(err, ErrClosed) || fmt.Sprint(err) != call+never {
				t.Errorf("%s: %v, want %q", name, err, call+never)
			}
		}
		if n := s.Counts(); n != (Counts{}) {
			t.Errorf("%s: counts of %+v", name, n)
		}
	}
}
