//go:build explore

package scenarios

import (
	"slices"
	"testing"

	"github.com/samecycle/samecycle/scenarios/hopscotch/hostile"
	"github.com/samecycle/samecycle/scenarios/hopscotch/processes"
)

// TestShared_AllThatBelongsToNoState: the link of the engine runs every program of processes and of a writer;
// the smallest of them pass there, with a figure.
func TestShared_AllThatBelongsToNoState(t *testing.T) {
	var want, got []string
	for _, s := range slices.Concat(processes.Searches(), hostile.Searches()) {
		want = append(want, s.Name)
	}
	for _, s := range Engine().Shared {
		got = append(got, s.Name)
		if s.Name != "ProcessNamingOpen" && s.Name != "HostileUpdate" {
			continue
		}
		r := s.Run(t.Context(), func(string) {})
		if r.Err != nil || r.Unknown || r.Executions < 1000 || r.Bound == "" || r.Token != "" {
			t.Errorf("%s: %+v", s.Name, r)
		}
	}
	if !slices.Equal(want, got) || len(got) < 20 {
		t.Errorf("the link runs %v, want %v", got, want)
	}
}
