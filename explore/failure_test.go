package explore_test

//lint:file-ignore SA2001 a lock that is taken and given back is a step of the programs here

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/sync"
)

// simple makes a program of bodies over whatever reset puts into its initial state.
func simple(name string, reset func(), bodies ...func()) explore.Program {
	actors := make([]explore.Actor, len(bodies))
	for i, b := range bodies {
		actors[i] = explore.Actor{Name: string(rune('A' + i)), Body: b}
	}
	return explore.Program{Name: name, Start: func(*explore.Execution) []explore.Actor {
		reset()
		return actors
	}}
}

func wantFailure(t *testing.T, r explore.Report, k explore.FailureKind) *explore.Failure {
	t.Helper()
	if r.Failure == nil {
		t.Fatalf("no failure, want %s; %s", k, r.Bound)
	}
	if r.Failure.Kind != k {
		t.Fatalf("failure is %s, want %s\n%s", r.Failure.Kind, k, r.Failure.Table())
	}
	if r.Exhaustive {
		t.Errorf("a failed search says that it is exhaustive")
	}
	return r.Failure
}

// mustReplay replays the failure, and expects the same failure.
func mustReplay(t *testing.T, p explore.Program, f *explore.Failure) {
	t.Helper()
	r, err := explore.Replay(p, f.Token, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := wantFailure(t, r, f.Kind)
	// Not the stacks: a stack of Go names the arguments' addresses, which differ from run to run.
	if g.Message != f.Message || g.Token != f.Token || !slices.Equal(g.Steps, f.Steps) {
		t.Errorf("replay differs:\n%s\nfrom\n%s", g.Table(), f.Table())
	}
}

func TestInjectedFaultsAreFound(t *testing.T) {
	for _, s := range smallPrograms() {
		if s.check == nil {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			p := s.program(nil, true)
			for _, stateful := range []bool{false, true} {
				o := unbounded()
				o.Stateful = stateful
				r := mustExplore(t, p, o)
				if !s.bad {
					if r.Failure != nil {
						t.Errorf("false alarm:\n%s", r.Failure.Table())
					}
					continue
				}
				mustReplay(t, p, wantFailure(t, r, explore.Verdict))
			}
		})
	}
}

// TestAscendingIsShortest: the first failure of an ascending search has the fewest preemptions.
// zig2x4 fails in one of its 70 orders only, the one that alternates: T0 and T1 by turns, eight
// steps, seven switches, of which the last (T0 has ended) is free.
func TestAscendingIsShortest(t *testing.T) {
	for _, s := range smallPrograms() {
		want, ok := map[string]int{"race2x1": 1, "late": 1, "zig2x4": 6}[s.name]
		if !ok {
			continue
		}
		p := s.program(nil, true)
		r, err := explore.Ascending(p, explore.Options{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		if f := wantFailure(t, r, explore.Verdict); f.Preemptions != want {
			t.Errorf("%s: %d preemptions, want %d\n%s", s.name, f.Preemptions, want, f.Table())
		}
	}
}

// TestAscendingKnowsTheEnd: two actors of three accesses have at most four preemptions (the last
// switch is from an actor that has ended), so bound 5 is found to cover all 20 orders.
func TestAscendingKnowsTheEnd(t *testing.T) {
	for _, s := range smallPrograms() {
		if s.name != "ctr2x3" {
			continue
		}
		r, err := explore.Ascending(s.program(nil, true), explore.Options{}, 50)
		if err != nil {
			t.Fatal(err)
		}
		if r.Preemptions != 5 || r.Complete != 20 || !strings.Contains(r.Bound, "these are all") {
			t.Errorf("bound %d, %d orders: %s", r.Preemptions, r.Complete, r.Bound)
		}
	}
}

// TestBoundsAreSubsets: raising the bound only adds outcomes, up to all of them, and the state
// cut changes none of the sets.
func TestBoundsAreSubsets(t *testing.T) {
	for _, s := range smallPrograms() {
		if s.orders > 2000 {
			continue
		}
		last := map[string]int{}
		for bound := 0; bound <= 9; bound++ {
			got, cut := map[string]int{}, map[string]int{}
			o := explore.Options{Preemptions: bound}
			mustExplore(t, s.program(got, false), o)
			o.Stateful = true
			mustExplore(t, s.program(cut, false), o)
			if keysOf(got) != keysOf(cut) {
				t.Errorf("%s, bound %d: stateful %d outcomes, stateless %d",
					s.name, bound, len(cut), len(got))
			}
			for k := range last {
				if got[k] == 0 {
					t.Errorf("%s: bound %d lost outcome %s", s.name, bound, k)
				}
			}
			last = got
		}
		if s.name != "ctr2x6" && len(last) != s.outcomes {
			t.Errorf("%s: %d outcomes at bound 9, want %d", s.name, len(last), s.outcomes)
		}
	}
}

func abba() explore.Program {
	var a, b *sync.Mutex
	lock := func(x, y **sync.Mutex) func() {
		return func() { (*x).Lock(); (*y).Lock(); (*y).Unlock(); (*x).Unlock() }
	}
	return simple("abba", func() { a, b = new(sync.Mutex), new(sync.Mutex) },
		lock(&a, &b), lock(&b, &a))
}

func TestDeadlock(t *testing.T) {
	r, err := explore.Ascending(abba(), explore.Options{}, 3)
	if err != nil {
		t.Fatal(err)
	}
	f := wantFailure(t, r, explore.Deadlock)
	if f.Preemptions != 1 ||
		!strings.HasPrefix(f.Message, "no actor can go on: A, B wait for ever; A in Lock at failure_test") {
		t.Errorf("%d preemptions, want 1; %s", f.Preemptions, f.Message)
	}
	if len(f.Stacks) != 2 || !strings.Contains(f.Stacks[0], "failure_test.go") {
		t.Errorf("stacks %q do not lead to the Lock calls", f.Stacks)
	}
	mustReplay(t, abba(), f)
	o := unbounded()
	o.BlockedOK = true
	if r := mustExplore(t, abba(), o); r.Failure != nil || r.Blocked == 0 {
		t.Errorf("BlockedOK: failure %v, %d blocked", r.Failure, r.Blocked)
	}
	for _, s := range f.Stacks {
		t.Log(s)
	}
}

// TestStuck: the program excuses some of the waits, and the search continues up to the first wait that it
// does not excuse.
func TestStuck(t *testing.T) {
	p, seen := abba(), 0
	p.Stuck = func(*explore.Execution) error { seen++; return nil }
	if r := mustExplore(t, p, unbounded()); r.Failure != nil || r.Blocked == 0 || !r.Exhaustive {
		t.Errorf("all excused: failure %v, %d blocked, exhaustive %t", r.Failure, r.Blocked, r.Exhaustive)
	}
	late, left := errors.New("too late"), seen-1
	p.Stuck = func(*explore.Execution) error {
		if left--; left >= 0 {
			return nil
		}
		return late
	}
	f := wantFailure(t, mustExplore(t, p, explore.Options{Preemptions: explore.Unbounded, Audit: -1}),
		explore.Deadlock)
	if !errors.Is(f.Err, late) || !strings.Contains(f.Message, "; too late; A in Lock at ") {
		t.Errorf("message %q, error %v", f.Message, f.Err)
	}
	var word atomic.Uint32
	spins := simple("spins", func() {}, func() {
		for word.Load() == 0 {
		}
	})
	spins.Stuck = func(*explore.Execution) error { return nil }
	if r := mustExplore(t, spins, unbounded()); r.Failure != nil || r.Blocked != 1 {
		t.Errorf("a livelock is excused: failure %v, %d blocked", r.Failure, r.Blocked)
	}
}

// TestLivelock: both actors raise a flag, see the other's flag, lower their own, and try again.
func TestLivelock(t *testing.T) {
	var flag *[2]atomic.Uint32
	enter := func(me int) func() {
		return func() {
			for {
				flag[me].Store(1)
				if flag[1-me].Load() == 0 {
					break
				}
				flag[me].Store(0)
			}
			flag[me].Store(0)
		}
	}
	p := simple("flags", func() { flag = new([2]atomic.Uint32) }, enter(0), enter(1))
	r, err := explore.Ascending(p, explore.Options{}, 3)
	if err != nil {
		t.Fatal(err)
	}
	f := wantFailure(t, r, explore.Livelock)
	mustReplay(t, p, f)
	// The loop is three steps: raise, look, lower.
	if !strings.Contains(f.Table(), "^ 3 steps, ") || len(f.Stacks) != 2 {
		t.Errorf("the circle is not shown:\n%s", f.Table())
	}
	t.Logf("\n%s", f.Table())
}

// TestReadOnlyLivelock: each actor waits for the other's flag, and none writes.
func TestReadOnlyLivelock(t *testing.T) {
	var flag *[2]atomic.Uint32
	wait := func(i int) func() {
		return func() {
			for flag[i].Load() == 0 {
			}
			flag[1-i].Store(1)
		}
	}
	p := simple("wait", func() { flag = new([2]atomic.Uint32) }, wait(0), wait(1))
	f := wantFailure(t, mustExplore(t, p, explore.Options{}), explore.Livelock)
	mustReplay(t, p, f)
}

// TestSpinTerminates: one actor waits for the other's flag, and every schedule ends.
func TestSpinTerminates(t *testing.T) {
	var flag *atomic.Uint32
	p := simple("spin", func() { flag = new(atomic.Uint32) },
		func() {
			for flag.Load() == 0 {
			}
		},
		func() { flag.Store(1) })
	for _, limit := range []int{4, 50} {
		o := unbounded()
		o.SpinLimit = limit
		r := mustExplore(t, p, o)
		// The store comes after 0 to limit loads: the reader is set aside then.
		if r.Failure != nil || !r.Exhaustive || r.Executions != uint64(limit)+1 {
			t.Errorf("limit %d: %v, exhaustive %t, %d executions",
				limit, r.Err(), r.Exhaustive, r.Executions)
		}
	}
}

func TestStepBound(t *testing.T) {
	var n *atomic.Uint64
	p := simple("forever", func() { n = new(atomic.Uint64) }, func() {
		for {
			n.Add(1)
		}
	})
	o := explore.Options{MaxSteps: 100}
	r := mustExplore(t, p, o)
	if r.Failure != nil || r.Exhaustive || r.StepBound != 1 || r.Complete != 0 {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(r.Bound, "hit the step bound of 100 accesses 1 time,") {
		t.Errorf("bound: %s", r.Bound)
	}
}

func TestPanicAndInvariant(t *testing.T) {
	var w *atomic.Uint64
	errOdd := errors.New("word is 2")
	p := simple("panic", func() { w = new(atomic.Uint64) },
		func() { w.Add(1) },
		func() {
			if w.Load() == 1 {
				panic("saw it")
			}
		})
	f := wantFailure(t, mustExplore(t, p, unbounded()), explore.Panicked)
	if !strings.Contains(f.Message, "actor B panicked: saw it") || len(f.Stacks) != 1 {
		t.Errorf("%s, %d stacks", f.Message, len(f.Stacks))
	}
	p = simple("invariant", func() { w = new(atomic.Uint64) },
		func() { w.Add(1) }, func() { w.Add(1) })
	p.Step = func(x *explore.Execution, s explore.Step) error {
		if s.Kind.Access() && s.New == 2 && w.Load() == 2 {
			return errOdd
		}
		return nil
	}
	f = wantFailure(t, mustExplore(t, p, unbounded()), explore.Invariant)
	if !errors.Is(f, errOdd) {
		t.Errorf("%v does not wrap the program's error", f)
	}
	mustReplay(t, p, f)
	p.Finish = func(*explore.Execution) error { panic("verdict") }
	p.Step = nil
	wantFailure(t, mustExplore(t, p, unbounded()), explore.Panicked)
}

// TestTable: the rendered failure names the lines and functions of the explored code.
func TestTable(t *testing.T) {
	for _, s := range smallPrograms() {
		if s.name != "race2x1" {
			continue
		}
		f := wantFailure(t, mustExplore(t, s.program(nil, true), unbounded()), explore.Verdict)
		table := f.Table()
		for _, want := range []string{"T0", "T1", "-- switch --", "explore_test.look",
			"explore_test.raceInsert", "Store @0x0 2 -> 1", "token: sx1~race2x1~"} {
			if !strings.Contains(table, want) {
				t.Errorf("no %q in\n%s", want, table)
			}
		}
		t.Logf("\n%s", table)
	}
}

func TestNondeterminismIsFound(t *testing.T) {
	var w *[2]atomic.Uint64
	calls := 0
	p := simple("global counter", func() { w = new([2]atomic.Uint64) },
		func() { calls++; w[0].Store(uint64(calls)) }, func() { w[1].Load() })
	f := wantFailure(t, mustExplore(t, p, unbounded()), explore.Nondeterminism)
	if !strings.Contains(f.Message, "step 1 is Store") {
		t.Errorf("the first differing step is not named: %s", f.Message)
	}
	// Without double runs a change of the options is still noticed.
	calls = 0
	p = simple("more steps", func() { w = new([2]atomic.Uint64) },
		func() {
			w[0].Add(1)
			if calls++; calls%3 == 0 {
				w[0].Add(1)
			}
		},
		func() { w[1].Load(); w[1].Load() }, func() { w[1].Add(1) })
	o := unbounded()
	o.Audit = -1
	wantFailure(t, mustExplore(t, p, o), explore.Nondeterminism)
	// So is a failure that the same decisions do not lead to again.
	p = simple("once", func() { w = new([2]atomic.Uint64) }, func() { w[0].Load() }, func() { w[1].Load() })
	p.Finish = func(x *explore.Execution) error {
		if x.Again() {
			return nil
		}
		return errors.New("bad luck")
	}
	if f := wantFailure(t, mustExplore(t, p, o), explore.Nondeterminism); !strings.Contains(f.Message,
		"bad luck; a second run of the same decisions did not fail so") {
		t.Error(f.Message)
	}
}

func TestContextAndProgress(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var n *atomic.Uint64
	add := func() {
		for range 12 {
			n.Add(1)
		}
	}
	p := simple("long", func() { n = new(atomic.Uint64) }, add, add, add)
	o := unbounded()
	o.Context = ctx
	calls := 0
	o.Progress = func(s explore.Stats) {
		if calls++; s.Executions == 0 || s.Elapsed == 0 {
			t.Errorf("progress without figures: %+v", s)
		}
		cancel()
	}
	r := mustExplore(t, p, o)
	if calls == 0 || r.Exhaustive || r.Failure != nil {
		t.Errorf("%d calls, exhaustive %t, %v", calls, r.Exhaustive, r.Err())
	}
	if !strings.Contains(r.Bound, "stopped before the end") {
		t.Errorf("bound: %s", r.Bound)
	}
	o = unbounded()
	o.MaxExecutions = 10
	if r := mustExplore(t, p, o); r.Executions != 10 || r.Exhaustive {
		t.Errorf("%d executions, exhaustive %t", r.Executions, r.Exhaustive)
	}
}

func TestBadOptions(t *testing.T) {
	p := simple("x", func() {}, func() {})
	for _, o := range []explore.Options{
		{Preemptions: -2}, {Kills: -1}, {MaxSteps: -1}, {SpinLimit: 2},
		{Walks: 1, Stateful: true},
	} {
		if _, err := explore.Explore(p, o); !errors.Is(err, explore.ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := explore.Explore(explore.Program{}, explore.Options{}); !errors.Is(err,
		explore.ErrProgram) {
		t.Errorf("no Start: %v", err)
	}
}

func TestWalks(t *testing.T) {
	for _, s := range smallPrograms() {
		if s.name != "ctr2x3" {
			continue
		}
		got := map[string]int{}
		r := mustExplore(t, s.program(got, false),
			explore.Options{Preemptions: explore.Unbounded, Walks: 2000, Seed: 7})
		// 20 outcomes, the rarest with probability 2^-5: missing one has odds below 1e-26.
		if len(got) != 20 || r.Executions != 2000 || r.Exhaustive {
			t.Errorf("%d outcomes of 20 in %d walks", len(got), r.Executions)
		}
	}
}
