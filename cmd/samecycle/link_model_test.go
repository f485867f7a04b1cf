package main

import (
	"context"
	"maps"
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
	r := modelLink{model: model}.record(t.Context(), "S01AddEmpty", nil)
	text := strings.Join(r.Detail, "\n")
	if r.Status != evidence.Fail || text != "S01AddEmpty: InOrder is violated after 23 steps" {
		t.Errorf("%s: %s", r.Status, text)
	}
}

// TestModelRecord is the canary of the link: another count, no count to compare with, a search
// that ended early and a state without a program do not pass. The expected count is TLC's, from
// the manifest of the specification.
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
	for name, c := range map[string]struct {
		ctx    context.Context
		state  string
		counts map[string]tlc.Entry
		status evidence.Status
		says   string
	}{
		"as TLC": {context.Background(), "S01AddEmpty", counts, evidence.Pass, "as TLC"},
		"another count": {context.Background(), "S01AddEmpty",
			instead(func(e *tlc.Entry) { e.Distinct++ }), evidence.Fail, "TLC has"},
		"no count":    {context.Background(), "S01AddEmpty", nil, evidence.Unknown, "no complete run"},
		"ended early": {ended, "S01AddEmpty", counts, evidence.Unknown, "not finished"},
		"no count in it": {context.Background(), "S01AddEmpty",
			instead(func(e *tlc.Entry) { e.Distinct, e.Depth = 0, 0 }), evidence.Unknown, "no count of TLC"},
		"no program": {context.Background(), "S99Nothing", nil, evidence.Fail, "never happens"},
	} {
		r := modelLink{model: table.Model, specs: table.Specs}.record(c.ctx, c.state,
			c.counts)
		if r.Status != c.status || !strings.Contains(strings.Join(r.Detail, "\n"), c.says) {
			t.Errorf("%s: status %s, want %s and %q:\n%s", name, r.Status, c.status, c.says,
				strings.Join(r.Detail, "\n"))
		}
	}
}
