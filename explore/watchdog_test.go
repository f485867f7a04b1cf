package explore_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/internal/hook"
)

// TestWatchdog: B waits outside all shims if it chooses to and reads before A writes. That is told with
// B's stack and a token that leads there again, whatever the search was, and further explorations are
// refused until B ends.
func TestWatchdog(t *testing.T) {
	drawn := unbounded()
	drawn.Walks, drawn.Seed, drawn.Strategy = 1000, 3, explore.Uniform
	guided := unbounded()
	guided.Walks, guided.Guide = 1, []byte{1, 1, 1, 1}
	late := reduced()
	late.Kills = 1
	for name, o := range map[string]explore.Options{
		"all": unbounded(), "drawn": drawn, "guided": guided, "reduced": reduced(),
		"reduced with kills": late,
	} {
		t.Run(name, func(t *testing.T) {
			release := make(chan struct{})
			var w *atomic.Uint64
			hangs(t, o, &release, simple("stuck", func() { w = new(atomic.Uint64) },
				func() { w.Load(); w.Store(1) },
				func() {
					w.Load()
					if hook.Active.Choose(2) == 1 && w.Load() == 0 {
						<-release
					}
				}))
		})
	}
	t.Run("reduced, of words", func(t *testing.T) {
		release := make(chan struct{})
		p, _ := wordsOf(1, func(w []atomic.Uint64) { w[0].Add(1); w[0].Add(1) }, func(w []atomic.Uint64) {
			if w[0].Load() == 1 {
				<-release
			}
		})
		hangs(t, reduced(), &release, p)
	})
}

// hangs explores p, which waits for the channel in an execution that is not the first.
func hangs(t *testing.T, o explore.Options, release *chan struct{}, p explore.Program) {
	o.Watchdog = time.Second // on a busy machine an actor that does not hang may wait for its turn, too
	f := wantFailure(t, mustExplore(t, p, o), explore.Hung)
	if len(f.Stacks) != 1 || !strings.Contains(f.Stacks[0], "TestWatchdog") {
		t.Errorf("stacks do not show the stuck body, and it alone: %q", f.Stacks)
	}
	if _, err := explore.Explore(p, o); !errors.Is(err, explore.ErrHung) || explore.Usable() == nil {
		t.Errorf("second exploration: %v, want ErrHung", err)
	}
	comesBack := func() {
		close(*release)
		for n := 0; ; n++ {
			if _, err := explore.Explore(p, o); err == nil {
				return
			}
			if n == 3000 {
				t.Fatal("explorations are refused although the stuck actor has ended")
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	comesBack()
	*release = make(chan struct{})
	r, err := explore.Replay(p, f.Token, o)
	if err != nil {
		t.Fatal(err)
	}
	wantFailure(t, r, explore.Hung)
	comesBack()
}

// TestWatchdog_TooLate: an exploration that has just ended is not given up, and nothing waits for it.
func TestWatchdog_TooLate(t *testing.T) {
	p := simple("one", func() {}, func() {})
	if explore.HangsWhenExplored(p, unbounded()) {
		t.Error("an exploration that has ended is reported as hung")
	}
	mustExplore(t, p, unbounded())
}

// TestHalted: an execution with very many steps does not go on when the context is done. It does not count,
// and what it found is no failure. An execution that has failed is run again to its end nevertheless.
func TestHalted(t *testing.T) {
	const steps = 100_000_000
	var w atomic.Uint64
	work := func() {
		for range steps / 2 {
			w.Add(1)
		}
	}
	for name, o := range map[string]explore.Options{
		"plain": unbounded(), "reduced": reduced(), "bounded": {Preemptions: 1}, "races": {Races: true},
		"drawn":  {Walks: 10, Strategy: explore.PCT, Depth: 2, Preemptions: explore.Unbounded},
		"delays": {Preemptions: explore.Unbounded, Delays: 1},
	} {
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
		o.Context, o.MaxSteps = ctx, 2*steps
		began := time.Now()
		r := mustExplore(t, simple("long", func() { w.Store(0) }, work, work), o)
		stop()
		if r.Failure != nil || r.Executions != 0 || r.StepBound != 0 || r.Exhaustive {
			t.Errorf("%s: %d executions, %d at the bound, %v", name, r.Executions, r.StepBound, r.Err())
		}
		if n := w.Load(); n == 0 || n >= steps {
			t.Errorf("%s: %d steps in %v", name, n, time.Since(began))
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	o := explore.Options{Context: ctx, MaxSteps: steps}
	r := mustExplore(t, simple("failing", func() { w.Store(0) }, func() {
		for range 100_000 {
			w.Add(1)
		}
		stop()
		panic("at the end")
	}), o)
	if f := wantFailure(t, r, explore.Panicked); len(f.Steps) < 100_000 {
		t.Errorf("%d steps are shown", len(f.Steps))
	}
}
