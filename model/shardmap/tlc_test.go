package shardmap

import (
	"slices"
	"testing"

	catalog "github.com/samecycle/samecycle/internal/catalog/shardmap"
	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

type run = samestates.ModelRun[Config, *Machine, State]

var spec = samestates.Model[Config, *Machine, State, Action, fault]{
	Part: samestates.Part{Dir: "../../spec/tla/shardmap", Module: "MCShardMap"},
	New:  New, Variables: (*Machine).Variables,
	Spoil:      func(m *Machine, f fault) { m.hook = f },
	Properties: slices.Concat(Properties(), Overclaims(), Witnesses()),
	// The refinement is no formula of one step in the specification; the seeded faults hold the model's
	// against it.
	Unasked:    []string{"CacheRefined"},
	ComesAbout: []string{EverybodyEnds, ComesBack}, Live: LiveByName,
	Fairness: []string{"CanStep", "StepsAreSeen"},
	Actions:  Actions(),
	Faults:   faults,
}

// The actions are those of the catalog, in its order.
func TestActionsAreThoseOfTheCatalog(t *testing.T) {
	var names []string
	for _, a := range catalog.Actions() {
		names = append(names, a.Name)
	}
	if ours := Actions(); !slices.Equal(names, ours) {
		t.Errorf("the catalog has %v, the model %v", names, ours)
	}
	for _, name := range names {
		if a, ok := ActionByName(name); !ok || a.String() != name {
			t.Errorf("%s is not found by its name", name)
		}
	}
}

// Each program is that of a run, and no run has the constants of the complete runs otherwise than As.
func TestProgramsAreThoseOfTheRuns(t *testing.T) {
	var all []samestates.Program[Config]
	for _, p := range Programs() {
		m, err := As(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, samestates.Program[Config]{Name: p.Name, State: p.State, Config: m.c})
	}
	spec.ProgramsOfRuns(t, all)
	for _, r := range spec.Manifest(t) {
		p, _ := ProgramByName(r.Config.Program)
		if p.Deadlocks != (r.Expect == tlc.Deadlock && len(r.Config.Without) == 0) {
			t.Errorf("%s expects %s; its program deadlocks: %v", r.Name, r.Expect, p.Deadlocks)
		}
	}
}

func TestSameVerdictAsManifest(t *testing.T) { spec.SameVerdicts(t) }

// Left out are the runs with a deadlock, where a search ends.
func TestSameStatesAsTLC(t *testing.T) {
	spec.SameStates(t, nil, func(r run) bool {
		x := search.Explore(t.Context(), spec.Machine(t, r), search.Options[*Machine, State, Action]{})
		return x.Violation != nil && x.Violation.Property == search.Deadlock
	})
}
