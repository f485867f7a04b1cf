//go:build explore

package scenarios

import (
	"maps"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
)

// smallPrograms are those whose interleavings can all be searched, with up to so many deaths.
var smallPrograms = map[string]int{
	"S01AddEmpty": 1, "S02AddCollision": 1, "S02AddCollision_SharedHole": 0, "S04AddCollisionEmpty": 0,
	"S04AddCollisionEmpty_SameKey": 0, "S05AddEmptyGet": 1, "S06AddCollisionGet": 1,
	"S06AddCollisionGet_New": 1, "S08AddEmptyDelete": 1, "S15GetMany": 1, "S18GetUpdate": 1,
	"S19UpdateSameKey": 1, "S20DeleteMembers": 0,
}

// TestReduced: on the engine the reduced search has the outcomes, and as many different histories, of the
// search of all interleavings that cuts states, with and without a death, in fewer executions if there
// are several actors.
func TestReduced(t *testing.T) {
	for name, most := range smallPrograms {
		p := mustProgram(t, name)
		for kills := range most + 1 {
			o := Options{Preemptions: explore.Unbounded, Kills: kills}
			all := mustRun(t, p, o)
			o.Reduce = true
			r := mustRun(t, p, o)
			t.Logf("%s, %d kills: %d executions, %d classes, %d histories in %v; all %d, %d histories in %v",
				name, kills, r.Executions, r.Classes, r.Histories.Distinct, r.Elapsed, all.Executions,
				all.Histories.Distinct, all.Elapsed)
			want, got := slices.Sorted(maps.Keys(all.Outcomes)), slices.Sorted(maps.Keys(r.Outcomes))
			if !slices.Equal(want, got) || r.Histories.Distinct != all.Histories.Distinct {
				t.Errorf("%s, %d kills: outcomes %q, %d different histories; want %q, %d", name, kills, got,
					r.Histories.Distinct, want, all.Histories.Distinct)
			}
			if len(p.Ops) > 1 && r.Executions >= all.Executions {
				t.Errorf("%s, %d kills: %d executions, all are %d", name, kills, r.Executions,
					all.Executions)
			}
		}
	}
}

// TestMarks_AreExecutions: the record counts the executions that came to their end with a race.
func TestMarks_AreExecutions(t *testing.T) {
	rep := mustRun(t, mustProgram(t, "S05AddEmptyGet"), Options{Preemptions: explore.Unbounded, Kills: 1})
	want := map[string]uint64{"S01AddEmpty": 355, "S05AddEmptyGet": 208}
	if !maps.Equal(rep.Marks, want) {
		t.Errorf("%v, want %v of %d executions", rep.Marks, want, rep.Complete)
	}
}
