package control

import (
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/model/search"
)

type run = samestates.ModelRun[Config, *Machine, State]

var spec = samestates.Model[Config, *Machine, State, Move, fault]{
	Part: samestates.Part{Dir: "../../spec/tla/control", Module: "MCControl"},
	New:  New, Variables: (*Machine).Variables,
	Spoil:      func(m *Machine, f fault) { m.hook = f },
	Properties: slices.Concat(Properties(), Witnesses()),
	ComesAbout: []string{ComesAbout},
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

// everyDay are the runs whose states are compared each time: of leases, of live parameters, of levels, of
// penalties and of handovers, with deaths, and some that lack a rule.
var everyDay = []string{p01 + "_Words", p02, p03 + "_Leave", p04, p05 + "_Words", p06, p07 + "_Again",
	p07 + "_Room", p08, p09 + "_Over", p09 + "_Served", "Bug_P09Behind",
	"Bug_P03Clock", "Bug_P05Pair"}

func TestSameStatesAsTLC(t *testing.T) {
	spec.SameStates(t, everyDay, func(run) bool { return false })
}
