package explore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/memory"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/internal/hook"
)

// many is how many actors are made in programs that have more of them than there are places.
const many = 3 * explore.MaxActors

// few lets a search of such a program end.
func few(executions uint64) explore.Options {
	return explore.Options{Preemptions: explore.Unbounded, MaxExecutions: executions, Audit: 1}
}

// TestCrowd_All: if there are more actors than places, each actor runs, under its own name.
func TestCrowd_All(t *testing.T) {
	for n, crowded := range map[int]bool{explore.MaxActors - 1: false, explore.MaxActors: true, many: true} {
		var sum atomic.Uint64
		var wg sync.WaitGroup
		p := simple("all", func() { sum.Store(0); wg = sync.WaitGroup{} }, func() {
			for i := range n {
				wg.Go(func() { sum.Add(uint64(i)) })
			}
			wg.Wait()
		})
		p.Finish = func(*explore.Execution) error {
			if want := uint64(n * (n - 1) / 2); sum.Load() != want {
				return fmt.Errorf("sum is %d, want %d", sum.Load(), want)
			}
			return nil
		}
		r := mustExplore(t, p, few(20))
		if r.Failure != nil || r.Complete != 20 || r.MaxActors != n+1 || (r.Crowded == 20) != crowded {
			t.Errorf("%d actors: %d complete, %d crowded, %d at most; %v", n, r.Complete, r.Crowded,
				r.MaxActors, r.Err())
		}
		if strings.Contains(r.Bound, "32 actors that can go on") != crowded {
			t.Error(r.Bound)
		}
		p.Finish = func(*explore.Execution) error { return fmt.Errorf("to see the names") }
		f := wantFailure(t, mustExplore(t, p, few(1)), explore.Verdict)
		if last := fmt.Sprintf("A.%d", n); len(f.Actors) != n+1 || f.Actors[n] != last ||
			!strings.Contains(f.Table(), " | "+last+" ") {
			t.Errorf("actors %v\n%s", f.Actors, f.Table())
		}
	}
}

// TestCrowd_IsNoProof: a search in which actors began late reports that it did not cover everything.
func TestCrowd_IsNoProof(t *testing.T) {
	p := simple("late", func() {}, func() { crowd(explore.MaxActors, func(int) {}) })
	o := few(0)
	o.Delays = 1
	r := mustExplore(t, p, o)
	if r.Failure != nil || !r.Exhaustive || r.Everything() || r.Crowded == 0 {
		t.Errorf("exhaustive %t, everything %t, crowded %d; %v", r.Exhaustive, r.Everything(), r.Crowded,
			r.Err())
	}
}

// TestCrowd_AnyKill: an actor that waits without a place cannot be killed, so a search that offers deaths at
// any step does not cover everything then; one that has kills after an actor's own steps only does.
func TestCrowd_AnyKill(t *testing.T) {
	var gate sync.WaitGroup
	p := simple("mortal", func() { gate = sync.WaitGroup{} }, func() {
		gate.Add(1)
		for range many {
			ready := sync.WaitGroup{}
			ready.Add(1)
			flow.Go(func() { ready.Done(); gate.Wait() })
			ready.Wait()
		}
	})
	for _, anyKill := range []bool{false, true} {
		o := few(50)
		o.Kills, o.AnyKill, p.Stuck = 1, anyKill, func(*explore.Execution) error { return nil }
		r := mustExplore(t, p, o)
		if r.Failure != nil || (r.Crowded > 0) != anyKill {
			t.Errorf("with AnyKill %t: %d crowded; %v", anyKill, r.Crowded, r.Err())
		}
		if strings.Contains(r.Bound, "could not be killed meanwhile") != anyKill {
			t.Error(r.Bound)
		}
	}
}

// TestEverything: a search that leaves something out does not cover everything, however exhaustive it was.
func TestEverything(t *testing.T) {
	for _, c := range []struct {
		what string
		r    explore.Report
		want bool
	}{
		{"all", explore.Report{Preemptions: explore.Unbounded}, true},
		{"late actors", explore.Report{Preemptions: explore.Unbounded,
			Stats: explore.Stats{Crowded: 1}}, false},
		{"delays used up", explore.Report{Preemptions: explore.Unbounded, Delays: 2,
			Stats: explore.Stats{MaxDelays: 2}}, false},
		{"delays to spare", explore.Report{Preemptions: explore.Unbounded, Delays: 2,
			Stats: explore.Stats{MaxDelays: 1}}, true},
	} {
		if c.r.Everything() {
			t.Errorf("%s: a search that was not exhaustive covers everything", c.what)
		}
		if c.r.Exhaustive = true; c.r.Everything() != c.want {
			t.Errorf("%s: everything %t", c.what, c.r.Everything())
		}
	}
}

// TestCrowd_InTurn: without a delay the actors run in the order in which they were made, whichever place they
// have.
func TestCrowd_InTurn(t *testing.T) {
	var order []int
	p := simple("turns", func() { order = nil }, func() {
		crowd(many, func(i int) { order = append(order, i) })
	})
	o := few(1)
	o.Delays = 1
	if r := mustExplore(t, p, o); r.Failure != nil || len(order) != many || !slices.IsSorted(order) {
		t.Errorf("they ran in the order %v; %v", order, r.Err())
	}
}

// crowd makes n actors.
func crowd(n int, body func(i int)) {
	for i := range n {
		flow.Go(func() { body(i) })
	}
}

// TestCrowd_Finds: a fault of two actors that never exist at the same time as the first ones is found and
// replayed.
func TestCrowd_Finds(t *testing.T) {
	var word atomic.Uint64
	p := simple("lost", func() { word.Store(0) }, func() {
		crowd(many, func(i int) {
			if i >= many-2 {
				word.Store(word.Load() + 1)
			}
		})
	})
	p.Finish = func(*explore.Execution) error {
		if word.Load() != 2 {
			return fmt.Errorf("an update is lost")
		}
		return nil
	}
	o := few(0)
	o.Delays = 1
	f := wantFailure(t, mustExplore(t, p, o), explore.Verdict)
	again, err := explore.Replay(p, f.Token, explore.Options{})
	if err != nil || again.Failure == nil || again.Failure.Table() != f.Table() {
		t.Errorf("the replay differs: %v, %v", err, again.Err())
	}
}

// TestCrowd_Waits: actors that wait, or only look, give their places to others, so all of them meet. Whoever
// waits for ever is named, with the place in the code.
func TestCrowd_Waits(t *testing.T) {
	var gate sync.WaitGroup
	var here atomic.Uint64
	reset := func() { gate = sync.WaitGroup{}; here.Store(0) }
	for name, body := range map[string]func(int){
		"wait": func(int) { gate.Done(); gate.Wait() },
		"spin": func(int) {
			for here.Add(1); here.Load() < many; {
				flow.Gosched()
			}
		},
	} {
		r := mustExplore(t, simple(name, reset, func() { gate.Add(many); crowd(many, body) }), few(3))
		if r.Failure != nil || r.Complete != 3 {
			t.Errorf("%s: %v", name, r.Err())
		}
	}
	left := 0
	p := simple("deadlock", func() { reset(); left = 0 }, func() {
		gate.Add(1)
		crowd(many, func(int) {
			defer func() { left++ }()
			gate.Wait()
		})
	})
	f := wantFailure(t, mustExplore(t, p, few(3)), explore.Deadlock)
	for i := range many {
		if name := fmt.Sprintf("A.%d", i+1); !strings.Contains(f.Message, name+" in Await at crowd_test.go") {
			t.Errorf("%s is missing: %s", name, f.Message)
		}
	}
	if len(f.Stacks) != many || left != many {
		t.Errorf("%d stacks, %d of %d bodies unwound", len(f.Stacks), left, many)
	}
	again, err := explore.Replay(p, f.Token, explore.Options{})
	if err != nil || again.Failure == nil || again.Failure.Message != f.Message {
		t.Errorf("the replay differs: %v, %v", err, again.Err())
	}
	p = simple("main", reset, func() { gate.Add(1); crowd(many, func(int) {}); gate.Wait() })
	wantFailure(t, mustExplore(t, p, few(3)), explore.Deadlock)
}

// TestCrowd_IsProof: a search covers everything although there are more actors than places, if never more
// actors can continue than there are places.
func TestCrowd_IsProof(t *testing.T) {
	var order []int
	p := simple("chain", func() { order = nil }, func() {
		gates := make([]sync.WaitGroup, many)
		var ready sync.WaitGroup
		for i := range gates {
			gates[i].Add(1)
			ready.Add(1)
			flow.Go(func() {
				ready.Done()
				gates[i].Wait()
				order = append(order, i)
				if i > 0 {
					gates[i-1].Done()
				}
			})
			ready.Wait()
		}
		gates[many-1].Done()
		gates[0].Wait()
	})
	p.Finish = func(*explore.Execution) error {
		slices.Reverse(order)
		if len(order) != many || !slices.IsSorted(order) {
			return fmt.Errorf("the order is %v", order)
		}
		return nil
	}
	o := explore.Options{Preemptions: 1, Races: true}
	r := mustExplore(t, p, o)
	if r.Failure != nil || !r.Exhaustive || r.Crowded != 0 || r.MaxActors != many+1 {
		t.Errorf("exhaustive %t, crowded %d, %d actors; %v", r.Exhaustive, r.Crowded, r.MaxActors, r.Err())
	}
}

// TestCrowd_FindsAfterWait: a fault of two actors that were without a place meanwhile is found and replayed.
func TestCrowd_FindsAfterWait(t *testing.T) {
	var word atomic.Uint64
	var gate, here sync.WaitGroup
	p := simple("waited", func() { word.Store(0); gate, here = sync.WaitGroup{}, sync.WaitGroup{} }, func() {
		gate.Add(1)
		here.Add(many)
		crowd(many, func(i int) {
			here.Done()
			gate.Wait()
			if i < 2 {
				word.Store(word.Load() + 1)
			}
		})
		here.Wait()
		gate.Done()
	})
	p.Finish = func(*explore.Execution) error {
		if word.Load() != 2 {
			return fmt.Errorf("an update is lost")
		}
		return nil
	}
	for name, o := range map[string]explore.Options{
		"delays": {Preemptions: explore.Unbounded, Delays: 1},
		"PCT":    {Walks: 2000, Strategy: explore.PCT, Depth: 2, Preemptions: explore.Unbounded},
	} {
		f := wantFailure(t, mustExplore(t, p, o), explore.Verdict)
		again, err := explore.Replay(p, f.Token, explore.Options{})
		if err != nil || again.Failure == nil || again.Failure.Table() != f.Table() {
			t.Errorf("%s: the replay differs: %v, %v", name, err, again.Err())
		}
	}
}

// TestCrowd_Fair: with Starvation an actor gets a turn although all actors with places can always continue.
func TestCrowd_Fair(t *testing.T) {
	var stop, works atomic.Uint64
	p := simple("workers", func() { stop.Store(0); works.Store(0) }, func() {
		crowd(many, func(i int) {
			if i == many-1 {
				stop.Store(1)
			}
			for stop.Load() == 0 {
				works.Add(1)
			}
		})
	})
	o := few(1)
	if r := mustExplore(t, p, o); r.StepBound != 1 {
		t.Errorf("without Starvation it ends: %v", r.Err())
	}
	o.Starvation = 10
	if r := mustExplore(t, p, o); r.Failure != nil || r.Complete != 1 {
		t.Errorf("%d complete, %v", r.Complete, r.Err())
	}
}

// TestCrowd_Races: an actor that begins late knows exactly what its maker did before it made the actor: not
// what the maker did afterwards, and not what the actor knew that had the place before.
func TestCrowd_Races(t *testing.T) {
	var mu sync.Mutex
	var n, looked int
	set := func() { *memory.Store(&n, "n")++ }
	locked := func() { mu.Lock(); set(); mu.Unlock() }
	last := func(f func()) func(int) {
		return func(i int) {
			if i == many-1 {
				f()
			}
		}
	}
	for name, c := range map[string]struct {
		races bool
		body  func()
	}{
		"before": {false, func() { set(); crowd(many, last(set)) }},
		"after":  {true, func() { crowd(many, last(set)); set() }},
		"learned": {true, func() {
			crowd(many-1, func(int) { mu.Lock(); looked++; mu.Unlock() })
			flow.Go(set)
			locked()
		}},
		"locked": {false, func() { crowd(many, last(locked)); locked() }},
		// The first actor waits without a place, and the last one has had that place.
		"waited": {true, func() {
			var gate, here sync.WaitGroup
			gate.Add(1)
			here.Add(many)
			crowd(many, func(i int) {
				if i == 0 || i == many-1 {
					set()
				}
				here.Done()
				gate.Wait()
			})
			here.Wait()
			gate.Done()
		}},
		"ended": {true, func() {
			crowd(many, func(i int) {
				if i == 0 || i == many-1 {
					set()
				}
			})
		}},
	} {
		o := few(200)
		o.Races = true
		p := simple(name, func() { n, mu = 0, sync.Mutex{} }, c.body)
		if r := mustExplore(t, p, o); (r.Failure != nil) != c.races {
			t.Errorf("%s: %v", name, r.Err())
		}
	}
}

// TestCrowd_Refused: searches that identify actors by their places have a place for each actor.
func TestCrowd_Refused(t *testing.T) {
	p := simple("many", func() {}, func() { crowd(many, func(int) {}) })
	stateful, reduced := few(3), few(3)
	stateful.Stateful, reduced.Reduce, reduced.Audit = true, true, 0
	for _, o := range []explore.Options{stateful, reduced} {
		f := wantFailure(t, mustExplore(t, p, o), explore.Unexplored)
		if !strings.Contains(f.Message, "one more than the 32 actors") {
			t.Error(f.Message)
		}
	}
}

// TestTable_Alike: if many steps in a row differ only in their values, the first and the last ones are
// shown.
func TestTable_Alike(t *testing.T) {
	f := explore.Failure{Actors: []string{"A", "B"}}
	for i := range 20 {
		f.Steps = append(f.Steps, explore.Step{Index: i, Kind: hook.Store, Old: uint64(i), New: uint64(i + 1),
			OK: true, Line: 1 + i/15*(i-14)})
	}
	table := f.Table()
	for _, want := range []string{" 0 | Store @0x0 0 -> 1", "\n      ^ and 13 more like it\n   14 |",
		"   15 |", "   19 |"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is missing in\n%s", want, table)
		}
	}
	if strings.Contains(table, "    7 |") {
		t.Error(table)
	}
}
