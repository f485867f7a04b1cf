package main

import (
	"strings"
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
	if v := judgeOwners(t.Context(), counts, owner.Witnesses()); v.status != evidence.Pass {
		t.Errorf("%v: %s", v.status, v.detail)
	}
	never := owner.Property{Name: "Never", State: func(*owner.Machine, *owner.State) bool { return true }}
	v := judgeOwners(t.Context(), counts, append(owner.Witnesses(), never))
	if v.status != evidence.Fail || !strings.Contains(v.detail, "Never") {
		t.Errorf("a witness that nothing violates is %v: %s", v.status, v.detail)
	}
	first := owner.Programs()[0].Name
	e := counts[first]
	e.Distinct++
	counts[first] = e
	if v := judgeOwners(t.Context(), counts, owner.Witnesses()); v.status != evidence.Fail {
		t.Errorf("a count that differs is %v: %s", v.status, v.detail)
	}
	e.Distinct--
	e.Depth++
	counts[first] = e
	if v := judgeOwners(t.Context(), counts, owner.Witnesses()); v.status != evidence.Fail {
		t.Errorf("a depth that differs is %v: %s", v.status, v.detail)
	}
	delete(counts, first)
	if v := judgeOwners(t.Context(), counts, owner.Witnesses()); v.status != evidence.Unknown {
		t.Errorf("nothing to compare with is %v: %s", v.status, v.detail)
	}
}

// A witness that no state and no step violates stays unseen, and the verdict names it.
func TestOwnerWitnessesStayUnseen(t *testing.T) {
	m, err := owner.New(owner.Programs()[0])
	if err != nil {
		t.Fatal(err)
	}
	unseen := unseenOwners{}
	for _, p := range owner.Witnesses() {
		unseen[p.Name] = p
	}
	all := len(unseen)
	s := m.Initial()
	unseen.state(m, &s)
	unseen.step(m, &s, &s)
	if len(unseen) != all || all == 0 {
		t.Errorf("at the start %d of %d witnesses count as seen", all-len(unseen), all)
	}
	never := owner.Property{Name: "Never", State: func(*owner.Machine, *owner.State) bool { return true }}
	if v := (unseenOwners{"Never": never}).verdict(); v.status != evidence.Fail {
		t.Errorf("a witness that is not seen is %v: %s", v.status, v.detail)
	}
	if v := (unseenOwners{}).verdict(); v.status != evidence.Pass {
		t.Errorf("no witness left to see is %v: %s", v.status, v.detail)
	}
}
