package explore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/memory"
	"github.com/samecycle/samecycle/explore/shim/sync"
)

// spawning is a program of one actor that makes two more, of two accesses each, and then makes two
// itself: as many executions as there are orders of three times two accesses, 6!/(2!2!2!) = 90.
func spawning(outcomes map[uint64]bool) explore.Program {
	var w atomic.Uint64
	add := func(n uint64) func() { return func() { w.Add(n); w.Add(10 * n) } }
	p := simple("spawning", func() { w.Store(0) },
		func() { flow.Go(add(1)); flow.Go(add(100)); add(10000)() })
	p.Finish = func(*explore.Execution) error {
		outcomes[w.Load()] = true
		return nil
	}
	return p
}

func TestSpawn(t *testing.T) {
	got := map[uint64]bool{}
	r := mustExplore(t, spawning(got), unbounded())
	if r.Failure != nil || r.Executions != 90 || !r.Exhaustive || len(got) != 1 || !got[111111] {
		t.Errorf("%d executions, want 90; sums %v; %v", r.Executions, got, r.Err())
	}
	o := unbounded()
	o.Stateful = true
	if s := mustExplore(t, spawning(got), o); s.Failure != nil || s.Executions > 90 {
		t.Errorf("stateful: %d executions, %v", s.Executions, s.Err())
	}
	for _, s := range []explore.Strategy{explore.Plain, explore.Uniform, explore.PCT, explore.Reversing} {
		o := unbounded()
		o.Walks, o.Strategy = 50, s
		if s == explore.PCT {
			o.Depth = 3
		}
		if r := mustExplore(t, spawning(got), o); r.Failure != nil || r.Executions != 50 {
			t.Errorf("%v: %v", s, r.Err())
		}
	}
}

// TestSpawnOrders: what an actor did ahead of a go statement happens before the new actor, what it
// does afterwards does not; a WaitGroup's Go is waited for.
func TestSpawnOrders(t *testing.T) {
	var n int
	var wg sync.WaitGroup
	set := func() { *memory.Store(&n, "n")++ }
	for name, c := range map[string]struct {
		races bool
		body  func()
	}{
		"before": {false, func() { set(); flow.Go(set) }},
		"after":  {true, func() { flow.Go(set); set() }},
		"joined": {false, func() { wg.Go(set); wg.Wait(); set() }},
		"both":   {true, func() { wg.Go(set); wg.Go(set); wg.Wait() }},
	} {
		o := unbounded()
		o.Races = true
		p := simple(name, func() { n, wg = 0, sync.WaitGroup{} }, c.body)
		r := mustExplore(t, p, o)
		if !c.races {
			if r.Failure != nil {
				t.Errorf("%s: %v", name, r.Err())
			}
			continue
		}
		f := wantFailure(t, r, explore.Race)
		again, err := explore.Replay(p, f.Token, explore.Options{})
		if err != nil || again.Failure == nil || again.Failure.Message != f.Message {
			t.Errorf("%s: replay: %v, %v", name, err, again.Err())
		}
		if !strings.Contains(f.Message, "A.1") {
			t.Errorf("%s: the new actor is not named: %s", name, f.Message)
		}
	}
}

// TestSpawnRefusals: too many actors, and uses of channels that are not explored, are failures that say so.
func TestSpawnRefusals(t *testing.T) {
	p := simple("many", func() {}, func() {
		for range explore.MaxActors {
			flow.Go(func() {})
		}
	})
	f := wantFailure(t, mustExplore(t, p, reduced()), explore.Unexplored)
	if !strings.Contains(f.Message, "all executions together") {
		t.Error(f.Message)
	}
	p = simple("channel", func() {}, func() { flow.Refuse(make(chan int), "f.go:1") })
	f = wantFailure(t, mustExplore(t, p, unbounded()), explore.Unexplored)
	if !strings.Contains(f.Message, "f.go:1: a receive") || errors.Unwrap(f) != nil {
		t.Error(f.Message)
	}
}

// TestSpawnKilled: who is killed leaves those that it made alive.
func TestSpawnKilled(t *testing.T) {
	var w atomic.Uint64
	ran := false
	p := simple("orphan", func() { w.Store(0); ran = false },
		func() { w.Add(1); flow.Go(func() { w.Add(1); ran = true }); w.Add(1) })
	killed := false
	p.Finish = func(x *explore.Execution) error {
		if x.Killed(0) && w.Load() > 1 {
			killed = killed || ran
		}
		return nil
	}
	r := mustExplore(t, p, explore.Options{Preemptions: explore.Unbounded, Kills: 1})
	if r.Failure != nil || !killed {
		t.Errorf("no orphan went on: %v", r.Err())
	}
}

// TestSpawn_StatesTellWhoMadeWhom: two makers whose actors have their numbers in either order, and do
// different things. Within a bound the states that an actor of one maker has reached must not count for
// those of the other's with that number: outcomes would be lost.
func TestSpawn_StatesTellWhoMadeWhom(t *testing.T) {
	for _, lines := range [][]string{{"p0a0", "p0a0", "s0l0l1", "l1", "s0a0"},
		{"p0a0", "p0a0", "c0s0", "l1", "c0s0l1", "a0a0c0"}} {
		all, got := map[string]int{}, map[string]int{}
		o := withoutAudit(explore.Options{Preemptions: 2})
		mustExplore(t, family{2, lines}.program(all), o)
		o.Stateful = true
		r := mustExplore(t, family{2, lines}.program(got), o)
		if keysOf(got) != keysOf(all) || len(all) < 20 || r.Pruned == 0 {
			t.Errorf("%v: %d outcomes when states are joined, %d of all", lines, len(got), len(all))
		}
	}
}
