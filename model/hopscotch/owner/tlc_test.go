package owner

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

type run = samestates.ModelRun[Config, *Machine, State]

var spec = samestates.Model[Config, *Machine, State, Action, fault]{
	Part: samestates.Part{Dir: "../../../spec/tla/hopscotch", Module: "MCOwner", Prefix: "Owner_"},
	New:  New, Variables: (*Machine).Variables, Special: actors,
	Spoil:      func(m *Machine, f fault) { m.hook = f },
	Properties: slices.Concat(Properties(), Witnesses()),
	ComesAbout: []string{NoneStaysWithTheDead},
	Live:       func(m *Machine, _ string) (*search.Live[State, Action], bool) { return LiveOf(m), true },
	Actions:    Actions(),
	Faults:     faults,
}

// actors reads the set of actors, which is a number in the model.
func actors(field reflect.Value, name, value string, numbers []int) bool {
	if name != "Actors" || !strings.HasPrefix(value, "{") || slices.Max(numbers) != len(numbers) {
		return false
	}
	field.SetInt(int64(len(numbers)))
	return true
}

// The actions are those of the catalog.
func TestActionsAreThoseOfTheCatalog(t *testing.T) {
	var names []string
	for _, a := range register.OwnerActions() {
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
		if r.Kind == tlc.Witness {
			continue
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

func TestSameVerdictAsManifest(t *testing.T) {
	for _, r := range spec.Manifest(t) {
		if list := lacking(r); len(list) > 0 {
			t.Errorf("%s does not check %v", r.Name, list)
		}
	}
	spec.SameVerdicts(t)
}

// lacking are the properties that a run does not check, and should: of a complete one all, but in one run
// another one is to break first.
func lacking(r run) (list []string) {
	for _, p := range Properties() {
		has := slices.ContainsFunc(r.Properties, func(x Property) bool { return x.Name == p.Name })
		if !has && r.Kind == tlc.Safety && (r.Name != "Owner_Again" || p.Name != "J3FreeIsEmpty") {
			list = append(list, p.Name)
		}
	}
	return list
}

func TestSameStatesAsTLC(t *testing.T) { spec.SameStates(t, nil, nil) }

func TestOneWordMakesStatesDiffer(t *testing.T) { spec.OneWord(t, "OwnerAlwaysCertain") }
