package explore_test

import (
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/internal/hook"
)

// inTurns is the talk with an actor that makes the others. Each of these waits at a gate until all are there.
// Then the gates open, two at a time, and the next two when nobody can go on.
func (p talk) inTurns(got map[string]int) explore.Program {
	program := p.make(got, true)
	start := program.Start
	program.Start = func(x *explore.Execution) []explore.Actor {
		actors := start(x)
		gates := make([]sync.WaitGroup, len(actors))
		rest := func() { hook.Active.(hook.Spawner).Rest() }
		return []explore.Actor{{Body: func() {
			for i, a := range actors {
				gates[i].Add(1)
				flow.Go(func() { gates[i].Wait(); a.Body() })
				rest()
			}
			for i := range gates {
				if gates[i].Done(); i%2 == 1 {
					rest()
				}
			}
		}}}
	}
	return program
}

// TestPlaces: with three places a search of random programs of up to seven actors finds the same outcomes as
// with a place for each, unless it says that somebody had to wait. Then it finds some of them, and no others.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(drawn(t), 5))
	same, some := 0, 0
	for range 200 {
		var p talk
		for range 2 + r.IntN(2) {
			p = append(p, randomTalk(r)[:2]...)
		}
		o := withoutAudit(unbounded())
		o.MaxExecutions = 2000
		all := map[string]int{}
		full := mustExplore(t, p.inTurns(all), o)
		if full.Failure != nil || !full.Exhaustive {
			if full.Failure != nil {
				t.Fatal(full.Failure.Table())
			}
			continue
		}
		explore.WithPlaces(3, func() {
			got := map[string]int{}
			few := mustExplore(t, p.inTurns(got), o)
			switch {
			case few.Failure != nil || !few.Exhaustive:
				t.Fatalf("%q: %v", p, few.Err())
			case few.Crowded == 0:
				same++
				if keysOf(got) != keysOf(all) || few.Executions != full.Executions {
					t.Fatalf("%q: %d executions, outcomes\n%s\nwant %d\n%s", p, few.Executions, keysOf(got),
						full.Executions, keysOf(all))
				}
			default:
				some++
				for outcome := range got {
					if all[outcome] == 0 {
						t.Fatalf("%q: %s cannot be", p, outcome)
					}
				}
			}
		})
	}
	t.Logf("%d programs the same, in %d others somebody waited", same, some)
	if same < 20 || some < 5 {
		t.Errorf("%d programs the same, %d with some", same, some)
	}
}
