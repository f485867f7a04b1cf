package explore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/internal/hook"
)

func killing(n int) explore.Options {
	return explore.Options{Preemptions: explore.Unbounded, Kills: n}
}

// halfWriter writes two words that belong together, with deferred code that would tidy up.
func halfWriter(seen map[string]int) explore.Program {
	var w *[3]atomic.Uint64
	var pair [2]uint64
	p := simple("two words", func() { w, pair = new([3]atomic.Uint64), [2]uint64{} },
		func() {
			defer w[2].Store(1)
			w[0].Store(1)
			w[1].Store(1)
		},
		func() { pair = [2]uint64{w[0].Load(), w[1].Load()} })
	p.Finish = func(x *explore.Execution) error {
		if x.Killed(1) {
			return nil
		}
		seen[fmt.Sprintf("%t %d left %d %d %d",
			x.Killed(0), pair, w[0].Load(), w[1].Load(), w[2].Load())]++
		return nil
	}
	return p
}

// TestKill: the survivor of a two-word write that is cut finds it half done; deferred code of
// the dead writes nothing. Expected by hand: A is dead after its first or its second store, never
// after the third, which ends it.
func TestKill(t *testing.T) {
	for _, stateful := range []bool{false, true} {
		seen := map[string]int{}
		o := killing(1)
		o.Stateful = stateful
		r := mustExplore(t, halfWriter(seen), o)
		if r.Failure != nil || !r.Exhaustive || r.Killed == 0 {
			t.Fatalf("%v, exhaustive %t, %d killed", r.Err(), r.Exhaustive, r.Killed)
		}
		for _, want := range []string{
			"true [0 0] left 1 0 0", "true [0 0] left 1 1 0", "true [1 0] left 1 0 0",
			"true [1 0] left 1 1 0", "true [1 1] left 1 1 0", "true [0 1] left 1 1 0",
			"false [0 0] left 1 1 1", "false [1 0] left 1 1 1", "false [0 1] left 1 1 1",
			"false [1 1] left 1 1 1",
		} {
			if seen[want] == 0 {
				t.Errorf("stateful %t: not seen: %s", stateful, want)
			}
			delete(seen, want)
		}
		for s := range seen {
			t.Errorf("stateful %t: impossible: %s", stateful, s)
		}
	}
}

// TestKillCounts: one actor of n accesses can die after each but the last, or not at all; with
// another of m accesses beside it, the death comes after its i-th access and the orders are those
// of i and m accesses. Expected: C(n+m,n) orders without a death plus the deaths of either.
func TestKillCounts(t *testing.T) {
	choose := func(n, k int) int {
		c := 1
		for i := 1; i <= k; i++ {
			c = c * (n - k + i) / i
		}
		return c
	}
	for _, c := range []struct{ n, m int }{{1, 1}, {3, 0}, {2, 3}, {4, 4}} {
		var w *atomic.Uint64
		add := func(n int) func() {
			return func() {
				for range n {
					w.Add(1)
				}
			}
		}
		reset := func() { w = new(atomic.Uint64) }
		bodies := []func(){add(c.n), add(c.m)}
		if c.m == 0 {
			bodies = bodies[:1]
		}
		r := mustExplore(t, simple("kills", reset, bodies...), killing(1))
		want := choose(c.n+c.m, c.n)
		for i := 1; i < c.n; i++ {
			want += choose(i+c.m, i)
		}
		for i := 1; i < c.m; i++ {
			want += choose(i+c.n, i)
		}
		if r.Executions != uint64(want) {
			t.Errorf("%d and %d accesses: %d executions, want %d", c.n, c.m, r.Executions, want)
		}
	}
}

func TestAnyKillIncludesTheOthers(t *testing.T) {
	early, late := map[string]int{}, map[string]int{}
	mustExplore(t, halfWriter(early), killing(1))
	o := killing(1)
	o.AnyKill = true
	r := mustExplore(t, halfWriter(late), o)
	if keysOf(early) != keysOf(late) || r.Failure != nil {
		t.Errorf("AnyKill: %s\nwithout: %s", keysOf(late), keysOf(early))
	}
}

// TestKilledHolderKeepsLock: a lock held by a dead actor is never released, not even by its
// deferred Unlock.
func TestKilledHolderKeepsLock(t *testing.T) {
	var mu *sync.Mutex
	var w *atomic.Uint64
	use := func() { mu.Lock(); defer mu.Unlock(); w.Add(1) }
	p := simple("holder", func() { mu, w = new(sync.Mutex), new(atomic.Uint64) }, use, use)
	if r := mustExplore(t, p, unbounded()); r.Failure != nil {
		t.Fatal(r.Failure.Table())
	}
	f := wantFailure(t, mustExplore(t, p, killing(1)), explore.Deadlock)
	const want = "no actor can go on: B waits for ever; A was killed and keeps what it held; B in Lock at "
	if !strings.HasPrefix(f.Message, want) {
		t.Error(f.Message)
	}
	if !strings.Contains(f.Table(), "Kill") || !strings.Contains(f.Token, "!") {
		t.Errorf("the death is not shown:\n%s", f.Table())
	}
	mustReplay(t, p, f)
}

// TestKilledFlagLivelocks: the survivor of a dead flag holder waits for ever.
func TestKilledFlagLivelocks(t *testing.T) {
	var flag *atomic.Uint32
	enter := func() {
		for !flag.CompareAndSwap(0, 1) {
		}
		flag.Store(0)
	}
	p := simple("spin lock", func() { flag = new(atomic.Uint32) }, enter, enter)
	o := unbounded()
	o.SpinLimit = 5
	if r := mustExplore(t, p, o); r.Failure != nil {
		t.Fatal(r.Failure.Table())
	}
	o.Kills = 1
	mustReplay(t, p, wantFailure(t, mustExplore(t, p, o), explore.Livelock))
}

// TestKillIsProgress: who gives up after so many looks without a change has as many turns after the
// death of the other as after its end, whatever the turns before it. A changes the word twice, each
// time after as many looks as set an actor aside; B looks seven times after a change.
func TestKillIsProgress(t *testing.T) {
	var w, v *atomic.Uint64
	looks := 0
	p := simple("gives up", func() { w, v = new(atomic.Uint64), new(atomic.Uint64) },
		func() {
			for i := range 2 {
				for range looks {
					v.Load()
				}
				w.Store(uint64(i + 1))
			}
			v.Load()
		},
		func() {
			last := uint64(0)
			for n := 0; n < 7; n++ {
				if x := w.Load(); x != last {
					last, n = x, 0
				}
			}
		})
	for _, o := range []explore.Options{{Preemptions: 2}, reduced()} {
		o.SpinLimit, looks = 4, 4
		if o.Reduce {
			looks = 5 // the first one sees something new there
		}
		for o.Kills = range 2 {
			r := mustExplore(t, p, o)
			if r.Failure != nil || !r.Exhaustive || (r.Killed > 0) != (o.Kills > 0) {
				t.Errorf("%+v: %d killed, %v", o, r.Killed, r.Err())
			}
		}
	}
}

// TestKilledSpinner: an actor that dies while it is set aside makes no step when all are taken back, nor
// when somebody changes what it has looked at.
func TestKilledSpinner(t *testing.T) {
	var w *atomic.Uint64
	p := simple("dies aside", func() { w = new(atomic.Uint64) },
		func() {
			for n := 0; n < 7 && w.Load() == 0; n++ {
			}
		},
		func() {
			for range 5 {
				w.Load()
			}
			w.Store(1)
		})
	dead := false
	p.Step = func(x *explore.Execution, s explore.Step) error {
		switch {
		case s.Index == 0:
			dead = false
		case dead && s.Actor == 0:
			return fmt.Errorf("%v of an actor that is dead", s.Kind)
		}
		dead = dead || s.Kind == hook.Kill && s.Actor == 0
		return nil
	}
	for _, o := range []explore.Options{killing(1), reduced()} {
		o.Preemptions, o.SpinLimit, o.Kills = explore.Unbounded, 4, 1
		if r := mustExplore(t, p, o); r.Failure != nil || !r.Exhaustive || r.Killed == 0 {
			t.Errorf("%d killed, %v", r.Killed, r.Err())
		}
	}
}

// TestSwallowedKill: a body that recovers from everything in a loop cannot be ended; that is
// said, and the process can go on.
func TestSwallowedKill(t *testing.T) {
	var w *atomic.Uint64
	p := simple("swallow", func() { w = new(atomic.Uint64) }, func() {
		for done := false; !done; {
			func() {
				defer func() { _ = recover() }()
				w.Add(1)
				w.Add(1)
				done = true
			}()
		}
	})
	f := wantFailure(t, mustExplore(t, p, killing(1)), explore.Hung)
	if !strings.Contains(f.Message, "recovers from the panic") {
		t.Error(f.Message)
	}
	r, err := explore.Replay(p, f.Token, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantFailure(t, r, explore.Hung)
	if r := mustExplore(t, halfWriter(map[string]int{}), killing(1)); r.Failure != nil {
		t.Error(r.Failure.Table())
	}
}

// TestKillStep: Program.Step sees the death and Finish learns of it.
func TestKillStep(t *testing.T) {
	kills, told := 0, 0
	p := halfWriter(map[string]int{})
	finish := p.Finish
	p.Step = func(x *explore.Execution, s explore.Step) error {
		if s.Kind == hook.Kill {
			if kills++; !x.Killed(s.Actor) {
				return errors.New("Killed does not know")
			}
		}
		return nil
	}
	p.Finish = func(x *explore.Execution) error {
		if x.Killed(0) || x.Killed(1) {
			told++
		}
		return finish(x)
	}
	o := killing(1)
	o.Audit = -1
	r := mustExplore(t, p, o)
	if r.Failure != nil || kills == 0 || kills != told || uint64(kills) != r.Killed {
		t.Errorf("%v: %d kill steps, %d verdicts with a death, %d counted",
			r.Err(), kills, told, r.Killed)
	}
}
