package unseen

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// The function that calls tests has another name.
func TestUnknown_Names(t *testing.T) {
	pc, _, _, _ := runtime.Caller(1)
	if name := runtime.FuncForPC(pc).Name(); name != "testing.tRunner" {
		t.Fatal(name)
	}
}

// A fault that only some orders show has nothing to do with names.
func TestFault_Names(t *testing.T) {
	if _, _, _, ok := runtime.Caller(0); !ok {
		t.Fatal("it has a caller")
	}
	var n atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n.Store(n.Load() + 1) })
	}
	if wg.Wait(); n.Load() != 2 {
		t.Fatal("one of two is lost")
	}
}
