//go:build explore

package scenarios

import (
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// Progress of the engine: from each state within the bound, whoever has died, each live actor alone
// ends its operation; some operation ends within every so many accesses; a get keeps its own,
// smaller claim. The limits are generous, the figures are in the report. They say so within
// one preemption only.
func TestProgress_Engine(t *testing.T) {
	for _, name := range []string{"S05AddEmptyGet", "S06AddCollisionGet", "S15GetMany",
		"S17GetDeleteBase", "S23DeleteSameKey"} {
		p, ok := model.ProgramByName(name)
		if !ok {
			t.Fatal(name)
		}
		rep, err := Explore(p, Options{Preemptions: 1, Kills: 1, Solo: 300, LockFree: 400})
		if err != nil || rep.Failure != nil || !rep.Exhaustive || rep.Probes < 100 {
			t.Errorf("%s: %v %v, %d probes", name, err, rep.Failure, rep.Probes)
		}
		t.Logf("%s: %d accesses alone, %d without an end, %d probes", name, rep.SoloSteps,
			rep.LongestGap, rep.Probes)
	}
}

// The checks can fail on the engine: no operation ends within three accesses.
func TestProgress_Canary(t *testing.T) {
	p, _ := model.ProgramByName("S04AddCollisionEmpty")
	for kind, o := range map[explore.FailureKind]Options{
		explore.Obstructed: {Solo: 3}, explore.NotLockFree: {LockFree: 3},
	} {
		rep, err := Explore(p, o)
		if err != nil || rep.Failure == nil || rep.Failure.Kind != kind {
			t.Fatalf("%s: %v %v", kind, err, rep.Failure)
		}
		again, err := Replay(rep.Failure.Token)
		if err != nil || again.Failure == nil || again.Failure.Message != rep.Failure.Message {
			t.Errorf("%s: replay: %v %v, want %v", kind, err, again.Failure, rep.Failure)
		}
		// One add by itself needs as many accesses.
		m, err := Engine().Minimise(rep.Failure.Token, harness.Reduction{})
		if err != nil || m.Failure.Kind != kind || m.Program != "S04AddCollisionEmpty-1.1" {
			t.Errorf("%s: minimised to %s: %v %v", kind, m.Program, err, m.Failure)
		}
	}
}
