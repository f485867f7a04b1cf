package scenarios

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/linearizability"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// Links are the two links of evidence that one exploration of a state's programs gives: what the
// engine does is what the model allows, and what the clients saw is linearizable. Both are judged
// in one search; the second runner takes the reports of the first.
func Links() []evidence.Runner {
	shared := &reports{byState: map[string][]Report{}}
	return []evidence.Runner{engineLink{shared}, historiesLink{shared}}
}

// reports are the explorations of this process, by state.
type reports struct{ byState map[string][]Report }

// get explores the programs of a state within their budgets, once.
func (r *reports) get(ctx context.Context, state string, say func(string)) ([]Report, error) {
	if done, ok := r.byState[state]; ok {
		return done, nil
	}
	var all []Report
	for _, p := range slices.Concat(model.ProgramsOf(state), model.ThreeActorsOf(state)) {
		b := Checked(p)
		rep, err := Explore(p, Options{
			Preemptions: b.Preemptions, Kills: b.Kills, Context: ctx,
			Progress: func(s explore.Stats) {
				say(p.Name + ": " + plural.Of(s.Executions, "execution"))
			},
		})
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		all = append(all, rep)
	}
	r.byState[state] = all
	return all, nil
}

type engineLink struct{ *reports }

type historiesLink struct{ *reports }

func (engineLink) Link() string    { return "engine" }
func (historiesLink) Link() string { return "histories" }

func (engineLink) Inputs() []string {
	return []string{"impl/region/*.go", "impl/hopscotch/*.go", "internal/seam/*.go", "internal/hook/*.go",
		"scenarios/hopscotch/*.go", "explore/*.go", "model/hopscotch/*.go", "internal/catalog/*.go",
		"!*_test.go"}
}

func (historiesLink) Inputs() []string {
	return append(engineLink{}.Inputs(), "linearizability/*.go", "internal/history/*.go", "!*_test.go")
}

func (*reports) Covers(evidence.Env) ([]string, error) { return model.States(), nil }

func (l engineLink) Run(ctx context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress) ([]evidence.Record, error) {
	return l.run(ctx, env, states, progress, engineRecord)
}

func (l historiesLink) Run(ctx context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress) ([]evidence.Record, error) {
	return l.run(ctx, env, states, progress, historiesRecord)
}

func (r *reports) run(ctx context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress, record func(string, []Report) evidence.Record,
) ([]evidence.Record, error) {
	if err := env.Outdated(ctx); err != nil {
		return nil, err
	}
	for i, s := range states {
		all, err := r.get(ctx, s.ID, func(what string) {
			progress(what, float64(i)/float64(len(states)))
		})
		if errors.Is(err, requireExplored()) && err != nil {
			return nil, evidence.CannotRun(err)
		}
		if err != nil {
			return nil, err
		}
		rec := record(s.ID, all)
		if err := writePage(env.Root, &rec, all); err != nil {
			return nil, err
		}
		if err := env.Save(rec); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// engineRecord: every program explored to its budget, every step accepted, the race happened.
func engineRecord(state string, all []Report) evidence.Record {
	r := newRecord(state, all, "engine", "executions")
	marked := uint64(0)
	for _, rep := range all {
		r.Figure += float64(rep.Complete + rep.Pruned)
		marked += rep.Marks[state]
		r.Detail = append(r.Detail, fmt.Sprintf("%s: %d executions to the end, %d joined a state "+
			"seen before, %d states, %d steps accepted by the model, at most %d steps each",
			rep.Program, rep.Complete, rep.Pruned, rep.States, rep.Validated, rep.MaxSteps))
		if rep.Failure == nil && !rep.Exhaustive {
			worse(&r, evidence.Unknown, rep.Program+": not finished: "+rep.Bound)
		}
		if rep.StepBound > 0 {
			worse(&r, evidence.Unknown, fmt.Sprintf("%s: %d executions hit the step bound",
				rep.Program, rep.StepBound))
		}
	}
	r.Detail = append(r.Detail, fmt.Sprintf("the mark of the race was hit in %d executions", marked))
	failed := failures(&r, all, func(f *explore.Failure) bool { return !ofHistory(f) })
	if marked == 0 && !failed { // a search that ends at a failure need not come to the race
		worse(&r, evidence.Fail, "the race never happened")
	}
	return r
}

// historiesRecord: the history of every execution that ran to its end is linearizable.
func historiesRecord(state string, all []Report) evidence.Record {
	r := newRecord(state, all, "histories", "histories")
	distinct := uint64(0)
	for _, rep := range all {
		r.Figure += float64(rep.Complete)
		distinct += rep.Histories.Distinct
		r.Detail = append(r.Detail, fmt.Sprintf("%s: %d histories, %d of them different",
			rep.Program, rep.Complete, rep.Histories.Distinct))
		if rep.Failure == nil && !rep.Exhaustive {
			worse(&r, evidence.Unknown, rep.Program+": not finished: "+rep.Bound)
		}
	}
	r.Detail = append(r.Detail, fmt.Sprintf("%d different histories", distinct))
	failures(&r, all, func(f *explore.Failure) bool {
		return ofHistory(f) && errors.Is(f.Err, linearizability.ErrIllegal)
	})
	r.Tools["porcupine"] = evidence.ModuleVersion("github.com/anishathalye/porcupine")
	return r
}

// failures puts what went wrong in front: on top what the link itself judges, and there the first program,
// which is the plainest one; the record's replay and page are of the same failure. A search that another
// judge has ended is unknown.
func failures(r *evidence.Record, all []Report, judged func(*explore.Failure) bool) (found bool) {
	for _, own := range []bool{false, true} {
		for _, rep := range slices.Backward(all) {
			f := rep.Failure
			if f == nil || judged(f) != own {
				continue
			}
			status := evidence.Fail
			if !own {
				status = evidence.Unknown
			}
			found, r.Replay = true, f.Token
			worse(r, status, rep.Program+": "+told(f))
		}
	}
	return found
}

// told is a failure in a line. The steps that the model accepted are left to the table and the page.
func told(f *explore.Failure) string {
	var r *Rejection
	if !errors.As(f.Err, &r) {
		return f.Error()
	}
	return fmt.Sprintf("%s: %s (replay token %s)", f.Kind, r.head(), f.Token)
}

// writePage writes the page of the failure that the record is about into the repository's folder for
// them, which git ignores.
func writePage(root string, r *evidence.Record, all []Report) error {
	for _, rep := range all {
		if r.Status == evidence.Pass || rep.Failure == nil || rep.Failure.Token != r.Replay {
			continue
		}
		path, err := rep.Page(r.Detail).Write(filepath.Join(root, "results", "failures"))
		if err != nil {
			return err
		}
		if below, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(below) {
			path = below
		}
		r.Page = filepath.ToSlash(path)
	}
	return nil
}

func ofHistory(f *explore.Failure) bool {
	var h *linearizability.Failure
	return errors.As(f.Err, &h)
}

func newRecord(state string, all []Report, link, unit string) evidence.Record {
	return evidence.Record{
		State: state, Status: evidence.Pass, Unit: unit, Bound: bound(all),
		Command: "samecycle check --link " + link + " --state " + state[:3],
		Tools:   map[string]string{"go": runtime.Version()},
	}
}

// worse lowers a record's status and puts the reason first.
func worse(r *evidence.Record, status evidence.Status, why string) {
	if r.Status == evidence.Pass || status == evidence.Fail {
		r.Status = status
	}
	r.Detail = append([]string{strings.Join(strings.Fields(why), " ")}, r.Detail...)
	if r.Status == evidence.Pass {
		r.Replay = ""
	}
}

// bound says in words what the programs' budgets cover and what they leave out.
func bound(all []Report) string {
	var whole, part []string
	for _, rep := range all {
		p, _ := model.ProgramByName(rep.Program)
		b := Checked(p)
		if b.Preemptions == explore.Unbounded {
			whole = append(whole, rep.Program)
		} else {
			text := fmt.Sprintf("%s with at most %s", rep.Program, plural.Of(b.Preemptions, "preemption"))
			if b.Kills == 0 {
				text += " and no kill"
			}
			part = append(part, text)
		}
	}
	sort.Strings(part)
	text := "every interleaving of " + strings.Join(whole, ", ")
	if len(part) > 0 {
		text += "; not complete: " + strings.Join(part, ", ")
	}
	return text + "; a kill of one actor at each step where nothing else is said; 4 cells a half, window 3 " +
		"(in programs with Far in their name 6 and 4), near homes in those with Near; revisited states are " +
		"cut; not covered: more actors than the programs have, generations that wrap"
}
