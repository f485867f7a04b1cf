//go:build explore

package hostile

import (
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/hostile"
)

// Each program is checked: those of one actor whole.
func TestChecks_AreOfAllPrograms(t *testing.T) {
	checks := Checks()
	if len(checks) != len(Programs()) {
		t.Fatalf("%d checks of %d programs", len(checks), len(Programs()))
	}
	for i, p := range Programs() {
		c := checks[i]
		whole := c.Options.Preemptions == explore.Unbounded
		if c.Name != p.Name || whole != (len(p.Cast) == 1) {
			t.Errorf("%s: %+v", p.Name, c)
		}
	}
}

// The smallest program passes, and a tally in which something is missing does not.
func TestChecks_PassAndFail(t *testing.T) {
	for _, c := range Checks() {
		if c.Name != "HostileUpdate" {
			continue
		}
		if r := c.Run(t.Context(), func(string) {}); r.Err != nil || r.Executions < 1000 {
			t.Errorf("%+v", r)
		}
	}
	met := hostile.Tally{Words: 1, Met: 1}
	for name, happened := range map[string]Tally{
		"nothing":         {},
		"nobody meets it": {Tally: hostile.Tally{Words: 1}, Corrupt: 1},
		"nobody tells":    {Tally: met},
		"all":             {Tally: met, Corrupt: 1},
	} {
		if text := missing(happened); (text == "") != (name == "all") {
			t.Errorf("%s: %q", name, text)
		}
	}
	if missing(met) == "" {
		t.Error("what is no tally of this package passes")
	}
}
