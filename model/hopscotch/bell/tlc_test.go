package bell

import (
	"reflect"
	"slices"
	"testing"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
)

var spec = samestates.Model[Config, *Machine, State, Action, fault]{
	Part: samestates.Part{Dir: "../../../spec/tla/hopscotch", Module: "MCBell", Prefix: "Bell_"},
	New:  New, Variables: (*Machine).Variables,
	Spoil:      func(m *Machine, f fault) { m.hook = f },
	Properties: slices.Concat(Properties(), Witnesses()),
	ComesAbout: []string{OwedIsDone, AllIsDone}, Live: LiveByName,
	Fairness: []string{"CanStep", "StepsAreSeen"},
	Actions:  Actions(),
	Faults:   faults,
}

// The actions are those of the catalog.
func TestActionsAreThoseOfTheCatalog(t *testing.T) {
	var names []string
	for _, a := range register.BellActions() {
		names = append(names, a.Name)
	}
	ours := Actions()
	slices.Sort(names)
	slices.Sort(ours)
	if !slices.Equal(names, ours) {
		t.Errorf("the catalog has %v, the model %v", names, ours)
	}
}

// The programs are the complete runs of the manifest, with the same constants.
func TestProgramsAreTheRuns(t *testing.T) {
	var names []string
	for _, r := range spec.Manifest(t) {
		if r.Expect != tlc.OK {
			continue
		}
		if r.Live != LiveOf(r.Name) {
			t.Errorf("%s: %s must come about, the model says %s", r.Name, r.Live, LiveOf(r.Name))
		}
		names = append(names, r.Name)
		if p, ok := ProgramByName(r.Name); !ok || !reflect.DeepEqual(p, r.Config) {
			t.Errorf("%s: the model has %+v, the configuration says %+v", r.Name, p, r.Config)
		}
	}
	var ours []string
	for _, p := range Programs() {
		ours = append(ours, p.Name)
	}
	if !slices.Equal(names, ours) {
		t.Errorf("the manifest has complete runs %v, the model has programs %v", names, ours)
	}
}

func TestSameVerdictAsManifest(t *testing.T) { spec.SameVerdicts(t) }

func TestSameStatesAsTLC(t *testing.T) { spec.SameStates(t, nil, nil) }

func TestOneWordMakesStatesDiffer(t *testing.T) { spec.OneWord(t, "BellRungByTheBound") }
