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
	"github.com/samecycle/samecycle/internal/plural"
)

// engineMutants is how many mutants of the engine are judged again per state.
const engineMutants = 6

// engineScore is what became of the mutants of the engine that programs of a state have killed.
type engineScore struct {
	engine   *mutate.Engine // has the ledger, the full record of its mutants, by samecycle mutants
	recorded int            // by the ledger, of functions that are still the same
	outcomes []mutate.Outcome

	unnoticed []mutate.Outcome // of the whole ledger: no judge has noticed them, and nothing excuses them
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
	list, err := e.Equivalents(env.Root)
	if err != nil {
		return nil, err
	}
	scores := map[string]*engineScore{}
	for _, s := range states {
		scores[s.ID] = &engineScore{engine: e, unnoticed: ledger.Unnoticed(list)}
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
	sample := &engineSample{engine: e, known: known, stateOf: stateOf,
		mutants: map[*mutate.Package][]string{}}
	if err := sample.draw(ctx, env, ledger, scores); err != nil {
		return scores, err
	}
	ended, all := 0, 0
	for _, names := range sample.mutants {
		all += len(names)
	}
	return scores, sample.confirm(ctx, env, progress, func(o mutate.Outcome) {
		ended++
		progress(fmt.Sprintf("%d of %d mutants of the engine", ended, all), 0)
		s := scores[stateOf[o.Name]]
		s.outcomes = append(s.outcomes, o)
	})
}

// engineSample is the mutants that are judged again, by their packages.
type engineSample struct {
	engine   *mutate.Engine
	known    map[string]mutate.Outcome
	stateOf  map[string]string
	packages []*mutate.Package
	mutants  map[*mutate.Package][]string
}

// draw chooses mutants of each state, of all packages of which programs have killed one. Of the engine's code
// each function must be in the ledger.
func (x *engineSample) draw(ctx context.Context, env evidence.Env, ledger mutate.Ledger,
	scores map[string]*engineScore) error {
	byState, packageOf := map[string][]*mutate.Mutant{}, map[string]*mutate.Package{}
	for i, t := range x.engine.Targets() {
		if i > 0 && !x.any(t.Dir+"/") {
			continue
		}
		pkg, err := x.engine.Load(ctx, env.Root, t)
		if err != nil {
			return err
		}
		if i == 0 {
			if err := ledgerGaps(x.engine, pkg.Gaps(ledger, x.engine.Searched)); err != nil {
				return err
			}
		}
		x.packages = append(x.packages, pkg)
		for _, m := range pkg.Names(func(name string) bool { return x.stateOf[name] != "" }) {
			if x.known[m.Name].Hash == m.Hash && !m.Outside() {
				byState[x.stateOf[m.Name]] = append(byState[x.stateOf[m.Name]], m)
				packageOf[m.Name] = pkg
			}
		}
	}
	for state, list := range byState {
		scores[state].recorded = len(list)
		for _, m := range mutate.Sample(list, engineMutants, env.Seed) {
			pkg := packageOf[m.Name]
			x.mutants[pkg] = append(x.mutants[pkg], m.Name)
		}
	}
	return nil
}

// any reports whether programs have killed a mutant whose name begins so.
func (x *engineSample) any(prefix string) bool {
	for name := range x.known {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// confirm judges them, one package after the other.
func (x *engineSample) confirm(ctx context.Context, env evidence.Env, progress evidence.Progress,
	ended func(mutate.Outcome)) error {
	for _, pkg := range x.packages {
		names := x.mutants[pkg]
		if len(names) == 0 {
			continue
		}
		folder, err := temporaryFolder("samecycle-mutants-")
		if err != nil {
			return err
		}
		mutants := pkg.Mutants(func(name string) bool { return slices.Contains(names, name) }).Mutants
		err = pkg.Confirm(ctx, mutants, mutate.Options{
			Root: env.Root, Folder: folder, Workers: runtime.NumCPU(), Known: x.known,
			Note:  func(what string) { progress(what, 0) },
			Ended: ended})
		if err = errors.Join(err, os.RemoveAll(folder)); err != nil {
			return err
		}
	}
	return nil
}

// add puts the score of the engine's mutants into a state's record.
func (e *engineScore) add(r *evidence.Record, err error) {
	if err != nil {
		worseMutants(r, evidence.Unknown, "mutants of the engine: "+err.Error())
		return
	}
	e.addUnnoticed(r)
	if len(e.outcomes) == 0 {
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
		"state are the first to kill; %d of all that no judge has noticed and no list excuses; all of them: "+
		"%s", killed, len(e.outcomes), e.recorded, len(e.unnoticed), e.page())
}

// page is the file for readers beside the ledger.
func (e *engineScore) page() string { return strings.TrimSuffix(e.engine.Ledger(), ".json") + ".md" }

// addUnnoticed makes a failure of mutants of the ledger that no judge has noticed, whatever state they belong
// to, unless the engine says why it leaves them open. One without a verdict may still be noticed.
func (e *engineScore) addUnnoticed(r *evidence.Record) {
	if len(e.unnoticed) == 0 || e.engine.Open() != "" {
		return
	}
	status, first := evidence.Unknown, e.unnoticed[0]
	for _, o := range e.unnoticed {
		if o.Verdict != mutate.Unknown {
			status, first = evidence.Fail, o
			break
		}
	}
	excuse := ""
	if list := e.engine.EquivalentFile(); list != "" {
		excuse = ", or say in " + list + " why none can"
	}
	worseMutants(r, status, fmt.Sprintf("%s: %s in the ledger, as one of %s of the engine that no judge has "+
		"noticed: write a judge that does%s; then samecycle mutants --engine %s --out %s --again --resume; "+
		"all of them: %s", first.Name, first.Verdict, plural.Of(len(e.unnoticed), "mutant"), excuse,
		e.engine.Name, e.engine.Ledger(), e.page()))
}

// worseMutants lowers a record's status and puts the reason first.
func worseMutants(r *evidence.Record, status evidence.Status, why string) {
	if r.Status == evidence.Pass || status == evidence.Fail {
		r.Status = status
	}
	r.Detail = append([]string{why}, r.Detail...)
}

// ledgerOf is what the ledger says of mutants that programs of the state have killed, an outcome a line, and
// of those that nobody has noticed, which count for each state; empty without a ledger.
func ledgerOf(root string, e *mutate.Engine, state string) (string, error) {
	ledger, err := mutate.ReadLedger(filepath.Join(root, filepath.FromSlash(e.Ledger())))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	var lines []string
	for _, o := range ledger.Outcomes {
		switch {
		case o.Verdict == mutate.Killed && o.Search != nil:
			if of, _, _ := strings.Cut(o.Search.Program, "_"); of == state {
				lines = append(lines, o.Name+" "+o.Hash+" "+o.Search.Program)
			}
		case !o.Verdict.Noticed() && o.Verdict != mutate.Equivalent:
			lines = append(lines, o.Name+" "+o.Hash+" "+string(o.Verdict))
		}
	}
	return strings.Join(lines, "\n"), err
}
