package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sort"
	"strings"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/mutate"
	"github.com/samecycle/samecycle/internal/tlc"
)

// mutantsLink seeds faults into the specification and lets TLC find each, and judges a sample of the
// mutants of the engine's code again, if it registers any.
type mutantsLink struct{ *harness.Engine }

func (mutantsLink) Link() string { return "mutants" }

func (l mutantsLink) Scope(env evidence.Env) (closure.Scope, error) {
	s := l.Scopes["mutants"].With(closure.Scope{Tags: "explore",
		Declarations: map[string][]string{"cmd/samecycle": {"mutantsLink"}}})
	var engine *mutate.Engine
	if l.Mutation == nil {
		s.Without = append(s.Without, "harness") // of the registration only the specification counts
	} else {
		m, err := mutationOf(l.Engine)
		if err != nil {
			return s, err
		}
		engine = m
		s.Without = append(s.Without, "scenarios/engines") // the program judges this engine alone
		s.Packages = slices.Concat(s.Packages, strings.Split(m.Folders(), ", "),
			[]string{"internal/mutate/judge/program", "scenarios/" + l.Name})
		if list := m.EquivalentFile(); list != "" {
			s.Files = append(s.Files, list)
		}
	}
	all, err := l.ofSpecification(env.Root)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return s, err
	}
	reach := tlc.ReachOfMutants(all)
	s.Texts = func(state string) (map[string]string, error) {
		texts, err := reach(env.Root, state)
		if err == nil {
			texts[registration(l.Specs)] = fmt.Sprintf("%q", l.Specs)
		}
		if err == nil && engine != nil {
			texts[engine.Ledger()+" (killed by its programs, or by nobody)"], err = ledgerOf(env.Root, engine,
				state)
		}
		return texts, err
	}
	return s, nil
}

// ofSpecification are the mutants of the protocol as it is built. Without a list of them the error is
// os.ErrNotExist.
func (l mutantsLink) ofSpecification(root string) ([]tlc.Mutant, error) {
	folder, ok := l.Specs.Main(root)
	if !ok {
		return nil, fmt.Errorf("%w: %w", os.ErrNotExist, errNoSpec)
	}
	return tlc.LoadMutants(folder)
}

func (l mutantsLink) Covers(env evidence.Env) ([]string, error) {
	mutants, err := l.ofSpecification(env.Root)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	seen := map[string]bool{}
	for _, x := range mutants {
		if !seen[x.State] {
			seen[x.State] = true
			out = append(out, x.State)
		}
	}
	return out, nil
}

func (l mutantsLink) Run(ctx context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress) ([]evidence.Record, error) {
	all, err := l.ofSpecification(env.Root)
	if err != nil {
		return nil, err
	}
	tool, err := findTLC(ctx, progress)
	if err != nil {
		return nil, err
	}
	var scores map[string]*engineScore
	var engineErr error
	if l.Mutation != nil {
		scores, engineErr = l.judgeEngineMutants(ctx, env, states, progress)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	left := map[string]int{}
	for _, s := range states {
		left[s.ID] = 0
	}
	var mutants []tlc.Mutant
	for _, x := range all {
		if _, asked := left[x.State]; asked {
			mutants = append(mutants, x)
			left[x.State]++
		}
	}
	ended := map[string][]tlc.Killed{}
	var failure error
	tool.RunMutants(ctx, mutants, func(k tlc.Killed, done int) {
		state := k.Mutant.State
		progress(fmt.Sprintf("%d of %d mutants, %s", done, len(mutants), k.Mutant.Name),
			float64(done)/float64(len(mutants)))
		ended[state] = append(ended[state], k)
		if len(ended[state]) == left[state] && ctx.Err() == nil {
			r := mutantsRecord(state, ended[state], tool)
			r.Seed = env.Seed
			if l.Mutation == nil {
				r.Bound += "; no faults are seeded into the engine's code"
			} else {
				scores[state].add(&r, engineErr)
			}
			failure = errors.Join(failure, env.Save(r))
		}
	})
	return nil, failure
}

// mutantsRecord is the score of one state: each of its mutants must die of the named property.
func mutantsRecord(state string, killed []tlc.Killed, tool *tlc.Tool) evidence.Record {
	r := evidence.Record{
		State: state, Status: evidence.Pass, Unit: "mutants killed",
		Command: "samecycle check --link mutants --state " + state[:3],
		Tools: map[string]string{"go": runtime.Version(), "java": tool.JavaVersion,
			"tlc-jar": "sha256:" + tool.SHA256},
	}
	sort.Slice(killed, func(i, j int) bool { return killed[i].Mutant.Name < killed[j].Mutant.Name })
	for _, k := range killed {
		if k.Result.Version != "" {
			r.Tools["tlc"] = k.Result.Version
		}
		line := k.Mutant.Name + " (" + k.Mutant.Note + "): "
		switch {
		case k.Problem == "":
			r.Figure++
			r.Detail = append(r.Detail, line+k.Mutant.Property+" in "+k.Mutant.Run)
			continue
		case k.Unknown && r.Status == evidence.Pass:
			r.Status = evidence.Unknown
		case !k.Unknown:
			r.Status = evidence.Fail
		}
		r.Detail = append([]string{line + k.Problem}, r.Detail...)
	}
	r.Bound = fmt.Sprintf("%.0f of %d listed mutants of the specification", r.Figure, len(killed))
	return r
}
