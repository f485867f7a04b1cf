//go:build !explore

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/mutate"
	"github.com/samecycle/samecycle/scenarios/engines"
)

// toyMutation registers one package of an engine that is not there.
func toyMutation(t *testing.T) *mutate.Engine {
	t.Helper()
	e, err := mutate.NewEngine("toy", &catalog.Mutation{Ledger: "results/toy/mutants.json",
		Targets: []catalog.MutationTarget{{Folder: "impl/toy"}}}, mutate.Programs{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A mutant of the engine that nobody kills any more is a failure; no mutant and no verdict are
// unknown.
func TestEngineScore(t *testing.T) {
	of := func(verdicts ...mutate.Verdict) *engineScore {
		e := &engineScore{recorded: 9, engine: toyMutation(t)}
		for _, v := range verdicts {
			found := mutate.Found{Verdict: v, Judge: "histories",
				Search: &mutate.Search{Program: "S01AddEmpty"}}
			e.outcomes = append(e.outcomes, mutate.Outcome{Name: "add.go:f#1 negate", Found: found})
		}
		return e
	}
	for name, c := range map[string]struct {
		score  *engineScore
		err    error
		before evidence.Status
		want   evidence.Status
		figure float64
		says   string
	}{
		"killed": {of(mutate.Killed, mutate.Killed), nil, evidence.Pass, evidence.Pass, 3,
			"histories in S01AddEmpty"},
		"survived": {of(mutate.Killed, mutate.NotCovered), nil, evidence.Pass, evidence.Fail, 2,
			"killed before, now not covered"},
		"late": {of(mutate.Unknown), nil, evidence.Pass, evidence.Unknown, 1, "no verdict"},
		"none": {of(), nil, evidence.Pass, evidence.Unknown, 1,
			"judge them again: samecycle mutants --engine toy --out results/toy/mutants.json"},
		"error": {nil, errors.New("no ledger"), evidence.Pass, evidence.Unknown, 1, "no ledger"},
		"worse": {of(mutate.Unknown), nil, evidence.Fail, evidence.Fail, 1, "no verdict"},
	} {
		t.Run(name, func(t *testing.T) {
			r := evidence.Record{Status: c.before, Figure: 1, Bound: "1 of 1"}
			c.score.add(&r, c.err)
			detail := strings.Join(r.Detail, "\n")
			if r.Status != c.want || r.Figure != c.figure || !strings.Contains(detail, c.says) {
				t.Errorf("%s, figure %v: %v", r.Status, r.Figure, r.Detail)
			}
			if c.figure > 1 && !strings.HasSuffix(r.Bound, "all of them: results/toy/mutants.md") {
				t.Errorf("the bound names another page: %s", r.Bound)
			}
		})
	}
}

// TestEngineScore_Unnoticed: a mutant of the ledger that nobody has noticed fails the link, unless the engine
// says why it is open; one without a verdict is unknown. The bound has their number in each case.
func TestEngineScore_Unnoticed(t *testing.T) {
	for name, c := range map[string]struct {
		verdicts []mutate.Verdict
		open     string
		want     evidence.Status
		says     string
	}{
		"none": {nil, "", evidence.Pass, "; 0 of all that no judge has noticed and no list excuses"},
		"survived": {[]mutate.Verdict{mutate.Unknown, mutate.Survived}, "", evidence.Fail,
			"add.go:g#1: survived"},
		"covered": {[]mutate.Verdict{mutate.NotCovered}, "", evidence.Fail,
			"as one of 1 mutant of the engine"},
		"unknown": {[]mutate.Verdict{mutate.Unknown}, "", evidence.Unknown,
			"add.go:g#0: unknown in the ledger"},
		"open": {[]mutate.Verdict{mutate.Survived}, "a sample", evidence.Pass, "; 1 of all that no judge"},
	} {
		e, err := mutate.NewEngine("toy", &catalog.Mutation{Ledger: "results/toy/mutants.json", Open: c.open,
			Targets: []catalog.MutationTarget{{Folder: "impl/toy"}}}, mutate.Programs{})
		if err != nil {
			t.Fatal(err)
		}
		ledger := mutate.Ledger{Outcomes: []mutate.Outcome{
			{Name: "a", Found: mutate.Found{Verdict: mutate.Killed}},
			{Name: "b", Found: mutate.Found{Verdict: mutate.Hangs}},
			{Name: "c", Hash: "h", Found: mutate.Found{Verdict: mutate.Survived}}}}
		for i, v := range c.verdicts {
			ledger.Outcomes = append(ledger.Outcomes, mutate.Outcome{Name: fmt.Sprintf("add.go:g#%d", i),
				Found: mutate.Found{Verdict: v}})
		}
		score := &engineScore{engine: e, recorded: 1, outcomes: ledger.Outcomes[:1],
			unnoticed: ledger.Unnoticed([]mutate.Entry{{Name: "c", Hash: "h", Reason: "the same"}})}
		r := evidence.Record{Status: evidence.Pass}
		score.add(&r, nil)
		if text := strings.Join(append(r.Detail, r.Bound), "\n"); r.Status != c.want ||
			!strings.Contains(text, c.says) {
			t.Errorf("%s: %s without %q:\n%s", name, r.Status, c.says, text)
		}
	}
}

// TestEngineScore_Ledgers: of the engines that are there, only those that say why have mutants that nobody
// has noticed.
func TestEngineScore_Ledgers(t *testing.T) {
	for _, e := range engines.All() {
		if e.Mutation == nil {
			continue
		}
		m, err := mutationOf(e)
		if err != nil {
			t.Fatal(err)
		}
		list, err := m.Equivalents(repositoryRoot)
		if err != nil {
			t.Fatal(err)
		}
		ledger, err := mutate.ReadLedger(filepath.Join(repositoryRoot, filepath.FromSlash(m.Ledger())))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(ledger.Unnoticed(list)); (n > 0) != (m.Open() != "") {
			t.Errorf("%s has %d mutants that nobody has noticed, and says of them %q", e.Name, n, m.Open())
		}
	}
}

// A ledger that lacks a function, or has mutants that exist no more, is no verdict on the engine.
func TestLedgerGaps(t *testing.T) {
	if err := ledgerGaps(toyMutation(t), mutate.Gaps{}); err != nil {
		t.Errorf("no gaps: %v", err)
	}
	err := ledgerGaps(toyMutation(t), mutate.Gaps{Unjudged: []string{"words.go:Word0.silent"},
		Gone: []string{"add.go:Word0.silent#1 negate", "add.go:Word0.silent#2 negate"}})
	if !errors.Is(err, errLedgerGaps) {
		t.Fatal(err)
	}
	r := evidence.Record{Status: evidence.Pass}
	(&engineScore{}).add(&r, err)
	detail := strings.Join(r.Detail, "\n")
	for _, want := range []string{"no mutant is judged of words.go:Word0.silent", "add.go:Word0.silent 2",
		"mutants --engine toy --out results/toy/mutants.json --again --resume"} {
		if r.Status != evidence.Unknown || !strings.Contains(detail, want) {
			t.Errorf("%s without %q: %s", r.Status, want, detail)
		}
	}
}

// The mutants of a state end in any order, and its record has them by name.
func TestEngineScore_InAnyOrder(t *testing.T) {
	of := func(names ...string) []string {
		e := &engineScore{engine: toyMutation(t)}
		for _, name := range names {
			e.outcomes = append(e.outcomes, mutate.Outcome{Name: name,
				Found: mutate.Found{Verdict: mutate.Killed, Judge: "histories"}})
		}
		r := evidence.Record{Status: evidence.Pass, Detail: []string{"of the specification"}}
		e.add(&r, nil)
		return r.Detail
	}
	a, b := of("add.go:f#2", "cell.go:g#1", "add.go:f#1"), of("cell.go:g#1", "add.go:f#1", "add.go:f#2")
	if len(a) != 4 || !slices.Equal(a, b) || !strings.HasPrefix(a[1], "add.go:f#1: ") {
		t.Errorf("%q\n%q", a, b)
	}
}

// The link of another engine than the first reads the ledger that this one registers: one that is not there,
// and one of functions that exist no more, are no verdict, and say what to do.
func TestEngineMutants_OfAnotherEngine(t *testing.T) {
	e, ok := engines.ByName("shardmap")
	if !ok {
		t.Fatal("no such engine")
	}
	root, err := filepath.Abs(repositoryRoot)
	if err != nil {
		t.Fatal(err)
	}
	ledger := filepath.Join(t.TempDir(), "mutants.json")
	own, mutation := *e, *e.Mutation
	if mutation.Ledger, err = filepath.Rel(root, ledger); err != nil {
		t.Fatal(err)
	}
	own.Mutation = &mutation
	judge := func(want ...string) {
		t.Helper()
		_, err := mutantsLink{&own}.judgeEngineMutants(t.Context(), evidence.Env{Root: root}, e.States,
			func(string, float64) {})
		for _, text := range want {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%v\nwant %q", err, text)
			}
		}
	}
	judge("make it with: samecycle mutants --engine shardmap --out")
	l := mutate.Ledger{Command: "c", Outcomes: []mutate.Outcome{{Name: "lock.go:Lock.forgotten#1 negate",
		Found: mutate.Found{Verdict: mutate.Killed}}}}
	if err := l.Save(ledger); err != nil {
		t.Fatal(err)
	}
	judge("no mutant is judged of ", "lock.go:Lock.rlockSlow", "exist no more: lock.go:Lock.forgotten 1",
		"mutants --engine shardmap --out")
	broken := filepath.Join(t.TempDir(), "equivalent.txt")
	if err := os.WriteFile(broken, []byte("garbage\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	list := mutation.Equivalent
	if mutation.Equivalent, err = filepath.Rel(root, broken); err != nil {
		t.Fatal(err)
	}
	judge("equivalent.txt:1: want HASH NAME: REASON, got \"garbage\"")
	mutation.Equivalent = list
	mutation.Targets = []catalog.MutationTarget{{Folder: "impl/nowhere"}}
	mutation.Tests = nil
	judge("engine shardmap: the package impl/nowhere", "is not there")
}
