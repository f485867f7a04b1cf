package foreign

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestRaces_Accesses: each kind of access to memory counts, and where it is made: it races with another one
// that nothing orders, and with no other one.
func TestRaces_Accesses(t *testing.T) {
	const fewest = 11
	_, r := exploredIn(t, "./testdata/accesses", Options{Test: "Race|Right", Races: true, Seed: 1})
	races := 0
	for _, s := range r.Results {
		switch {
		case !strings.HasPrefix(s.Name, "TestRace_"):
			if s.Status != driver.Clean || !s.Reduced && !s.Exhaustive {
				t.Errorf("%s: %s, %s", s.Name, s.Status, s.Message)
			}
		case s.Status != driver.Found || s.Kind != "race":
			t.Errorf("%s: %s, %s, %s", s.Name, s.Status, s.Kind, s.Message)
		default:
			races++
		}
	}
	if races < fewest || races == len(r.Results) {
		t.Errorf("%d races in %d tests", races, len(r.Results))
	}
}
