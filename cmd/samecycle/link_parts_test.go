//go:build !explore

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

// Owner words and the bell are judged with the model, and a count that is not TLC's is seen.
func TestPartsAreJudged(t *testing.T) {
	t.Run("owner words", func(t *testing.T) { testPart(t, owners()) })
	t.Run("the bell", func(t *testing.T) { testPart(t, bells()) })
}

func testPart[M search.Machine[S, A], S comparable, A fmt.Stringer](t *testing.T, p partModel[M, S, A]) {
	m, err := tlc.LoadManifest("../../" + specDir)
	if err != nil {
		t.Fatal(err)
	}
	counts := completeRuns(m)
	if v := judgePart(t.Context(), p, counts); v.status != evidence.Pass {
		t.Errorf("%v: %s", v.status, v.detail)
	}
	never := p
	never.witnesses = append(slices.Clip(p.witnesses),
		search.Property[M, S]{Name: "Never", State: func(M, *S) bool { return true }})
	v := judgePart(t.Context(), never, counts)
	if v.status != evidence.Fail || !strings.Contains(v.detail, "Never") {
		t.Errorf("a witness that nothing violates is %v: %s", v.status, v.detail)
	}
	first := p.programs[0].name
	e := counts[first]
	e.Distinct++
	counts[first] = e
	if v := judgePart(t.Context(), p, counts); v.status != evidence.Fail {
		t.Errorf("a count that differs is %v: %s", v.status, v.detail)
	}
	e.Distinct--
	e.Depth++
	counts[first] = e
	if v := judgePart(t.Context(), p, counts); v.status != evidence.Fail {
		t.Errorf("a depth that differs is %v: %s", v.status, v.detail)
	}
	delete(counts, first)
	if v := judgePart(t.Context(), p, counts); v.status != evidence.Unknown {
		t.Errorf("nothing to compare with is %v: %s", v.status, v.detail)
	}
}

// A witness that no state and no step violates stays unseen, and the verdict names it.
func TestWitnessesOfPartsStayUnseen(t *testing.T) {
	t.Run("owner words", func(t *testing.T) { testUnseen(t, owners()) })
	t.Run("the bell", func(t *testing.T) { testUnseen(t, bells()) })
}

func testUnseen[M search.Machine[S, A], S comparable, A fmt.Stringer](t *testing.T, p partModel[M, S, A]) {
	m, err := p.programs[0].make()
	if err != nil {
		t.Fatal(err)
	}
	unseen := unseenWitnesses[M, S]{}
	for _, w := range p.witnesses {
		unseen[w.Name] = w
	}
	all := len(unseen)
	s := m.Initial()
	unseen.state(m, &s)
	unseen.step(m, &s, &s)
	if len(unseen) != all || all == 0 {
		t.Errorf("at the start %d of %d witnesses count as seen", all-len(unseen), all)
	}
	if v := unseen.verdict(p.what); v.status != evidence.Fail {
		t.Errorf("a witness that is not seen is %v: %s", v.status, v.detail)
	}
	if v := (unseenWitnesses[M, S]{}).verdict(p.what); v.status != evidence.Pass {
		t.Errorf("no witness left to see is %v: %s", v.status, v.detail)
	}
}
