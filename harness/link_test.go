package harness

import (
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/linearizability"
)

// TestRecords_NameTheOtherLink: what one link refuses, the other one has not judged, and does not tell again.
func TestRecords_NameTheOtherLink(t *testing.T) {
	e := &Engine{Engine: &catalog.Engine{}}
	of := func(err error) []Report {
		r := Report{Report: explore.Report{Failure: &explore.Failure{Err: err, Token: "t"}}}
		r.Program = "P01"
		return []Report{r}
	}
	history := of(&linearizability.Failure{Outcome: linearizability.Illegal})
	for text, r := range map[string]evidence.Record{
		"P01: not judged, because the link engine refused this program": e.historiesRecord("P01Toy",
			of(&Rejection{Program: "P01", Guard: "the model 2"})),
		"P01: not judged, because the link histories refused this program": e.engineRecord("P01Toy", history),
	} {
		if r.Status != evidence.Unknown || r.Detail[0] != text || r.Replay != "t" {
			t.Errorf("%s, replay %q: %q, want %q", r.Status, r.Replay, r.Detail, text)
		}
	}
}
