package region

import (
	"errors"
	"testing"
	"time"
)

// short and long are bounds of sleeps: short passes in a test, long does not.
const (
	short = 30 * time.Millisecond
	long  = time.Minute
)

// TestAwait_HeapNeedsNoWake: all who wait are goroutines, and look again long before the bound.
func TestAwait_HeapNeedsNoWake(t *testing.T) {
	r, err := Heap(toy(64, 8, 2, near))
	if err != nil {
		t.Fatal(err)
	}
	w := &r.Words()[len(r.Words())-1]
	go func() {
		time.Sleep(short)
		w.Store(1)
	}()
	begun := time.Now()
	if !r.Await(w, 0, long) {
		t.Error("a change was not seen")
	}
	if d := time.Since(begun); d > long/2 {
		t.Errorf("a change was seen after %v of %v", d, long)
	}
	r.Wake(w)
}

// TestAttachWithin_WaitsForTheMaker: until it has finished the region, or until the bound.
func TestAttachWithin_WaitsForTheMaker(t *testing.T) {
	m, d := memory(small), &desk{}
	if _, err := AttachWithin(m, small, clerk{desk: d, self: 1}, short); !errors.Is(err, ErrUnfinished) {
		t.Errorf("nobody makes it: %v", err)
	}
	made := make(chan error)
	go func() {
		time.Sleep(short)
		_, err := Make(m, small, clerk{desk: d, self: 1})
		made <- err
	}()
	begun := time.Now()
	_, err := AttachWithin(m, small, clerk{desk: d, self: 2}, long)
	if since := time.Since(begun); err != nil || since > long/2 {
		t.Errorf("%v after %v", err, since)
	}
	if err := <-made; err != nil {
		t.Error(err)
	}
}

// TestAttachWithin_WaitsForNothingElse: what is something else is so at once, even if its first word looks
// unfinished to who looks at the half of it that a sleep is about.
func TestAttachWithin_WaitsForNothingElse(t *testing.T) {
	m := memory(small)
	other := &Region{}
	other.adopt(m)
	other.Words()[wordMagic].Store(1 << 32)
	begun := time.Now()
	_, err := AttachWithin(m, small, clerk{desk: &desk{}, self: 1}, long)
	if since := time.Since(begun); !errors.Is(err, ErrMagic) || since > long/2 {
		t.Errorf("%v after %v of %v", err, since, long)
	}
}
