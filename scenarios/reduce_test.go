//go:build explore

package scenarios

import (
	"testing"

	"github.com/samecycle/samecycle/model"
	"github.com/samecycle/samecycle/scenarios/explore"
)

// TestReduced: on the engine the reduced search meets as many different histories as the search of
// all interleavings that cuts states, with and without a death, in fewer executions.
func TestReduced(t *testing.T) {
	for _, name := range []string{"S05AddEmptyGet", "S08AddEmptyDelete", "S18GetUpdate"} {
		p, ok := model.ProgramByName(name)
		if !ok {
			t.Fatalf("no program %s", name)
		}
		for kills := range 2 {
			all, err := Explore(p, Options{Preemptions: explore.Unbounded, Kills: kills})
			if err != nil {
				t.Fatal(err)
			}
			r, err := Explore(p, Options{Preemptions: explore.Unbounded, Kills: kills, Reduce: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, %d kills: %d executions, %d classes, %d histories in %v; all %d, %d histories in %v",
				name, kills, r.Executions, r.Classes, r.Histories.Distinct, r.Elapsed, all.Executions,
				all.Histories.Distinct, all.Elapsed)
			if r.Failure != nil || all.Failure != nil || !r.Exhaustive || !all.Exhaustive {
				t.Fatal(r.Err(), all.Err(), r.Bound)
			}
			if r.Histories.Distinct != all.Histories.Distinct {
				t.Errorf("%s, %d kills: %d different histories, want %d", name, kills,
					r.Histories.Distinct, all.Histories.Distinct)
			}
			if r.Executions >= all.Executions {
				t.Errorf("%s, %d kills: %d executions, all are %d", name, kills, r.Executions,
					all.Executions)
			}
		}
	}
}
