//go:build explore

package scenarios

import (
	"flag"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/scenarios/hopscotch/hostile"
)

var large = flag.Bool("large", false, "hostile programs of two actors with two preemptions")

// TestHostile_OneActor: one word is overwritten, with each value, wherever that makes a difference to who
// is alone.
func TestHostile_OneActor(t *testing.T) {
	onHostileGround(t, 1, explore.Options{Preemptions: explore.Unbounded, Reduce: true})
}

// TestHostile_TwoActors: the same at each point of two calls, of which the second may come within the first.
func TestHostile_TwoActors(t *testing.T) {
	o := explore.Options{Preemptions: 1, Stateful: true}
	if *large {
		o.Preemptions = 2
	}
	onHostileGround(t, 2, o)
}

// onHostileGround searches the programs with so many actors.
func onHostileGround(t *testing.T, actors int, o explore.Options) {
	searched := 0
	for _, p := range hostile.Programs() {
		if len(p.Cast) != actors {
			continue
		}
		searched++
		rep, err := hostile.Explore(p, o)
		if err != nil {
			t.Fatal(err)
		}
		if rep.Failure != nil {
			t.Fatalf("%s: %v\n%s", p.Name, rep.Failure, rep.Failure.Table())
		}
		if !rep.Exhaustive || rep.Met == 0 || rep.Words == 0 || rep.Corrupt == 0 {
			t.Errorf("%s: not exhaustive, or no damage was met: %s; %v", p.Name, rep.Bound, rep.Tally)
		}
		t.Logf("%s: %d executions in %v; %v", p.Name, rep.Executions, rep.Elapsed, rep.Tally)
	}
	if searched == 0 {
		t.Errorf("no program has %d actors", actors)
	}
}
