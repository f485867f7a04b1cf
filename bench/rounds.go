package bench

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Subject is one thing that is measured.
type Subject struct {
	Name    string
	Prepare func() error // before each pass, not measured; may be nil
	Run     func() int   // one pass; returns how many results were wrong
	Ops     int          // operations of a pass
}

// Sample is what the passes of one subject came to.
type Sample struct {
	Name   string
	NS     []float64 // nanoseconds per operation, by round
	Allocs float64   // allocations per operation, in the last round
}

// ErrWrong says that a subject gave a wrong result, so its time means nothing.
var ErrWrong = errors.New("result is wrong")

// Rounds measures the subjects in turn, so many rounds. Each round starts with another subject,
// so that none always has the same one before it. One round before the first is not counted.
func Rounds(rounds int, subjects ...Subject) ([]Sample, error) {
	samples := make([]Sample, len(subjects))
	for round := -1; round < rounds; round++ {
		for i := range subjects {
			at := (i + round + 1) % len(subjects)
			s := &subjects[at]
			ns, allocs, err := pass(s)
			if err != nil {
				return nil, err
			}
			samples[at].Name = s.Name
			if round >= 0 {
				samples[at].NS = append(samples[at].NS, ns)
				samples[at].Allocs = allocs
			}
		}
	}
	return samples, nil
}

func pass(s *Subject) (ns, allocs float64, err error) {
	if s.Prepare != nil {
		if err := s.Prepare(); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	wrong := s.Run()
	elapsed := time.Since(start)
	runtime.ReadMemStats(&after)
	if wrong != 0 {
		return 0, 0, fmt.Errorf("%s: %w: %d of %d", s.Name, ErrWrong, wrong, s.Ops)
	}
	ops := float64(s.Ops)
	return float64(elapsed.Nanoseconds()) / ops, float64(after.Mallocs-before.Mallocs) / ops, nil
}

// Median is the middle of the numbers, 0 of none.
func Median(numbers []float64) float64 { return Quantile(numbers, 0.5) }

// Quantile is the number below which the share q (0..1) of the numbers lies, 0 of none.
func Quantile(numbers []float64, q float64) float64 {
	if len(numbers) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(numbers))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}

// Ratios are the quotients of two samples, round by round.
func Ratios(ours, peer []float64) []float64 {
	ratios := make([]float64, min(len(ours), len(peer)))
	for i := range ratios {
		ratios[i] = ours[i] / peer[i]
	}
	return ratios
}

// Spin tells how free the machine is: how many times as fast two goroutines do two arithmetic
// loops as one goroutine does them. 2 is an idle machine with two processors; below 1.7 somebody
// else is at work. It also gives the slowest of ten equal loops over the fastest: 1 is a steady
// machine.
func Spin() (scaling, unsteady float64) {
	var one []float64
	for range 10 {
		start := time.Now()
		spin()
		one = append(one, time.Since(start).Seconds())
	}
	var two []float64
	for range 5 {
		start := time.Now()
		var both sync.WaitGroup
		both.Go(spin)
		both.Go(spin)
		both.Wait()
		two = append(two, time.Since(start).Seconds())
	}
	return 2 * Median(one) / Median(two), slices.Max(one) / slices.Min(one)
}

var sink uint64 // keeps the compiler from dropping the loop

func spin() {
	x := uint64(88172645463325252)
	for range 20_000_000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	if x == 0 {
		sink++
	}
}
