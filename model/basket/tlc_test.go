package basket

import (
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
)

var spec = samestates.Model[Config, *Machine, State, Move, fault]{
	Part: samestates.Part{Dir: "../../spec/tla/basket", Module: "MCBasket"},
	New:  New, Variables: (*Machine).Variables,
	Spoil:      func(m *Machine, f fault) { m.hook = f },
	Properties: slices.Concat(Properties(), Witnesses()),
	// The refinement is no formula of one step in the specification; the seeded faults hold the model's
	// against it.
	Unasked:    []string{"ToldRefined"},
	ComesAbout: []string{LoneEnds, RoomEnds}, Live: LiveByName,
	Fairness: []string{"CanStep", "StepsAreSeen"},
	Actions:  append(Actions(), otherNames[:]...),
	Faults:   faults,
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

// everyDay are the runs whose states are compared each time: one of each form of the memory, with deaths,
// moves, installed adds, hands, chains, tiers and lanes, and one that lacks a rule.
var everyDay = []string{c02 + "_Last", c04, c05 + "_Lanes", c06 + "_Three", c07 + "_New", c07 + "_Get",
	c09 + "_Cut", c10 + "_New", c11 + "_Scarce", c13, c20 + "_Again",
	c20 + "_Tiers", "Bug_C01Version"}

func TestSameStatesAsTLC(t *testing.T) { spec.SameStates(t, everyDay, nil) }
