package cache

import (
	"errors"
	"testing"
)

// Admit and Ask of a client count against one limit, also that of 16 for one; and Admit against none of a
// key, nor without a limit.
func TestAdmit_CountsAsAskDoes(t *testing.T) {
	const rate = 4096 // so that a sample stands for all of 16 calls
	c, _ := timed(t, askStart, Options{Quota: Quota{Client: rate, Object: 1}})
	free, _ := timed(t, askStart, Options{})
	served := 0
	for range 4 * rate {
		wait, err := c.Admit(7)
		if err != nil {
			t.Fatal(err)
		}
		if wait == 0 {
			served++
		}
		if wait, err := free.Admit(7); wait != 0 || err != nil {
			t.Fatalf("without a limit: %v, %v", wait, err)
		}
	}
	if served < rate/2 || served > 3*rate/2 {
		t.Errorf("%d calls were served, want some %d", served, rate)
	}
	if _, a, err := c.Ask(7, []byte("key"), nil); a.State != Denied || !a.ByClient || err != nil {
		t.Errorf("an Ask of the same client: %+v, %v", a, err)
	}
	if wait, err := c.Admit(8); wait != 0 || err != nil {
		t.Errorf("another client: %v, %v", wait, err)
	}
	if _, a, err := c.Ask(8, []byte("key"), nil); a.State != Miss || err != nil {
		t.Errorf("a key of which nobody has asked: %+v, %v", a, err)
	}
	if s, err := c.Stats(); s.Denied < uint64(4*rate-served) || err != nil {
		t.Errorf("%d calls are counted as denied (%v), want %d", s.Denied, err, 4*rate-served)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Admit(8); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}
