package model

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
)

// reNumbered is a property with a number that a module defines.
var reNumbered = regexp.MustCompile(`(?m)^([A-Z]\d+\w+) ==`)

// besides are the modules with runs but MCHopscotch, by what these check that has no number.
var besides = map[string][]string{"MCAnnounce": nil, "MCLate": nil, linesModule: {"NothingLeaves"},
	scatteredModule: nil, "MCReaders": nil, "MCReclaim": nil, "MCOwner": {"MCTypes"},
	"MCBell": {"MCTypes", "CanStep", "StepsAreSeen"}, "Handed": {"HandedTypes"}}

// resultsOnly is what the runs of MCReaders check: there a get alone is another one, which changes nothing.
var resultsOnly = []string{"TypeOK", "I12ResultsAllowed"}

// programOf is what the actors do in a run of a module on top of MCHopscotch. In one run of MCAnnounce they
// do more than its scenario says, with the same services.
func programOf(t *testing.T, e tlc.Entry) [][]Op {
	t.Helper()
	for _, p := range slices.Concat(Scattered(), OnLines()) {
		if p.Name == e.Name {
			return p.Ops
		}
	}
	if p, ok := late[e.Name]; ok {
		return p.Ops
	}
	name := reScenario.FindStringSubmatch(e.Configuration())
	if name == nil {
		t.Fatalf("%s names no program", e.Name)
	}
	p, ok := ProgramByName(name[1])
	if !ok {
		t.Fatalf("%s: the model has no program %s", e.Name, name[1])
	}
	return p.Ops
}

// due are the properties that a run of such a module has to check, but those of liveness: the manifest names
// them.
func due(t *testing.T, e tlc.Entry) (list []string) {
	t.Helper()
	switch e.Module {
	case "MCReaders":
		return resultsOnly
	case "MCReclaim", "MCOwner", "MCBell", "Handed": // what they say is in properties of their own
		text := samestates.Read(t, filepath.Join(specDir, e.Module+".tla"))
		for _, m := range reNumbered.FindAllStringSubmatch(text, -1) {
			if e.Name != "Owner_Again" || m[1] != "J3FreeIsEmpty" { // which a number that comes again breaks
				list = append(list, m[1])
			}
		}
		return append(list, besides[e.Module]...)
	}
	ops := programOf(t, e)
	list = append(lacking(Config{Program: ops}), besides[e.Module]...)
	if e.Module == scatteredModule && len(ops) == 1 { // with another actor holes come and go
		list = append(list, "NearerHole")
	}
	return list
}

// missing are those that a text of its configuration does not check.
func missing(t *testing.T, e tlc.Entry, text string) (list []string) {
	t.Helper()
	checked := reProperty.FindAllString(reProperties.FindString(text), -1)
	for _, p := range due(t, e) {
		if !slices.Contains(checked, p) {
			list = append(list, p)
		}
	}
	return list
}

// Each run of the other modules checks every property, too: also one that must fail, where the one that is
// named has to be the first. Each is missed when it is taken out.
func TestOtherRunsCheckEverything(t *testing.T) {
	manifest, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]int{}
	for _, e := range manifest.Entries {
		if e.Module == modelled || e.Kind == tlc.Witness {
			continue
		}
		if _, ok := besides[e.Module]; !ok {
			t.Fatalf("nothing says what runs of %s check", e.Module)
		}
		if ofParts := e.Module == "MCOwner" || e.Module == "MCBell"; ofParts && e.Kind != tlc.Safety {
			continue // these are about one property
		}
		text := e.Configuration()
		if list := missing(t, e, text); len(list) > 0 {
			t.Errorf("%s does not check %v", e.Name, list)
		}
		if list := due(t, e); len(list) < 2 {
			t.Errorf("%s has to check %v alone", e.Name, list)
		}
		for _, p := range due(t, e) {
			without := regexp.MustCompile(`(?m)^  `+p+`$`).ReplaceAllString(text, "")
			if list := missing(t, e, without); !slices.Equal(list, []string{p}) {
				t.Errorf("%s without %s: %v is missed", e.Name, p, list)
			}
		}
		runs[e.Module]++
	}
	for module := range besides {
		if runs[module] < 2 {
			t.Errorf("the manifest has %d runs of %s", runs[module], module)
		}
	}
}
