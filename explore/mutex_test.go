package explore_test

//lint:file-ignore SA2001 a lock that is taken and given back is a step of the programs here

import (
	stdsync "sync"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/sync"
)

// TestMutex_Outside: a Mutex is as large as the standard one and, outside explorations, a lock; what a
// killed actor holds is free there.
func TestMutex_Outside(t *testing.T) {
	if a, b := unsafe.Sizeof(sync.Mutex{}), unsafe.Sizeof(stdsync.Mutex{}); a != b {
		t.Errorf("%d bytes, want %d", a, b)
	}
	var mu sync.Mutex
	var all stdsync.WaitGroup
	n := 0
	for range 4 {
		all.Go(func() {
			for range 200 {
				mu.Lock()
				n++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if n != 800 || !mu.TryLock() || mu.TryLock() {
		t.Errorf("%d turns, want 800; or TryLock took a lock that was held", n)
	}
	mu.Unlock()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("an unlocked Mutex was unlocked")
			}
		}()
		mu.Unlock()
	}()
	held := 0
	var shared *sync.Mutex
	p := simple("holder", func() { shared = new(sync.Mutex) }, func() { shared.Lock(); shared.Unlock() })
	p.Finish = func(x *explore.Execution) error {
		shared.Lock()
		defer shared.Unlock()
		if x.Killed(0) {
			held++
		}
		return nil
	}
	o := unbounded()
	o.Kills = 1
	if r := mustExplore(t, p, o); r.Failure != nil || held == 0 {
		t.Errorf("%v; %d deaths", r.Err(), held)
	}
}
