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

// TestTold_Hung: of an actor that does not come back the place in the engine's code is told, if it is there.
func TestTold_Hung(t *testing.T) {
	const stack = "goroutine 7 [running]:\ntime.now()\n\t/go/src/time/time.go:9 +0x1\n" +
		"example.org/m/impl/ring.(*Ring).Pop(0xc000, 0x1)\n\t/home/x/impl/ring/ring.go:41 +0x2c\n" +
		"example.org/m/impl/ring.(*Ring).Push(...)\n\t/home/x/impl/ring/ring.go:12\n"
	f := &explore.Failure{Kind: explore.Hung, Message: "no scheduling point", Token: "t"}
	const without = "hung: no scheduling point (replay token t)"
	for want, stacks := range map[string][]string{
		without: {"goroutine 7 [running]:\nmain.f()\n\t/main.go:1 +0x1"},
		without + "; an actor is in ring.(*Ring).Pop at impl/ring/ring.go:41": {
			"goroutine 6 [select]:", stack}} {
		f.Stacks = stacks
		if got := told(f); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
