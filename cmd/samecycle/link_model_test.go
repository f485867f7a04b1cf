package main

import (
	"context"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/tlc"
)

// TestModelRecord is the canary of the link: another count, no count to compare with, a search
// that ended early and a state without a program do not pass. The expected count is TLC's, from
// the manifest of the specification.
func TestModelRecord(t *testing.T) {
	m, err := tlc.LoadManifest("../../" + specDir)
	if err != nil {
		t.Fatal(err)
	}
	var tlcs tlc.Entry
	for _, e := range m.Entries {
		if e.Kind == tlc.Safety && e.Name == "S01AddEmpty" {
			tlcs = e
		}
	}
	more := tlcs
	more.Distinct++
	ended, end := context.WithCancel(context.Background())
	end()
	for name, c := range map[string]struct {
		ctx    context.Context
		state  string
		counts map[string]tlc.Entry
		status evidence.Status
		says   string
	}{
		"as TLC": {context.Background(), "S01AddEmpty",
			map[string]tlc.Entry{tlcs.Name: tlcs}, evidence.Pass, "as TLC"},
		"another count": {context.Background(), "S01AddEmpty",
			map[string]tlc.Entry{tlcs.Name: more}, evidence.Fail, "TLC has"},
		"no count": {context.Background(), "S01AddEmpty", nil, evidence.Unknown, "no safety run"},
		"ended early": {ended, "S01AddEmpty",
			map[string]tlc.Entry{tlcs.Name: tlcs}, evidence.Unknown, "not finished"},
		"no count in it": {context.Background(), "S01AddEmpty",
			map[string]tlc.Entry{tlcs.Name: {Name: tlcs.Name, Kind: tlc.Safety}}, evidence.Unknown,
			"no count of TLC"},
		"no program": {context.Background(), "S99Nothing", nil, evidence.Fail, "never happens"},
	} {
		r := modelRecord(c.ctx, c.state, c.counts)
		if r.Status != c.status || !strings.Contains(strings.Join(r.Detail, "\n"), c.says) {
			t.Errorf("%s: status %s, want %s and %q:\n%s", name, r.Status, c.status, c.says,
				strings.Join(r.Detail, "\n"))
		}
	}
}
