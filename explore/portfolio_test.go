package explore_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samecycle/samecycle/explore"
)

// runPortfolio runs a portfolio on a program and returns its parts and their names.
func runPortfolio(t *testing.T, p explore.Program, f explore.Portfolio) ([]explore.Part, []string) {
	t.Helper()
	parts, err := f.Run(context.Background(), explore.Options{Seed: 3, Audit: -1},
		func(o explore.Options) (explore.Report, error) { return explore.Explore(p, o) })
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range parts {
		names = append(names, x.Name)
	}
	return parts, names
}

// TestPortfolio_Parts: each part is run within the budget and says what it is worth.
func TestPortfolio_Parts(t *testing.T) {
	p := smallProgram(t, "cas3x2").program(nil, true)
	f := explore.Portfolio{Executions: 4000, MaxBound: explore.Unbounded, Depth: 2}
	parts, names := runPortfolio(t, p, f)
	if !slices.Equal(names, []string{"ascending", "pct 1", "pct 2", "uniform", "plain"}) {
		t.Fatalf("%+v: parts %v", f, names)
	}
	sum := uint64(0)
	for i, want := range []string{"all schedules with at most ", "1/(n k^(d-1)) = 33.33%",
		"PCT with depth d=2", "equally likely", "every actor has the same chance"} {
		if sum += parts[i].Report.Executions; !strings.Contains(parts[i].Promise, want) {
			t.Errorf("%s: no %q in %s", names[i], want, parts[i].Promise)
		}
	}
	if sum > f.Executions || sum < f.Executions*9/10 {
		t.Errorf("%d executions of %d", sum, f.Executions)
	}
	if parts[0].Finished || !strings.Contains(parts[0].Promise, "not searched to its end") {
		t.Errorf("the ascending part says that it is complete: %s", parts[0].Promise)
	}
}

// TestPortfolio_Time: the bounds get half of the time at most, the random parts share evenly what is left,
// and none begins when the time is over. The searches take their time on a clock of the test's own.
func TestPortfolio_Time(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		bound time.Duration // what the search of one bound takes
		deaf  bool          // it does not end when it is told to
		want  []time.Duration
	}{
		{bound: 30 * ms, want: []time.Duration{60 * ms, 80 * ms, 80 * ms, 80 * ms}},
		{bound: 200 * ms, want: []time.Duration{150 * ms, 50 * ms, 50 * ms, 50 * ms}},
		{bound: 150 * ms, deaf: true, want: []time.Duration{300 * ms}},
	} {
		takes := func(o explore.Options) (explore.Report, error) {
			began, ended := time.Now(), o.Context.Done()
			if c.deaf {
				ended = nil
			}
			r := explore.Report{Stats: explore.Stats{Executions: 1, MaxPreemptions: o.Preemptions},
				Preemptions: o.Preemptions}
			var bound <-chan time.Time
			if o.Walks == 0 {
				bound = time.After(c.bound)
			}
			select {
			case <-bound:
				r.Exhaustive = true
			case <-ended:
			}
			r.Elapsed = time.Since(began)
			return r, nil
		}
		synctest.Test(t, func(t *testing.T) {
			f := explore.Portfolio{Time: 300 * ms, MaxBound: 1, Depth: 1}
			parts, err := f.Run(t.Context(), explore.Options{}, takes)
			var got []time.Duration
			for _, p := range parts {
				got = append(got, p.Report.Elapsed)
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("a bound takes %v: the parts take %v, want %v; %v", c.bound, got, c.want, err)
			}
		})
	}
}

// TestPortfolio_Stops: a limit of time ends real searches, of which the random ones would go on for ever.
func TestPortfolio_Stops(t *testing.T) {
	parts, names := runPortfolio(t, smallProgram(t, "cas3x2").program(nil, true),
		explore.Portfolio{Time: time.Second, MaxBound: 1})
	for i, p := range parts {
		if p.Report.Failure != nil || p.Report.Executions == 0 {
			t.Errorf("%s: %d executions, %v", names[i], p.Report.Executions, p.Report.Failure)
		}
	}
}

// TestPortfolio_Ends: at the first failure, with fewest preemptions when the bounds find it; in a
// random part when they cannot; and when everything is covered.
func TestPortfolio_Ends(t *testing.T) {
	f := explore.Portfolio{Executions: 6000, MaxBound: explore.Unbounded, Depth: 1}
	p := smallProgram(t, "late").program(nil, true)
	parts, names := runPortfolio(t, p, f)
	if len(parts) != 1 || parts[0].Report.Failure == nil || parts[0].Report.Failure.Preemptions != 1 {
		t.Errorf("late: parts %v, %v", names, parts[0].Report.Failure)
	}
	// The only bad order of zig2x4 has six preemptions; one in 70 orders is bad.
	f.MaxBound = 1
	p = smallProgram(t, "zig2x4").program(nil, true)
	parts, names = runPortfolio(t, p, f)
	last := parts[len(parts)-1]
	if last.Name != "uniform" || last.Report.Failure == nil {
		t.Fatalf("zig2x4: parts %v", names)
	}
	mustReplay(t, p, last.Report.Failure)
	f.MaxBound = explore.Unbounded
	parts, names = runPortfolio(t, smallProgram(t, "ctr2x3").program(nil, false), f)
	if len(parts) != 1 || !parts[0].Finished || !strings.HasPrefix(parts[0].Promise, "all schedules: ") {
		t.Errorf("ctr2x3: parts %v, %s", names, parts[0].Promise)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	parts, err := f.Run(ctx, explore.Options{}, func(o explore.Options) (explore.Report, error) {
		return explore.Explore(smallProgram(t, "cas3x2").program(nil, false), o)
	})
	if err != nil || len(parts) != 1 || !strings.Contains(parts[0].Promise, "nothing is covered") {
		t.Errorf("interrupted: %v %+v", err, parts)
	}
}

func TestPortfolio_BadPlans(t *testing.T) {
	for want, f := range map[string]explore.Portfolio{
		"limit one": {}, "Time -1s": {Time: -time.Second}, "MaxBound": {Executions: 1, MaxBound: -2},
		"Depth": {Executions: 1, Depth: -1},
	} {
		if _, err := f.Run(context.Background(), explore.Options{}, nil); !errors.Is(err,
			explore.ErrOptions) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}
