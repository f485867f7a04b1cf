package explore_test

//lint:file-ignore SA2001 a lock that is taken and given back is a step of the programs here

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/sync"
)

func reduced() explore.Options {
	return explore.Options{Preemptions: explore.Unbounded, Reduce: true}
}

// smallClasses are the classes of executions of the small programs. Those of programs without
// CompareAndSwap are the traces that the brute-force enumeration behind smallPrograms counted. With
// it there the enumeration took a failed one for a write; here it reads, and as each actor tells
// all that it reads, there is a class for each outcome and no other.
var smallClasses = map[string]uint64{
	"empty2": 1, "priv2x3": 1, "ctr2x3": 20, "ctr3x2": 90, "ctr2x6": 924, "ctr3x3": 1680,
	"alt2x3": 10, "altopp2x3": 7, "alt3x3": 342, "sb": 3, "hole": 4, "race2x1": 4, "race2x2": 18,
	"late": 4, "cas2x1": 4, "cas2x2": 16, "casfind2x2": 8, "cas3x1": 48, "cas3x2": 144,
}

// TestReducedCounts holds the reduced search of the small programs against the other searches: the
// same outcomes, and one execution of each class.
func TestReducedCounts(t *testing.T) {
	for _, s := range smallPrograms() {
		t.Run(s.name, func(t *testing.T) {
			all, got := map[string]int{}, map[string]int{}
			o := unbounded()
			o.Stateful = true // TestCounts holds it against the plain search
			mustExplore(t, s.program(all, false), o)
			r := mustExplore(t, s.program(got, false), withoutAudit(reduced()))
			if r.Failure != nil {
				t.Fatal(r.Failure.Table())
			}
			if keysOf(got) != keysOf(all) {
				t.Errorf("outcomes\n%s\nwant\n%s", keysOf(got), keysOf(all))
			}
			if want := smallClasses[s.name]; want != 0 && r.Classes != want {
				t.Errorf("%d classes, want %d", r.Classes, want)
			}
			if r.Executions != r.Classes || r.Repeated != 0 || r.SleepBlocked != 0 || !r.Exhaustive {
				t.Errorf("%d executions of %d classes, %d repeated, %d cut; exhaustive %t",
					r.Executions, r.Classes, r.Repeated, r.SleepBlocked, r.Exhaustive)
			}
			if !strings.Contains(r.Bound, fmt.Sprintf("reduced to %d classes", r.Classes)) {
				t.Errorf("the bound does not tell: %s", r.Bound)
			}
		})
	}
}

// locked has two actors that take a lock and note, in plain memory, who came first.
func locked(got map[string]int) explore.Program {
	var mu *sync.Mutex
	var order []int
	body := func(me int) func() {
		return func() { mu.Lock(); order = append(order, me); mu.Unlock() }
	}
	p := simple("locked", func() { mu, order = new(sync.Mutex), nil }, body(0), body(1))
	p.Finish = func(*explore.Execution) error { got[fmt.Sprint(order)]++; return nil }
	return p
}

// independent has two actors that touch nothing in common, and notes which operation came first.
func independent(got map[string]int) explore.Program {
	var words *[2]atomic.Uint64
	var x *explore.Execution
	clock, calls, returns := 0, [2]int{}, [2]int{}
	body := func(me int) func() {
		return func() {
			clock++
			calls[me] = clock
			x.Mark(uint64(me))
			words[me].Store(1)
			clock++
			returns[me] = clock
			x.Mark(uint64(me) + 2)
		}
	}
	p := simple("independent", func() { words, clock = new([2]atomic.Uint64), 0 }, body(0), body(1))
	start := p.Start
	p.Start = func(now *explore.Execution) []explore.Actor { x = now; return start(now) }
	p.Finish = func(*explore.Execution) error {
		got[fmt.Sprint(returns[0] < calls[1], returns[1] < calls[0])]++
		return nil
	}
	return p
}

// TestReducedHistories: two operations that touch nothing in common have one class. If histories
// count there are two: each is one step, so one of the two precedes the other.
func TestReducedHistories(t *testing.T) {
	got := map[string]int{}
	r := mustExplore(t, independent(got), withoutAudit(reduced()))
	if r.Classes != 1 || r.Executions != 1 {
		t.Errorf("without histories: %d executions, %d classes, want 1", r.Executions, r.Classes)
	}
	o := withoutAudit(reduced())
	o.Histories = true
	got = map[string]int{}
	r = mustExplore(t, independent(got), o)
	if r.Classes != 2 || r.Executions != 2 || keysOf(got) != "false true\ntrue false" {
		t.Errorf("with histories: %d executions, %d classes, %v; want 2", r.Executions, r.Classes, got)
	}
}

// TestReducedFaults is the canary of the comparisons above: with each wrong dependency relation at
// least one program loses an outcome. The counts of a sound search are known by hand or from
// smallPrograms.
func TestReducedFaults(t *testing.T) {
	programs := map[string]struct {
		make func(map[string]int) explore.Program
		want int
	}{
		"locked": {locked, 2}, "independent": {independent, 2},
	}
	for _, s := range smallPrograms() {
		if s.outcomes < 100 {
			make := func(got map[string]int) explore.Program { return s.program(got, false) }
			programs[s.name] = struct {
				make func(map[string]int) explore.Program
				want int
			}{make, s.outcomes}
		}
	}
	lost := func() (names []string) {
		for name, p := range programs {
			got := map[string]int{}
			o := withoutAudit(reduced())
			o.Histories = name == "independent"
			if mustExplore(t, p.make(got), o); len(got) != p.want {
				names = append(names, name)
			}
		}
		return sorted(names)
	}
	if names := lost(); len(names) > 0 {
		t.Fatalf("without a fault %v lose outcomes", names)
	}
	for name, fault := range explore.Faults {
		explore.WithFault(fault, func() {
			if names := lost(); len(names) == 0 {
				t.Errorf("%s: no program lost an outcome", name)
			} else {
				t.Logf("%s: noticed in %v", name, names)
			}
		})
	}
}

// TestReducedReplay: the tokens of a reduced search replay, also with deaths, data choices, locks
// and actors that were set aside.
func TestReducedReplay(t *testing.T) {
	var flag, w *atomic.Uint32
	spin := simple("wait", func() { flag, w = new(atomic.Uint32), new(atomic.Uint32) },
		func() {
			for flag.Load() == 0 {
			}
			w.Add(1)
		},
		func() { w.Store(5); w.Store(6); flag.Store(1) })
	tokens := map[string]string{}
	spin.Finish = func(x *explore.Execution) error {
		if v := w.Load(); v != 7 && !x.Killed(0) && !x.Killed(1) {
			return fmt.Errorf("the word is %d", v)
		}
		if token := x.Token(); token != "" {
			tokens[token] = ""
		}
		return nil
	}
	o := reduced()
	o.SpinLimit = 4
	if r := mustExplore(t, spin, o); r.Failure != nil || len(tokens) < 2 {
		t.Fatalf("%v, %d tokens", r.Err(), len(tokens))
	}
	for token := range tokens {
		if r, err := explore.Replay(spin, token, explore.Options{}); err != nil || r.Failure != nil {
			t.Errorf("%s: %v %v", token, err, r.Err())
		}
	}
	o.Kills = 1 // of who sets the flag
	mustReplay(t, spin, wantFailure(t, mustExplore(t, spin, o), explore.Livelock))
	for _, s := range smallPrograms() {
		if s.bad {
			f := wantFailure(t, mustExplore(t, s.program(nil, true), reduced()), explore.Verdict)
			mustReplay(t, s.program(nil, true), f)
		}
	}
}

// TestReducedDeadlock: a deadlock is found, and those allowed are all there: the two orders of two
// locks taken crosswise end in one deadlock and two ways through.
func TestReducedDeadlock(t *testing.T) {
	var a, b *sync.Mutex
	cross := simple("cross", func() { a, b = new(sync.Mutex), new(sync.Mutex) },
		func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() },
		func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
	mustReplay(t, cross, wantFailure(t, mustExplore(t, cross, reduced()), explore.Deadlock))
	o := withoutAudit(reduced())
	o.BlockedOK = true
	if r := mustExplore(t, cross, o); r.Blocked != 1 || r.Complete != 2 {
		t.Errorf("%d deadlocks and %d ways through, want 1 and 2", r.Blocked, r.Complete)
	}
}

// TestReducedCond: a Signal by who does not hold the lock may come too early, and the waiter sleeps
// for ever.
func TestReducedCond(t *testing.T) {
	var cond *sync.Cond
	p := simple("cond", func() { cond = sync.NewCond(new(sync.Mutex)) },
		func() { cond.L.Lock(); cond.Wait(); cond.L.Unlock() }, func() { cond.Signal() })
	o := withoutAudit(reduced())
	o.BlockedOK = true
	if r := mustExplore(t, p, o); r.Blocked != 1 || r.Complete != 1 {
		t.Errorf("%d executions sleep for ever and %d end, want 1 of each", r.Blocked, r.Complete)
	}
}

// TestReducedBoundedWait: the longest wait is SpinLimit looks without a change, so an actor that
// looks n times, fewer than that, sees the change after 0 to n looks: n+1 classes.
func TestReducedBoundedWait(t *testing.T) {
	var w *atomic.Uint32
	for n := range 6 {
		p := simple("looks", func() { w = new(atomic.Uint32) },
			func() {
				for range n {
					if w.Load() != 0 {
						return
					}
				}
			}, func() { w.Store(1) })
		r := mustExplore(t, p, withoutAudit(reduced()))
		if r.Classes != uint64(n)+1 || r.Executions != r.Classes {
			t.Errorf("%d looks: %d executions, %d classes, want %d", n, r.Executions, r.Classes, n+1)
		}
	}
}

// TestReducedNondeterminism: a program that does not repeat itself is found out.
func TestReducedNondeterminism(t *testing.T) {
	runs := 0
	var w *atomic.Uint32
	p := simple("moody", func() { w = new(atomic.Uint32); runs++ },
		func() {
			w.Load()
			if runs%2 == 0 {
				w.Store(2)
			}
		}, func() { w.Store(1); w.Store(3) })
	wantFailure(t, mustExplore(t, p, reduced()), explore.Nondeterminism)
	wantFailure(t, mustExplore(t, p, withoutAudit(reduced())), explore.Nondeterminism)
}

// TestReducedRefuses holds which options are refused together, and that the error says why.
func TestReducedRefuses(t *testing.T) {
	for why, o := range map[string]explore.Options{
		"a preemption bound":       {Reduce: true},
		"Reduce with Stateful":     {Reduce: true, Preemptions: explore.Unbounded, Stateful: true},
		"Reduce with Walks":        {Reduce: true, Preemptions: explore.Unbounded, Walks: 1},
		"Reduce with AnyKill":      {Reduce: true, Preemptions: explore.Unbounded, AnyKill: true, Kills: 1},
		"Reduce with Shards":       {Reduce: true, Preemptions: explore.Unbounded, Shards: 2},
		"Reduce with Solo":         {Reduce: true, Preemptions: explore.Unbounded, Solo: 3},
		"Histories without Reduce": {Preemptions: explore.Unbounded, Histories: true},
	} {
		_, err := explore.Explore(locked(map[string]int{}), o)
		if !errors.Is(err, explore.ErrOptions) || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", why, err)
		}
	}
}

// BenchmarkReduce measures the reduced search of programs of the comparison with other tools.
func BenchmarkReduce(b *testing.B) {
	for _, s := range smallPrograms() {
		switch s.name {
		case "alt3x3", "cas2x2", "cas3x2":
			b.Run(s.name, func(b *testing.B) { benchmark(b, s.program(nil, true), reduced()) })
		}
	}
}
