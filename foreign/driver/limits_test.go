package driver

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore/shim/flow"
)

// TestCrashes: calls of which a goroutine panics, made one after the other, are told, each reason once, apart
// from methods that are left out; so is what made the value, what did not, and what was called.
func TestCrashes(t *testing.T) {
	run := bare("Run", func(w *word) []any {
		if w.n.Add(1) == 2 {
			flow.Go(func() { panic("late") })
		}
		return nil
	})
	run.Quiet = true // else the probe calls it, too
	s := words()
	s.o.Methods, s.ctx, s.executions, s.bound = []Method{bare("Len", number), run}, t.Context(), 100, 1
	r, err := s.whole()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"{new()} Run() || Run(): a goroutine that it starts panics: late"}
	if !slices.Equal(r.Crashes, want) || len(r.LeftOut) > 0 || len(r.Results) == 0 {
		t.Errorf("crashes %q, left out %q, %d results", r.Crashes, r.LeftOut, len(r.Results))
	}
	if r.Maker != "new()" || !slices.Equal(r.Methods, []string{"Len", "Run"}) ||
		!slices.Equal(r.NotMade, []string{"none(): it returns nil"}) {
		t.Errorf("made by %s, not by %q, called are %q", r.Maker, r.NotMade, r.Methods)
	}
}

// TestCrashes_Alone: where all programs end so, or a call alone does, there is nothing to explore, or less.
func TestCrashes_Alone(t *testing.T) {
	die := func(least int64) Method {
		return bare("Die", func(w *word) []any {
			if w.n.Add(1) >= least {
				flow.Go(func() { panic("soon") })
			}
			return nil
		})
	}
	s := words()
	s.o.Methods, s.ctx, s.executions, s.bound = []Method{die(2)}, t.Context(), 100, 1
	_, err := s.whole()
	if !errors.Is(err, ErrObject) || !strings.Contains(err.Error(), "no program of Word can be explored: "+
		"{new()} Die() || Die(): a goroutine that it starts panics: soon") {
		t.Errorf("all programs: %v", err)
	}
	s = words()
	s.o.Methods, s.ctx, s.executions, s.bound = []Method{die(1), bare("Len", number)}, t.Context(), 100, 1
	r, err := s.whole()
	if err != nil || len(r.Crashes) != 1 || len(r.LeftOut) != 1 || !slices.Equal(r.Methods, []string{"Len"}) {
		t.Errorf("crashes %q, left out %q, called %q, %v", r.Crashes, r.LeftOut, r.Methods, err)
	}
}

// TestSingle_Nothing: one method that one actor alone may call makes no program of two actors.
func TestSingle_Nothing(t *testing.T) {
	s := words()
	s.o.Methods, s.ctx, s.single = []Method{bare("Len", number)}, t.Context(), []string{"Len", "Len"}
	_, err := s.whole()
	if !errors.Is(err, ErrObject) ||
		!strings.Contains(err.Error(), "no program is left: Len is called by one actor alone") {
		t.Error(err)
	}
}
