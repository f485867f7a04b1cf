package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/mutate"
)

// engineMutants is how many mutants of the engine are judged again per state.
const engineMutants = 6

// engineScore is what became of the mutants of the engine that programs of a state have killed.
type engineScore struct {
	engine   *mutate.Engine // has the ledger, the full record of its mutants, by samecycle mutants
	recorded int            // by the ledger, of functions that are still the same
	outcomes []mutate.Outcome
}

// judgeEngineMutants judges a sample again, for each state: mutants that the ledger says programs of
// the state have killed, in the search that killed them.
func (l mutantsLink) judgeEngineMutants(ctx context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress) (map[string]*engineScore, error) {
	e, err := mutationOf(l.Engine)
	if err != nil {
		return nil, err
	}
	ledger, err := mutate.ReadLedger(filepath.Join(env.Root, filepath.FromSlash(e.Ledger())))
	if err != nil {
		return nil, fmt.Errorf("%w: make it with: samecycle mutants --engine %s --out %s", err, e.Name,
			e.Ledger())
	}
	scores := map[string]*engineScore{}
	for _, s := range states {
		scores[s.ID] = &engineScore{engine: e}
	}
	known, stateOf := map[string]mutate.Outcome{}, map[string]string{}
	for _, o := range ledger.Outcomes {
		if o.Verdict != mutate.Killed || o.Search == nil {
			continue
		}
		state, _, _ := strings.Cut(o.Search.Program, "_")
		if scores[state] != nil {
			known[o.Name], stateOf[o.Name] = o, state
		}
	}
	pkg, err := e.Load(ctx, env.Root, e.Code())
	if err != nil {
		return nil, err
	}
	if err := ledgerGaps(e, pkg.Gaps(ledger, e.Searched)); err != nil {
		return scores, err
	}
	byState := map[string][]*mutate.Mutant{}
	for _, m := range pkg.Names(func(name string) bool { return stateOf[name] != "" }) {
		if known[m.Name].Hash == m.Hash && !m.Outside() {
			byState[stateOf[m.Name]] = append(byState[stateOf[m.Name]], m)
		}
	}
	chosen := map[string]bool{}
	for state, list := range byState {
		scores[state].recorded = len(list)
		for _, m := range mutate.Sample(list, engineMutants, env.Seed) {
			chosen[m.Name] = true
		}
	}
	if len(chosen) == 0 {
		return scores, nil
	}
	mutants := pkg.Mutants(func(name string) bool { return chosen[name] }).Mutants
	folder, err := temporaryFolder("samecycle-mutants-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	ended := 0
	return scores, pkg.Confirm(ctx, mutants, mutate.Options{
		Root: env.Root, Folder: folder, Workers: runtime.NumCPU(), Known: known,
		Note: func(what string) { progress(what, 0) },
		Ended: func(o mutate.Outcome) {
			ended++
			progress(fmt.Sprintf("%d of %d mutants of the engine", ended, len(mutants)), 0)
			s := scores[stateOf[o.Name]]
			s.outcomes = append(s.outcomes, o)
		}})
}

// add puts the score of the engine's mutants into a state's record.
func (e *engineScore) add(r *evidence.Record, err error) {
	switch {
	case err != nil:
		worseMutants(r, evidence.Unknown, "mutants of the engine: "+err.Error())
		return
	case len(e.outcomes) == 0:
		worseMutants(r, evidence.Unknown, "mutants of the engine: no program of the state has killed one "+
			"of the engine as it is; judge them again: samecycle mutants --engine "+e.engine.Name+" --out "+
			e.engine.Ledger())
		return
	}
	// They have ended in any order.
	slices.SortFunc(e.outcomes, func(a, b mutate.Outcome) int { return strings.Compare(a.Name, b.Name) })
	killed := 0
	for _, o := range e.outcomes {
		switch {
		case o.Verdict == mutate.Killed:
			killed++
			r.Detail = append(r.Detail, o.Name+": "+o.KilledBy())
		case o.Verdict == mutate.Unknown:
			worseMutants(r, evidence.Unknown, o.Name+": no verdict: "+o.Why)
		default:
			worseMutants(r, evidence.Fail, o.Name+": killed before, now "+string(o.Verdict))
		}
	}
	r.Figure += float64(killed)
	r.Bound += fmt.Sprintf("; %d of %d mutants of the engine, a sample of the %d that programs of the "+
		"state are the first to kill; all of them: %s", killed, len(e.outcomes), e.recorded,
		strings.TrimSuffix(e.engine.Ledger(), ".json")+".md")
}

// worseMutants lowers a record's status and puts the reason first.
func worseMutants(r *evidence.Record, status evidence.Status, why string) {
	if r.Status == evidence.Pass || status == evidence.Fail {
		r.Status = status
	}
	r.Detail = append([]string{why}, r.Detail...)
}

// ledgerOf is what the ledger says of mutants that programs of the state have killed, an outcome a line;
// empty without a ledger.
func ledgerOf(root, file, state string) (string, error) {
	ledger, err := mutate.ReadLedger(filepath.Join(root, filepath.FromSlash(file)))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	var lines []string
	for _, o := range ledger.Outcomes {
		if o.Verdict != mutate.Killed || o.Search == nil {
			continue
		}
		if of, _, _ := strings.Cut(o.Search.Program, "_"); of == state {
			lines = append(lines, o.Name+" "+o.Hash+" "+o.Search.Program)
		}
	}
	return strings.Join(lines, "\n"), err
}
