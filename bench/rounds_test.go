package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestRounds_TakesTurns(t *testing.T) {
	var order []string
	subject := func(name string) Subject {
		return Subject{Name: name, Ops: 1, Run: func() int { order = append(order, name); return 0 }}
	}
	samples, err := Rounds(t.Context(), 2, nil, subject("a"), subject("b"))
	if err != nil || len(samples) != 2 || len(samples[1].NS) != 2 || samples[1].Name != "b" {
		t.Fatalf("two rounds of two subjects gave %v, %v", samples, err)
	}
	if want := []string{"a", "b", "b", "a", "a", "b"}; !slices.Equal(order, want) {
		t.Errorf("passes came in the order %v, want %v", order, want)
	}
}

// TestRounds_RefusesWrong is the canary: a fast subject that is wrong has no time, whether its pass or
// its check tells so, and the others have theirs.
func TestRounds_RefusesWrong(t *testing.T) {
	fine := func() int { return 0 }
	samples, err := Rounds(t.Context(), 2, nil,
		Subject{Name: "wrong", Ops: 1, Run: func() int { return 1 }},
		Subject{Name: "fine", Ops: 1, Run: fine},
		Subject{Name: "wrong afterwards", Ops: 1, Run: fine, Check: func() int { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 2} {
		if !errors.Is(samples[i].Err, ErrWrong) || samples[i].NS != nil {
			t.Errorf("%s gave %v, %v", samples[i].Name, samples[i].NS, samples[i].Err)
		}
	}
	if samples[1].Err != nil || len(samples[1].NS) != 2 {
		t.Errorf("the other one gave %v, %v", samples[1].NS, samples[1].Err)
	}
	row := versus("index/x", "wrong", "ns/op").atMost(1).timed(samples[1], samples[0], "")
	if row.verdict() != "NOT RUN" || row.Ratio != 0 {
		t.Errorf("its row is %+v", row)
	}
}

// TestRounds_SlowSubject is the canary of the figures: ours planted slow misses the goal 1.
func TestRounds_SlowSubject(t *testing.T) {
	samples, err := Rounds(t.Context(), 3, nil,
		Subject{Name: ourName, Ops: 1, Run: func() int { spin(); return 0 }},
		Subject{Name: "fast", Ops: 1, Run: func() int { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	row := versus("index/x", "fast", "ns/op").atMost(1).timed(samples[0], samples[1], "")
	if gap, ok := row.Gap(); row.Ratio <= 1 || row.verdict() != "missed" || !ok || gap <= 1 {
		t.Errorf("a slow subject has the row %+v", row)
	}
	back := versus("index/x", "slow", "ns/op").atMost(1).timed(samples[1], samples[0], "")
	if back.verdict() != "met" {
		t.Errorf("the fast one has the row %+v", back)
	}
}

func TestRounds_Gate(t *testing.T) {
	passes := 0
	s := Subject{Name: "a", Ops: 1, Run: func() int { passes++; return 0 }}
	shut := func() error { return fmt.Errorf("%w: as planted", ErrLoaded) }
	if _, err := Rounds(t.Context(), 1, shut, s); !errors.Is(err, ErrLoaded) || passes != 0 {
		t.Errorf("behind a shut gate %d passes were made, %v", passes, err)
	}
	samples, err := Rounds(t.Context(), 5, nextGate("ooooooox"), s)
	if err != nil || len(samples[0].NS) != 3 {
		t.Errorf("a gate that stayed open for three counted rounds of five gave %v, %v", samples, err)
	}
	_, err = Rounds(t.Context(), 5, nextGate("ooooox"), s)
	if !errors.Is(err, ErrLoaded) {
		t.Errorf("two rounds of five are enough: %v", err)
	}
}

// nextGate opens (o) and is shut (x) as the letters say, the last one for ever.
func nextGate(letters string) Gate {
	return func() error {
		letter := letters[0]
		if len(letters) > 1 {
			letters = letters[1:]
		}
		if letter == 'x' {
			return ErrLoaded
		}
		return nil
	}
}

// TestRounds_GateAfterwards: a round after which the gate is shut is done again.
func TestRounds_GateAfterwards(t *testing.T) {
	passes := 0
	s := Subject{Name: "a", Ops: 1, Run: func() int { passes++; return 0 },
		Adjust: func(float64) float64 { return float64(passes) }}
	samples, err := Rounds(t.Context(), 2, nextGate("o"+"ox"+"oo"+"oo"), s)
	if err != nil || !slices.Equal(samples[0].NS, []float64{3, 4}) {
		t.Errorf("the rounds that count are %v, %v, want the third and the fourth pass", samples[0].NS, err)
	}
	open := false
	turns := func() error {
		if open = !open; open {
			return nil
		}
		return ErrLoaded
	}
	s.Run = func() int { open = true; return 0 } // so that the gate is shut after each pass
	if _, err := Rounds(t.Context(), 2, turns, s); !errors.Is(err, ErrLoaded) {
		t.Errorf("a gate that is shut after each round gave %v", err)
	}
}

func TestRounds_Interrupt(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	s := Subject{Name: "a", Ops: 1, Run: func() int { stop(); return 0 }}
	if _, err := Rounds(ctx, 100, nil, s); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupt gave %v", err)
	}
}

func TestSpinGate_RemembersRounds(t *testing.T) {
	g := &SpinGate{found: []float64{1.95, 1.8}}
	if got := g.String(); got != "spin check around each round, 1.80 of 2 at least" {
		t.Errorf("it says %q", got)
	}
}

func TestQuantile(t *testing.T) {
	numbers := []float64{5, 1, 4, 2, 3}
	for q, want := range map[float64]float64{0: 1, 0.25: 2, 0.5: 3, 0.75: 4, 1: 5} {
		if got := Quantile(numbers, q); got != want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	if got := Ratios([]float64{2, 9}, []float64{4, 3}); !slices.Equal(got, []float64{0.5, 3}) {
		t.Errorf("ratios are %v", got)
	}
}
