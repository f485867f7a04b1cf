package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/scenarios/engines"
)

// TestModelRecord_Violation: the violation of a property ends the search, so that the race does not happen.
// The violation is the message, and not the race.
func TestModelRecord_Violation(t *testing.T) {
	run := func(context.Context) search.Found {
		return search.Found{Exhaustive: true, Violation: "InOrder is violated after 23 steps"}
	}
	model := search.Model{Tasks: []search.Task{{Name: "S01AddEmpty", State: "S01AddEmpty", Run: run}}}
	r, err := (&modelJudge{model: model}).record(t.Context(), "S01AddEmpty")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(r.Detail, "\n")
	if r.Status != evidence.Fail || text != "S01AddEmpty: InOrder is violated after 23 steps" {
		t.Errorf("%s: %s", r.Status, text)
	}
}

// TestModelRecord is the canary of the link: another count, no count to compare with, other states of the
// same number, a search that ended early and a state without a program do not pass. The expected
// count is TLC's, from the manifest of the specification.
func TestModelRecord(t *testing.T) {
	m, err := tlc.LoadManifest("../../" + specDir)
	if err != nil {
		t.Fatal(err)
	}
	counts := completeRuns(m)
	instead := func(change func(*tlc.Entry)) map[string]tlc.Entry {
		changed, e := maps.Clone(counts), counts["S01AddEmpty"]
		change(&e)
		changed[e.Name] = e
		return changed
	}
	table, _ := engines.ByName("hopscotch")
	ended, end := context.WithCancel(context.Background())
	end()
	same := func(_ context.Context, names []string) (comparison, error) {
		return comparison{same: names}, nil
	}
	others := func(_ context.Context, names []string) (comparison, error) {
		return comparison{same: names[1:], said: "a state in TLC only"}, nil
	}
	type states = func(context.Context, []string) (comparison, error)
	for name, c := range map[string]struct {
		ctx     context.Context
		state   string
		counts  map[string]tlc.Entry
		compare states
		status  evidence.Status
		says    string
	}{
		"as TLC":       {context.Background(), "S01AddEmpty", counts, same, evidence.Pass, "the same as"},
		"other states": {context.Background(), "S01AddEmpty", counts, others, evidence.Fail, "in TLC only"},
		"no test":      {context.Background(), "S01AddEmpty", counts, nil, evidence.Pass, "has no TestSame"},
		"another count": {context.Background(), "S01AddEmpty",
			instead(func(e *tlc.Entry) { e.Distinct++ }), same, evidence.Fail, "TLC has"},
		"not since": {context.Background(), "S01AddEmpty",
			instead(func(e *tlc.Entry) { e.Large = true }), same, evidence.Pass, "but not since"},
		"no count":    {context.Background(), "S01AddEmpty", nil, same, evidence.Unknown, "no complete run"},
		"ended early": {ended, "S01AddEmpty", counts, same, evidence.Unknown, "not finished"},
		"no count in it": {context.Background(), "S01AddEmpty",
			instead(func(e *tlc.Entry) { e.Distinct, e.Depth = 0, 0 }), same, evidence.Unknown,
			"no count of TLC"},
		"no program": {context.Background(), "S99Nothing", nil, same, evidence.Fail, "never happens"},
	} {
		j := modelJudge{model: table.Model, counts: c.counts, compare: c.compare}
		r, err := j.record(c.ctx, c.state)
		if err != nil || r.Status != c.status || !strings.Contains(strings.Join(r.Detail, "\n"), c.says) {
			t.Errorf("%s: status %s, want %s and %q: %v\n%s", name, r.Status, c.status, c.says, err,
				strings.Join(r.Detail, "\n"))
		}
	}
}

// TestModelStateTests: the tests that compare states are found, in the packages of the parts as well; a
// model without one has none.
func TestModelStateTests(t *testing.T) {
	table, _ := engines.ByName("hopscotch")
	found, err := modelLink{specs: table.Specs}.stateTests("../..")
	if err != nil || !slices.Contains(found, "model/hopscotch") ||
		!slices.Contains(found, "model/hopscotch/bell") {
		t.Errorf("%q, %v", found, err)
	}
	if found, err := (modelLink{specs: table.Specs}).stateTests(t.TempDir()); err != nil || len(found) > 0 {
		t.Errorf("without a model: %q, %v", found, err)
	}
}
