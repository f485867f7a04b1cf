package mapmodel

import (
	"math/rand"
	"sync"
	"testing"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
)

// TestNativeRun takes the whole way of a run on real processors: goroutines on a sync.Map, one log
// each, one client killed in flight, the histories judged. The recorder must not invent faults.
func TestNativeRun(t *testing.T) {
	const clients, calls, keys = 4, 300, 40
	const seed = 8
	t.Logf("seed %d", seed)
	var m sync.Map
	m.Store(uint32(0), uint32(9999))
	rec, err := history.NewConcurrent[Request, Result](clients, calls)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			log, rng := rec.Client(c), rand.New(rand.NewSource(seed+int64(c)))
			for i := range calls {
				req := Request{Kind: Get, Key: uint32(rng.Intn(keys))}
				if rng.Intn(2) == 0 {
					req.Kind, req.Value = Add, uint32(calls*c+i+1)
				}
				log.Call(req)
				result := callSyncMap(&m, req)
				if c == 0 && i == calls/2 {
					log.Kill() // it happened, but the recorder cannot know
					return
				}
				log.Return(result)
			}
		})
	}
	wg.Wait()
	h, err := rec.History()
	if err != nil {
		t.Fatal(err)
	}
	if v := Check(h, enough, map[uint32]uint32{0: 9999}); v.Outcome != linearizability.Ok {
		t.Error(v.Detail())
	}
	for i := range h { // canary: the same history with one value that nobody wrote
		if h[i].Result.Outcome == Found {
			h[i].Result.Value = 1 << 31
			break
		}
	}
	if v := Check(h, enough, map[uint32]uint32{0: 9999}); v.Outcome != linearizability.Illegal {
		t.Errorf("a spoiled history is %s", v.Outcome)
	}
}

func callSyncMap(m *sync.Map, req Request) Result {
	if req.Kind == Get {
		if value, ok := m.Load(req.Key); ok {
			return Result{Outcome: Found, Value: value.(uint32)}
		}
		return Result{Outcome: Absent}
	}
	if _, there := m.LoadOrStore(req.Key, req.Value); there {
		return Result{Outcome: Exists}
	}
	return Result{Outcome: Added}
}
