package region

import (
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
	r, err := Heap(Layout{CellsPerHalf: 64, Window: 8, Descriptors: 2})
	if err != nil {
		t.Fatal(err)
	}
	w := &r.Words()[len(r.Words())-1]
	go func() {
		time.Sleep(short)
		w.Store(1)
	}()
	begun, bound := time.Now(), 100*short
	if !r.Await(w, 0, bound) {
		t.Error("a change was not seen")
	}
	if d := time.Since(begun); d >= bound {
		t.Errorf("a change was seen after %v, the bound", d)
	}
	r.Wake(w)
}
