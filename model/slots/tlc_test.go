package slots

import (
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

type run = samestates.ModelRun[Config, *Machine, State]

var spec = samestates.Model[Config, *Machine, State, Move, fault]{
	Part: samestates.Part{Dir: "../../spec/tla/slots", Module: "MCSlots"},
	New:  New, Variables: (*Machine).Variables,
	Spoil:      func(m *Machine, f fault) { m.hook = f },
	Properties: slices.Concat(Properties(), Witnesses()),
	ComesAbout: []string{LoneEnds},
	Live:       func(m *Machine, _ string) (*search.Live[State, Move], bool) { return m.Live(), true },
	Fairness:   []string{"CanStep", "StepsAreSeen"},
	Actions:    append(Actions(), otherNames[:]...),
	Faults:     faults,
}

// Each program is that of a run, and no complete run has other constants than As.
func TestProgramsAreThoseOfTheRuns(t *testing.T) {
	var all []samestates.Program[Config]
	for _, p := range Programs() {
		m, err := As(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, samestates.Program[Config]{Name: p.Name, State: p.State, Config: m.c,
			Live: m.Live().Name})
	}
	spec.ProgramsOfRuns(t, all)
}

func TestSameVerdictAsManifest(t *testing.T) { spec.SameVerdicts(t) }

// everyDay are the runs whose states are compared each time: with time-outs, deaths of either side, waits
// without a bound, two slots, and one that lacks a rule.
var everyDay = []string{b01, b02, b03 + "_Serving", b04, b05, "Bug_B01Bound"}

// together are the runs in which two services work at the same time, which has too many states for a test.
var together = []string{"Bug_B02Service", "Bug_B02Owner"}

// Left out are the runs that end in a deadlock and those of two services.
func TestSameStatesAsTLC(t *testing.T) {
	spec.SameStates(t, everyDay, func(r run) bool {
		return r.Expect == tlc.Deadlock || slices.Contains(together, r.Name)
	})
}
