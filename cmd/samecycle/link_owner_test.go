package main

import (
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/owner"
)

// The owner words are judged with the model, and a count that is not TLC's is seen.
func TestOwnerWordsAreJudged(t *testing.T) {
	m, err := tlc.LoadManifest("../../" + specDir)
	if err != nil {
		t.Fatal(err)
	}
	counts := completeRuns(m)
	if v := judgeOwners(t.Context(), counts); v.status != evidence.Pass {
		t.Errorf("%v: %s", v.status, v.detail)
	}
	first := owner.Programs()[0].Name
	e := counts[first]
	e.Distinct++
	counts[first] = e
	if v := judgeOwners(t.Context(), counts); v.status != evidence.Fail {
		t.Errorf("a count that differs is %v: %s", v.status, v.detail)
	}
	delete(counts, first)
	if v := judgeOwners(t.Context(), counts); v.status != evidence.Unknown {
		t.Errorf("nothing to compare with is %v: %s", v.status, v.detail)
	}
}
