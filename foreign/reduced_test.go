package foreign

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestReduced: with Races tests that are clean within the bound on preemptions are searched in all their
// interleavings, independent steps in one order. What this finds can be replayed and minimised.
func TestReduced(t *testing.T) {
	w, r := exploredIn(t, "./testdata/reduced", Options{Test: "Wrong|Right", Races: true, Seed: 1})
	wrong := map[string]string{"TestWrong_InTurn": "verdict", "TestWrong_Race": "race"}
	for _, s := range r.Results {
		kind, fails := wrong[s.Name]
		switch {
		case fails:
			if s.Status != driver.Found || s.Kind != kind || s.Preemptions <= driver.DefaultPreemptions ||
				!strings.Contains(s.Token, "%23test%2Creduced%23") ||
				!strings.Contains(s.HTML, s.Name+" of ./") {
				t.Errorf("%s: %s, %s with %d preemptions, %s", s.Name, s.Status, s.Kind, s.Preemptions,
					s.Token)
			}
			for name, again := range map[string]func() (Report, error){
				"replayed":  func() (Report, error) { return w.Replay(t.Context(), s.Token) },
				"minimised": func() (Report, error) { return w.Minimise(t.Context(), s.Token) },
			} {
				if x, err := again(); err != nil || x.Results[0].Kind != kind ||
					x.Results[0].Preemptions > s.Preemptions {
					t.Errorf("%s %s: %v, %+v", s.Name, name, err, x.Results)
				}
			}
		case s.Name == "TestRight_Ticks":
			if s.Status != driver.Clean || s.Complete != 0 || s.Reduced {
				t.Errorf("%s: %s, reduced %v, %s", s.Name, s.Status, s.Reduced, s.Message)
			}
		case s.Status != driver.Clean || s.Complete != 1 || !s.Reduced || s.Starvation != 0:
			t.Errorf("%s: %s, reduced %v, %s", s.Name, s.Status, s.Reduced, s.Message)
		}
	}
	const covered = " all interleavings, independent steps in one order\n"
	if text := r.Text(); len(r.Results) != 6 || strings.Count(text, covered) != 3 ||
		!strings.Contains(text, "steps are independent if neither ") {
		t.Errorf("%d tests: %s", len(r.Results), text)
	}
}

// TestReduced_WithoutRaces: without Races nothing orders the accesses of plain memory, so nothing is reduced.
func TestReduced_WithoutRaces(t *testing.T) {
	_, r := exploredIn(t, "./testdata/reduced", Options{Test: "Wrong|_Locked", Seed: 1})
	for _, s := range r.Results {
		if s.Status != driver.Clean || s.Complete != 0 || s.Reduced {
			t.Errorf("%s: %s, %d complete, reduced %v", s.Name, s.Status, s.Complete, s.Reduced)
		}
	}
	const hint = "with --races tests are also searched in all their interleavings, if these are few enough"
	if text := r.Text(); len(r.Results) != 3 || !strings.Contains(text, hint) {
		t.Error(text)
	}
}

// TestRaces_Library: two goroutines that use a value of the standard library race, if its type does not allow
// that and one of them changes the value.
func TestRaces_Library(t *testing.T) {
	_, r := exploredIn(t, "./testdata/reduced", Options{Test: "Library", Races: true, Seed: 1})
	for _, s := range r.Results {
		name := strings.TrimPrefix(s.Name, "TestLibrary_")
		switch said := map[string]string{"Buffer": "write of b by ", "Reader": "write of r by ",
			"Form": " of form by "}[name]; {
		case name == "TestLocked_Library":
			if s.Status != driver.Clean || !s.Reduced {
				t.Errorf("%s: %s, %s", s.Name, s.Status, s.Message)
			}
		case s.Kind != "race" || !strings.Contains(s.Message, said):
			t.Errorf("%s: %s, %s", s.Name, s.Status, s.Message)
		}
	}
	if len(r.Results) != 4 {
		t.Errorf("%d tests", len(r.Results))
	}
}
