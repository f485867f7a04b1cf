package bench

import (
	"errors"
	"slices"
	"testing"
)

func TestRounds_TakesTurns(t *testing.T) {
	var order []string
	subject := func(name string) Subject {
		return Subject{Name: name, Ops: 1, Run: func() int { order = append(order, name); return 0 }}
	}
	samples, err := Rounds(2, subject("a"), subject("b"))
	if err != nil || len(samples) != 2 || len(samples[1].NS) != 2 || samples[1].Name != "b" {
		t.Fatalf("two rounds of two subjects gave %v, %v", samples, err)
	}
	if want := []string{"a", "b", "b", "a", "a", "b"}; !slices.Equal(order, want) {
		t.Errorf("passes came in the order %v, want %v", order, want)
	}
}

// TestRounds_RefusesWrong is the canary: a fast subject that is wrong has no time.
func TestRounds_RefusesWrong(t *testing.T) {
	_, err := Rounds(1, Subject{Name: "a", Ops: 1, Run: func() int { return 1 }})
	if !errors.Is(err, ErrWrong) {
		t.Errorf("a wrong result gave %v", err)
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

func TestParseBenchmark(t *testing.T) {
	text := "goos: linux\nBenchmarkExplore/plain-2  \t 100\t  160 ns/step\t 500000 schedules/s\n" +
		"BenchmarkExplore/kills-2   10   320 ns/step\nPASS\n"
	got := parseBenchmarks(text)
	if got["plain"]["schedules/s"] != 500000 || got["kills"]["ns/step"] != 320 || len(got) != 2 {
		t.Errorf("the figures are %v", got)
	}
}

func TestKeys_AreDistinct(t *testing.T) {
	seen := map[uint32]bool{}
	for _, key := range append(presentKeys(1000), absentDraws(1000, 1000)...) {
		if key == 0 || key == 1<<32-1 || seen[key] {
			t.Fatalf("key %d is reserved or comes twice", key)
		}
		seen[key] = true
	}
}
