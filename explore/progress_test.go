package explore_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/internal/hook"
)

// spinLock is a counter behind a lock made of a compare and swap, n times.
func spinLock(n int) explore.Program {
	var lock, w *atomic.Uint64
	use := func() {
		for range n {
			for !lock.CompareAndSwap(0, 1) {
			}
			w.Store(w.Load() + 1)
			lock.Store(0)
		}
	}
	return simple("spin lock", func() { lock, w = new(atomic.Uint64), new(atomic.Uint64) }, use, use)
}

// casLoop is a counter without a lock: load, then compare and swap until it succeeds.
func casLoop() explore.Program {
	var w *atomic.Uint64
	add := func() {
		for {
			if v := w.Load(); w.CompareAndSwap(v, v+1) {
				return
			}
		}
	}
	return simple("cas loop", func() { w = new(atomic.Uint64) }, add, add, add)
}

// mutexed is a counter behind a mutex.
func mutexed() explore.Program {
	var mu *sync.Mutex
	var w *atomic.Uint64
	use := func() { mu.Lock(); w.Add(1); mu.Unlock() }
	return simple("mutex", func() { mu, w = new(sync.Mutex), new(atomic.Uint64) }, use, use)
}

// flags is obstruction-free and not lock-free: each raises its flag, looks for the other's, and
// lowers its own and starts again if it finds one.
func flags() explore.Program {
	var flag *[2]atomic.Uint32
	enter := func(me int) func() {
		return func() {
			for {
				flag[me].Store(1)
				if flag[1-me].Load() == 0 {
					return
				}
				flag[me].Store(0)
				flag[1-me].Store(0) // the other one's, too: nobody is stopped by a raised flag
			}
		}
	}
	return simple("flags", func() { flag = new([2]atomic.Uint32) }, enter(0), enter(1))
}

func soloed(stateful bool) explore.Options {
	o := unbounded()
	o.Solo, o.Stateful = 30, stateful
	return o
}

// TestSolo: an actor that has to wait for another is found, whether it spins, blocks or yields, by
// the search and by random executions; the failure is replayed and tells what the actor repeats.
func TestSolo(t *testing.T) {
	yielding := func() explore.Program {
		var flag *atomic.Uint32
		return simple("yield", func() { flag = new(atomic.Uint32) },
			func() {
				for flag.Load() == 0 {
					runtimeGosched()
				}
			},
			func() { flag.Add(0); flag.Store(1) })
	}
	for _, c := range []struct {
		p    explore.Program
		says string
	}{
		{spinLock(1), "does not end its operation within 30 accesses"},
		{mutexed(), "has to wait for somebody"},
		{yielding(), "does not end its operation within 30 accesses"},
	} {
		for _, o := range []explore.Options{soloed(false), soloed(true),
			{Preemptions: explore.Unbounded, Solo: 30, Walks: 500, Seed: 1}} {
			f := wantFailure(t, mustExplore(t, c.p, o), explore.Obstructed)
			if !strings.Contains(f.Message, c.says) || !strings.Contains(f.Token, "@") {
				t.Errorf("%s: %v", c.p.Name, f)
			}
			mustReplay(t, c.p, f)
		}
	}
	f := wantFailure(t, mustExplore(t, spinLock(1), soloed(true)), explore.Obstructed)
	if len(f.Cycles) == 0 || !strings.Contains(f.Table(), "repeats these 1 steps") {
		t.Errorf("what the actor repeats is not told:\n%s", f.Table())
	}
}

// runtimeGosched yields as the shims do it.
func runtimeGosched() {
	if s := hook.Active; s != nil {
		s.Yield()
		return
	}
	runtime.Gosched()
}

// TestSolo_Passes: a loop of compare and swap is obstruction-free. Alone it needs two accesses; an
// actor that stands ahead of a compare and swap which will fail needs that one and two more.
func TestSolo_Passes(t *testing.T) {
	for _, o := range []explore.Options{soloed(false), soloed(true),
		{Preemptions: explore.Unbounded, Solo: 30, Walks: 400, Seed: 1},
		{Preemptions: explore.Unbounded, Solo: 3, Kills: 2, Stateful: true}} {
		r := mustExplore(t, casLoop(), o)
		if r.Failure != nil || r.SoloSteps != 3 || r.Probes < 20 {
			t.Errorf("%v, %d accesses, %d runs: %s", r.Err(), r.SoloSteps, r.Probes, r.Bound)
		}
		if !strings.Contains(r.Bound, "every live actor alone ended its operation within 3 of its own") {
			t.Error(r.Bound)
		}
	}
	o := soloed(true)
	o.Solo = 2
	f := wantFailure(t, mustExplore(t, casLoop(), o), explore.Obstructed)
	mustReplay(t, casLoop(), f)
	o = soloed(true)
	o.Preemptions = 1
	if r := mustExplore(t, flags(), o); r.Failure != nil || r.SoloSteps != 6 {
		t.Errorf("flags: %v, %d accesses", r.Failure, r.SoloSteps)
	}
}

// TestSolo_EachStateOnce: two actors of three accesses, each to a word of its own, have 16 states;
// in 12 of them A is alive, in 12 B, and each is probed once for each.
func TestSolo_EachStateOnce(t *testing.T) {
	for _, stateful := range []bool{false, true} {
		o := withoutAudit(soloed(stateful))
		r := mustExplore(t, smallProgram(t, "priv2x3").program(nil, false), o)
		if r.Probes != 24 || r.SoloSteps != 3 || !strings.Contains(r.Bound, "from each of 16 states") {
			t.Errorf("stateful %t: %d runs, %d accesses: %s", stateful, r.Probes, r.SoloSteps, r.Bound)
		}
	}
}

// TestSolo_ChangesNothing: the probes leave the search as it is.
func TestSolo_ChangesNothing(t *testing.T) {
	for _, name := range []string{"race2x2", "cas3x1", "ctr2x6"} {
		for _, stateful := range []bool{false, true} {
			with, without := map[string]int{}, map[string]int{}
			o := withoutAudit(soloed(stateful))
			a := mustExplore(t, smallProgram(t, name).program(with, false), o)
			o.Solo = 0
			b := mustExplore(t, smallProgram(t, name).program(without, false), o)
			if a.Executions != b.Executions || a.Steps != b.Steps || fmt.Sprint(with) != fmt.Sprint(without) {
				t.Errorf("%s: %d executions with probes, %d without", name, a.Executions, b.Executions)
			}
		}
	}
}

// TestSolo_Claims: an actor's own claim goes before the common limit, in both directions.
func TestSolo_Claims(t *testing.T) {
	p := casLoop()
	start := p.Start
	claim := func(alone, always int) explore.Program {
		p.Start = func(x *explore.Execution) []explore.Actor {
			as := append([]explore.Actor(nil), start(x)...)
			as[1].Alone, as[1].Always = alone, always
			return as
		}
		return p
	}
	o := soloed(true)
	wantFailure(t, mustExplore(t, claim(2, 0), o), explore.Obstructed)
	o.Solo = 2
	if f := mustExplore(t, claim(3, 0), o).Failure; f == nil || !strings.HasPrefix(f.Message, "A ") &&
		!strings.HasPrefix(f.Message, "C ") {
		t.Errorf("B claims 3, the others have 2: %v", f)
	}
	// Two others can make B fail twice: 2 accesses each time, and 2 that succeed.
	if r := mustExplore(t, claim(0, 6), unbounded()); r.Failure != nil {
		t.Error(r.Failure)
	}
	f := wantFailure(t, mustExplore(t, claim(0, 5), unbounded()), explore.NotWaitFree)
	mustReplay(t, claim(0, 5), f)
}

// TestLockFree: of the spin lock and the mutual flags some schedule ends no operation for long, of
// the loop of compare and swap none does: between two ends each of the three actors makes at most
// four accesses, of which the last of all ends an operation.
func TestLockFree(t *testing.T) {
	o := unbounded()
	o.LockFree, o.Stateful = 20, true
	for _, p := range []explore.Program{spinLock(1), flags()} {
		f := wantFailure(t, mustExplore(t, p, o), explore.NotLockFree)
		if !strings.Contains(f.Message, "no operation ended within 20 accesses") ||
			!strings.Contains(f.Token, "l20~") {
			t.Errorf("%s: %v", p.Name, f)
		}
		mustReplay(t, p, f)
	}
	r := mustExplore(t, casLoop(), o)
	if r.Failure != nil || r.LongestGap > 12 || r.LongestGap < 4 ||
		!strings.Contains(r.Bound, "lock-free: some operation ended within every") {
		t.Errorf("%v, %d accesses: %s", r.Err(), r.LongestGap, r.Bound)
	}
	o.Kills = 2
	if r := mustExplore(t, casLoop(), o); r.Failure != nil {
		t.Error(r.Failure)
	}
}

// TestLivelock_Cycle: the report of a livelock tells what each actor repeats.
func TestLivelock_Cycle(t *testing.T) {
	var flag *[2]atomic.Uint32
	wait := func(i int) func() {
		return func() {
			for flag[i].Load() == 0 || flag[i].Load() == 7 {
			}
		}
	}
	p := simple("wait", func() { flag = new([2]atomic.Uint32) }, wait(0), wait(1))
	f := wantFailure(t, mustExplore(t, p, explore.Options{}), explore.Livelock)
	if len(f.Cycles) != 2 || len(f.Cycles[0].Steps) != 1 || f.Cycles[0].Times < 50 || !f.Cycles[0].Same {
		t.Errorf("cycles %+v", f.Cycles)
	}
	if !strings.Contains(f.Table(), "A repeats these 1 steps (") ||
		!strings.Contains(f.Table(), "progress_test.go:") {
		t.Error(f.Table())
	}
	f = wantFailure(t, mustExplore(t, tickers(), explore.Options{}), explore.Livelock)
	// Three accesses in a round, and two values by turns.
	if len(f.Cycles) != 2 || len(f.Cycles[1].Steps) != 6 || !f.Cycles[1].Same {
		t.Errorf("a loop that counts to two: %+v", f.Cycles)
	}
}

// TestLivelock_SetsAsideByOneRule: a waiter is called livelocked after three times SpinLimit looks without a
// change, however many steps of its own came before them: no two rules set it aside within fewer.
func TestLivelock_SetsAsideByOneRule(t *testing.T) {
	var w *[2]atomic.Uint64
	for _, limit := range []int{4, 5, 8} {
		for before := range 3 * limit {
			looks := 0
			p := simple("waits", func() { w, looks = new([2]atomic.Uint64), 0 }, func() {
				for i := range before {
					w[1].Store(uint64(i*i) + 1) // a change, and no circle
				}
				for w[0].Load() == 0 {
					looks++
				}
			})
			o := explore.Options{SpinLimit: limit, Audit: -1}
			var told int
			p.Step = func(*explore.Execution, explore.Step) error { told = looks; return nil }
			f := wantFailure(t, mustExplore(t, p, o), explore.Livelock)
			if told+1 != 3*limit || !strings.Contains(f.Message, fmt.Sprintf("(%d steps)", before+3*limit)) {
				t.Errorf("limit %d, %d steps before: livelocked after %d looks, want %d; %s", limit, before,
					told+1, 3*limit, f.Message)
			}
		}
	}
}

// tickers count to two without end, each waiting for a flag that nobody raises.
func tickers() explore.Program {
	var w *[3]atomic.Uint64
	tick := func(i int) func() {
		return func() {
			for w[2].Load() == 0 {
				w[i].Store(w[i].Load()%2 + 1)
			}
		}
	}
	return simple("tickers", func() { w = new([3]atomic.Uint64) }, tick(0), tick(1))
}

func TestClaims_BadOptions(t *testing.T) {
	for want, o := range map[string]explore.Options{
		"Solo is -1":         {Solo: -1},
		"larger SpinLimit":   {LockFree: 50},
		"what was probed":    {Solo: 5, Checkpoint: &explore.Checkpoint{File: "x"}},
		"LockFree is -3; us": {LockFree: -3},
	} {
		if _, err := explore.Explore(casLoop(), o); !errors.Is(err, explore.ErrOptions) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	for _, schedule := range []string{"@", "@a", "@9", "@a0", "@a99999999"} {
		token := seal("sx1~cas+loop~k0a0b0p-1m100s50~" + schedule)
		if _, err := explore.Replay(casLoop(), token, explore.Options{}); !errors.Is(err, explore.ErrToken) {
			t.Errorf("%s: %v", schedule, err)
		}
	}
	if _, err := explore.Replay(casLoop(), seal("sx1~cas+loop~k0a0b0p-1m100s50lx~a"),
		explore.Options{}); !errors.Is(err, explore.ErrToken) {
		t.Errorf("lx: %v", err)
	}
}
