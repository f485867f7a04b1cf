package explore_test

import (
	"context"
	"testing"

	"github.com/samecycle/samecycle/explore"
)

// TestFewerSwitches: schedules that were drawn at random come down to the fewest preemptions that any
// failure has, where the program is small; the fault of zig2x4 needs all of its switches.
func TestFewerSwitches(t *testing.T) {
	saved := 0
	for _, s := range smallPrograms() {
		least, ok := map[string]int{"race2x1": 1, "late": 1, "zig2x4": 6}[s.name]
		if !ok {
			continue
		}
		p := s.program(nil, true)
		for seed := range uint64(20) {
			o := unbounded()
			o.Walks, o.Seed = 2000, seed
			r := mustExplore(t, p, o)
			if r.Failure == nil {
				continue
			}
			f, n, err := explore.FewerSwitches(t.Context(), p, r.Failure, explore.Options{},
				func(g *explore.Failure) bool { return g.Message == r.Failure.Message }, 1000)
			if err != nil {
				t.Fatal(err)
			}
			if f.Preemptions != least || f.Message != r.Failure.Message || n == 0 {
				t.Errorf("%s, seed %d: %d preemptions after %d replays, want %d\n%s", s.name, seed,
					f.Preemptions, n, least, f.Table())
			}
			saved += r.Failure.Switches() - f.Switches()
			mustReplay(t, p, f)
		}
	}
	if saved < 10 {
		t.Errorf("%d switches saved in all: the failures that were drawn are too simple to tell", saved)
	}
}

// TestFewerSwitches_KeepsTheVerdict: a schedule that fails in another way is not accepted, and neither a
// limit nor an interrupt loses the failure.
func TestFewerSwitches_KeepsTheVerdict(t *testing.T) {
	for _, s := range smallPrograms() {
		if s.name != "race2x1" {
			continue
		}
		p := s.program(nil, true)
		first := mustExplore(t, p, unbounded()).Failure
		over, cancel := context.WithCancel(t.Context())
		cancel()
		for name, c := range map[string]struct {
			ctx   context.Context
			same  bool
			tries int
		}{
			"another verdict": {t.Context(), false, 1000},
			"no replays":      {t.Context(), true, 0},
			"interrupted":     {over, true, 1000},
		} {
			f, n, err := explore.FewerSwitches(c.ctx, p, first, explore.Options{},
				func(*explore.Failure) bool { return c.same }, c.tries)
			if err != nil || f != first || c.same && n != 0 {
				t.Errorf("%s: %v after %d replays, %v", name, f, n, err)
			}
		}
	}
}

// TestTell: what a program says about a step is beside it in the table, for recorded runs only.
func TestTell(t *testing.T) {
	for _, s := range smallPrograms() {
		if s.name != "race2x1" {
			continue
		}
		p := s.program(nil, true)
		told := 0
		p.Tell = func(_ *explore.Execution, s explore.Step) string {
			told++
			return "told of " + s.Text()
		}
		r := mustExplore(t, p, unbounded())
		f := r.Failure
		if f == nil || len(f.Notes) != len(f.Steps) || told != len(f.Steps) {
			t.Fatalf("%d notes, told %d times: %+v", len(f.Notes), told, f)
		}
		for i, s := range f.Steps {
			if f.Notes[i] != "told of "+s.Text() {
				t.Errorf("step %d: %q", i, f.Notes[i])
			}
		}
		mustReplay(t, p, f)
	}
}
