//go:build explore

package processes

import (
	"errors"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
)

// stranger is no tally.
type stranger struct{}

func (stranger) String() string { return "" }

// Each search is checked, with a death of a process at least, and what it leaves out is said.
func TestChecks_AreOfAllSearches(t *testing.T) {
	checks := Checks()
	if len(checks) != len(Searches()) || len(checks) != len(bounds) {
		t.Fatalf("%d checks of %d searches, %d bounds", len(checks), len(Searches()), len(bounds))
	}
	for i, s := range Searches() {
		c := checks[i]
		if c.Name != s.Name || c.Options.Kills == 0 || c.Missing == nil {
			t.Errorf("%s: %+v", s.Name, c)
		}
		if whole := c.Options.Preemptions == explore.Unbounded; whole != c.Options.Reduce {
			t.Errorf("%s: %+v is neither all interleavings nor bounded", s.Name, c.Options)
		}
	}
}

// A check that comes to its end has a figure and no error. The canaries: the same program without the deaths
// that it is about, and tallies in which something is missing.
func TestChecks_PassAndFail(t *testing.T) {
	c := Checks()[5] // the smallest with processes of its own
	c.Options.Kills = 1
	say := func(string) {}
	if r := c.Run(t.Context(), say); c.Name != "ProcessClear" || r.Err != nil || r.Executions < 100 {
		t.Errorf("%s: %+v", c.Name, r)
	}
	c.Options.Kills = 0
	if r := c.Run(t.Context(), say); !errors.Is(r.Err, processes.ErrMissing) || r.Unknown {
		t.Errorf("nothing happens: %+v", r)
	}
	for name, happened := range map[string]Tally{
		"nothing":             {},
		"no entry is cleared": {Reused: 1, Finished: 1},
		"all":                 {Cleared: 1, Reused: 1, Finished: 1},
	} {
		if text := missing("ProcessClear")(happened); (text == "") != (name == "all") {
			t.Errorf("%s: %q", name, text)
		}
	}
	if missing("ProcessClear")(stranger{}) == "" {
		t.Error("what is no tally passes")
	}
}
