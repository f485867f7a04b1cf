package bench

import (
	"context"
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
	Prepare func() error       // before each pass, not measured; may be nil
	Run     func() (wrong int) // one pass; returns how many results were wrong
	Check   func() (wrong int) // after each pass, not measured; may be nil
	Ops     int                // operations of a pass
	// Adjust gives the figure for the time of an operation of a pass; nil: the time itself.
	Adjust func(ns float64) float64
	// Together tells that the pass is not that of one goroutine alone, so its time is what passes on
	// the wall. Else it is processor time of its thread, in which others on the machine do not count.
	Together bool
}

// Sample is what the passes of one subject came to. NS has as many numbers as there were rounds, those
// of one round at the same place in all samples; none at all when the subject failed.
type Sample struct {
	Name   string
	Ops    int
	NS     []float64 // nanoseconds per operation, by round
	Allocs []float64 // allocations per operation, by round
	Err    error     // why the subject was given up
}

// ErrWrong says that a subject gave a wrong result, so its time means nothing.
var ErrWrong = errors.New("result is wrong")

// ErrLoaded says that the spin check found no two free processors, so a measurement of two goroutines
// or processes would be one of the other load.
var ErrLoaded = errors.New("others are using the processors")

// Gate lets a round begin, or says why not.
type Gate func() error

// gateTries is how often a gate is asked in one call of Rounds, for each round.
const gateTries = 4

// Rounds measures the subjects in turn, so many rounds. Each round starts with another subject, so that
// none always has the same one before it. One round before the first is not counted. A subject that fails
// is left out from then on. If there is a gate, it has to be open before a round and after it; otherwise
// the round is repeated. If it is shut too often there are fewer rounds, and with less than half of them
// Rounds fails.
func Rounds(ctx context.Context, rounds int, gate Gate, subjects ...Subject) ([]Sample, error) {
	samples := make([]Sample, len(subjects))
	for i := range samples {
		samples[i] = Sample{Name: subjects[i].Name, Ops: subjects[i].Ops}
	}
	tries := gateTries * rounds
	for round := -1; round < rounds; {
		err := open(ctx, gate, &tries)
		if err == nil {
			err = one(ctx, round, subjects, samples)
		}
		if err == nil && gate != nil && round >= 0 {
			if err = gate(); err != nil {
				drop(samples, round)
				if tries--; tries > 0 {
					continue
				}
			}
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && 2*round >= rounds:
			return samples, nil
		case err != nil:
			return nil, err
		}
		round++
	}
	return samples, nil
}

// one is a round; the samples of those before the first are not kept.
func one(ctx context.Context, round int, subjects []Subject, samples []Sample) error {
	for i := range subjects {
		at := (i + round + 1) % len(subjects)
		s := &samples[at]
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if s.Err != nil {
			continue
		}
		ns, allocs, err := pass(&subjects[at])
		switch {
		case err != nil:
			s.Err, s.NS, s.Allocs = err, nil, nil
		case round >= 0:
			s.NS, s.Allocs = append(s.NS, ns), append(s.Allocs, allocs)
		}
	}
	return nil
}

// drop forgets the rounds from that one on.
func drop(samples []Sample, round int) {
	for i := range samples {
		if s := &samples[i]; s.Err == nil {
			s.NS, s.Allocs = s.NS[:round], s.Allocs[:round]
		}
	}
}

// open asks the gate until it opens, or until there are no tries left.
func open(ctx context.Context, gate Gate, tries *int) error {
	for gate != nil {
		err := gate()
		if err == nil {
			break
		}
		if *tries--; *tries <= 0 {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
		if ctx.Err() != nil {
			break
		}
	}
	return ctx.Err()
}

func pass(s *Subject) (ns, allocs float64, err error) {
	if s.Prepare != nil {
		if err := s.Prepare(); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	wrong, elapsed := clocked(s)
	runtime.ReadMemStats(&after)
	if s.Check != nil {
		wrong += s.Check()
	}
	if wrong != 0 {
		return 0, 0, fmt.Errorf("%s: %w: %d of %d", s.Name, ErrWrong, wrong, s.Ops)
	}
	ops := float64(s.Ops)
	ns = float64(elapsed.Nanoseconds()) / ops
	if s.Adjust != nil {
		ns = s.Adjust(ns)
	}
	return ns, float64(after.Mallocs-before.Mallocs) / ops, nil
}

// clocked runs a pass and tells how long it took.
func clocked(s *Subject) (wrong int, elapsed time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	from, ok := cpuClock()
	start := time.Now()
	wrong = s.Run()
	elapsed = time.Since(start)
	if to, still := cpuClock(); ok && still && !s.Together {
		elapsed = time.Duration(to - from)
	}
	return wrong, elapsed
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

// spinLeast is what the spin check must come to before two goroutines or processes are measured.
const spinLeast = 1.7

// SpinCheck tells how free the machine is.
type SpinCheck struct {
	// Scaling is how many times as fast two goroutines do two arithmetic loops as one goroutine does
	// them. 2 is an idle machine with two processors; below 1.7 somebody else is at work.
	Scaling  float64
	Unsteady float64 // the slowest of ten equal loops over the fastest: 1 is a steady machine
}

// String is the check in words.
func (s SpinCheck) String() string {
	return fmt.Sprintf("spin check at the start %.2f of 2, unsteady %.2f", s.Scaling, s.Unsteady)
}

// Spin makes the check.
func Spin() SpinCheck {
	one, two := spins(10, 5)
	return SpinCheck{2 * Median(one) / Median(two), slices.Max(one) / slices.Min(one)}
}

// SpinGate is a short spin check. It keeps what it found of the rounds that it let begin.
type SpinGate struct{ found []float64 }

// Gate tells whether two processors are free.
func (g *SpinGate) Gate() error {
	one, two := spins(2, 2)
	scaling := 2 * slices.Min(one) / slices.Max(two)
	if scaling < spinLeast {
		return fmt.Errorf("%w: spin check %.2f of 2, %g is the least", ErrLoaded, scaling, spinLeast)
	}
	g.found = append(g.found, scaling)
	return nil
}

func (g *SpinGate) String() string {
	if len(g.found) == 0 {
		return "no spin check"
	}
	return fmt.Sprintf("spin check around each round, %.2f of 2 at least", slices.Min(g.found))
}

// spins are the seconds of loops on one goroutine, and of two loops at once on two.
func spins(alone, paired int) (one, two []float64) {
	for range alone {
		start := time.Now()
		spin()
		one = append(one, time.Since(start).Seconds())
	}
	for range paired {
		start := time.Now()
		both(func(int) { spin() })
		two = append(two, time.Since(start).Seconds())
	}
	return one, two
}

// both runs f on two goroutines, numbered 0 and 1.
func both(f func(who int)) {
	var all sync.WaitGroup
	for who := range 2 {
		all.Go(func() { f(who) })
	}
	all.Wait()
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
