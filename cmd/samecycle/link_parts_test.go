//go:build !explore

package main

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/scenarios/engines"
)

// Searches that belong to no state are judged with the model, and a count that is not TLC's is seen.
func TestSharedSearchesAreJudged(t *testing.T) {
	m, err := tlc.LoadManifest("../../" + specDir)
	if err != nil {
		t.Fatal(err)
	}
	table, _ := engines.ByName("hopscotch")
	shared := table.Model.Of("")
	if len(shared) != 2 {
		t.Fatalf("%d searches belong to no state, want those of owner words and of the bell", len(shared))
	}
	for _, s := range shared {
		t.Run(s.Name, func(t *testing.T) { judgesCounts(t, s, completeRuns(m)) })
	}
}

func judgesCounts(t *testing.T, s search.Task, counts map[string]tlc.Entry) {
	found := s.Run(t.Context())
	judgeSearch := func(s search.Task, found search.Found, counts map[string]tlc.Entry) modelVerdict {
		v := modelVerdict{search: s, found: found, status: evidence.Pass}
		var same []string
		for name := range counts {
			same = append(same, name)
		}
		j := modelJudge{counts: counts, compare: (*comparer)(nil).compare}
		v.judge(&j, comparison{same: same})
		return v
	}
	if v := judgeSearch(s, found, counts); v.status != evidence.Pass {
		t.Errorf("%v: %s", v.status, v.detail)
	}
	wrong := found
	wrong.Violation = "Something is violated"
	v := judgeSearch(s, wrong, counts)
	if v.status != evidence.Fail || !strings.Contains(strings.Join(v.detail, " "), wrong.Violation) {
		t.Errorf("a violation is %v: %s", v.status, v.detail)
	}
	early := found
	early.Exhaustive = false
	if v := judgeSearch(s, early, counts); v.status != evidence.Unknown {
		t.Errorf("a search that ended early is %v: %s", v.status, v.detail)
	}
	if v := judgeSearch(s, search.Found{Exhaustive: true}, counts); v.status != evidence.Unknown {
		t.Errorf("a search of nothing is %v: %s", v.status, v.detail)
	}
	first := found.Counts[0].Name
	e := counts[first]
	e.Distinct++
	counts[first] = e
	if v := judgeSearch(s, found, counts); v.status != evidence.Fail {
		t.Errorf("a count that differs is %v: %s", v.status, v.detail)
	}
	e.Distinct--
	e.Depth++
	counts[first] = e
	if v := judgeSearch(s, found, counts); v.status != evidence.Fail {
		t.Errorf("a depth that differs is %v: %s", v.status, v.detail)
	}
	delete(counts, first)
	if v := judgeSearch(s, found, counts); v.status != evidence.Unknown {
		t.Errorf("nothing to compare with is %v: %s", v.status, v.detail)
	}
}
