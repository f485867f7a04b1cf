//go:build explore

package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// drawnPrograms is how many the tests search.
const drawnPrograms = 200

// drawnText tells a failure's program.
func drawnText(p model.Program) string {
	return fmt.Sprintf("%s, homes shifted by %v: %v on %v", p.Name, p.Shift, p.Ops, p.Memory)
}

// drawnFound are programs beyond these in which engine and model once differed.
var drawnFound = []int{381}

// searchDrawn searches the first drawn programs in both ways, and tells the actions that fired.
func searchDrawn(fixes model.Fix) (map[string]uint64, error) {
	fired := map[string]uint64{}
	for i := range drawnPrograms + len(drawnFound) {
		n := i
		if i >= drawnPrograms {
			n = drawnFound[i-drawnPrograms]
		}
		deaths, walks := Options{Kills: 1, Executions: 60}, DrawnWalks(n, 25)
		for _, o := range []Options{deaths, walks} {
			p := Drawn(n)
			o.Fixes = fixes
			rep, err := Explore(p, o)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", drawnText(p), err)
			}
			if rep.Failure != nil {
				return nil, fmt.Errorf("%s: %w\n%s", drawnText(p), rep.Failure, rep.Failure.Table())
			}
			for action, count := range rep.Fired {
				fired[action] += count
			}
		}
	}
	return fired, nil
}

// TestDrawn: every judge of the scenarios accepts the drawn programs, with a death at each step of
// executions without a switch, and in executions that are drawn; and together they take every step
// that the model has.
func TestDrawn(t *testing.T) {
	fired, err := searchDrawn(0)
	if err != nil {
		t.Fatal(err)
	}
	// A return is no access. What follows on a lost hole takes two that want it at once:
	// S02AddCollision_LostHole and S03AddFull_LostHole have them. Those of long rings are in TestLines.
	elsewhere := append([]string{"ClientReturn", "HelpStillFrozen", "HelpTargetAgain"}, longRingSteps...)
	for _, action := range register.Actions() {
		if fired[action.Name] == 0 && !slices.Contains(elsewhere, action.Name) {
			t.Errorf("no drawn program makes the step %s", action.Name)
		}
	}
	full, apart := 0, 0
	for n := range drawnPrograms {
		p := Drawn(n)
		if again := Drawn(n); !reflect.DeepEqual(p, again) {
			t.Fatalf("%s is another one the second time: %s", drawnText(p), drawnText(again))
		}
		if named, ok := ProgramNamed(p.Name); !ok || !reflect.DeepEqual(p, named) {
			t.Fatalf("by its name %s is %s, %v", drawnText(p), drawnText(named), ok)
		}
		full += oneIf(len(p.Memory) >= 2*model.ProgramCells-1)
		apart += oneIf(p.Shift[0] != p.Shift[1])
	}
	if full < drawnPrograms/4 || apart < drawnPrograms/2 {
		t.Errorf("of %d programs %d are nearly full, and %d have homes that differ", drawnPrograms, full,
			apart)
	}
	if _, ok := drawnNamed("Drawn_007"); ok {
		t.Error("a drawn program has two names")
	}
}

// Drawn programs tell protocols apart: without the retry of S04 the model refuses a step.
func TestDrawn_Canary(t *testing.T) {
	if _, err := searchDrawn(model.AllFixes &^ model.FixRetry); err == nil {
		t.Errorf("%d drawn programs do not tell the two protocols apart", drawnPrograms)
	}
}
