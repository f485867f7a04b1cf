package harness

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
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/seam"
	"github.com/samecycle/samecycle/linearizability"
)

// ErrPlain says that the command was built without the tag explore.
var ErrPlain = errors.New("the shipping code cannot be explored: this program was built without the tag " +
	"explore; build it with: make build")

// Links are the two links that one exploration of a state's programs answers: the engine does only what the
// model allows, and what the clients saw is linearizable. Both are judged in one search; the second link
// takes the reports of the first.
func Links(e *Engine) []evidence.Runner {
	shared := &reports{e: e, byState: map[string][]Report{}}
	return []evidence.Runner{engineLink{shared}, historiesLink{shared}}
}

// reports are the explorations of this process, by state.
type reports struct {
	e       *Engine
	byState map[string][]Report
	shared  []sharedReport // nil before they ran
}

// sharedReport is what an exploration that belongs to no state has found.
type sharedReport struct {
	name string
	SharedResult
}

// get explores the programs of a state within their budgets, once.
func (r *reports) get(ctx context.Context, state string, say func(string)) ([]Report, error) {
	if done, ok := r.byState[state]; ok {
		return done, nil
	}
	var all []Report
	for _, p := range r.e.ProgramsOf(state) {
		rep, err := p.Check(ctx, func(s explore.Stats) {
			say(p.Name + ": " + plural.Of(s.Executions, "execution"))
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

// runShared runs once the explorations that belong to no single state.
func (r *reports) runShared(ctx context.Context, say func(string)) error {
	if r.shared != nil {
		return nil
	}
	all := []sharedReport{}
	for _, s := range r.e.Shared {
		say(s.Name)
		all = append(all, sharedReport{s.Name, s.Run(ctx, func(what string) { say(s.Name + ": " + what) })})
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	r.shared = all
	return nil
}

// addShared adds the shared explorations to the record of a state. They stand after the state's own
// details, or before them if only they failed. A failure of the state's own programs comes first, and is
// the one that the record replays.
func (r *reports) addShared(rec *evidence.Record) {
	for _, s := range r.shared {
		switch {
		case s.Err != nil && rec.Status == evidence.Fail:
			rec.Detail = append(rec.Detail, strings.Join(strings.Fields(s.name+": "+s.Err.Error()), " "))
		case s.Err == nil:
			rec.Detail = append(rec.Detail, fmt.Sprintf("%s, shared by all states: %s; %s", s.name,
				plural.Of(s.Executions, "execution"), s.Bound))
		case s.Unknown:
			worse(rec, evidence.Unknown, s.name+": "+s.Err.Error())
		default:
			worse(rec, evidence.Fail, s.name+": "+s.Err.Error())
			rec.Replay = s.Token
		}
	}
}

type engineLink struct{ *reports }

type historiesLink struct{ *reports }

func (engineLink) Link() string    { return "engine" }
func (historiesLink) Link() string { return "histories" }

func (l engineLink) Scope(evidence.Env) (closure.Scope, error) { return l.scope("engine"), nil }

func (l historiesLink) Scope(evidence.Env) (closure.Scope, error) { return l.scope("histories"), nil }

// scope is what both links depend on: the engine's part, and all of this package.
func (r *reports) scope(link string) closure.Scope {
	return r.e.Scopes[link].With(closure.Scope{Tags: "explore", Packages: []string{"harness"}})
}

func (r *reports) Covers(evidence.Env) ([]string, error) { return r.e.Explored(), nil }

func (l engineLink) Run(ctx context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress) ([]evidence.Record, error) {
	if seam.Explored {
		if err := env.Outdated(ctx); err != nil { // before minutes are spent
			return nil, err
		}
		if err := l.runShared(ctx, func(what string) { progress(what, 0) }); err != nil {
			return nil, err
		}
	}
	return l.run(ctx, env, states, progress, func(state string, all []Report) evidence.Record {
		r := l.e.engineRecord(state, all)
		l.addShared(&r)
		return r
	})
}

func (l historiesLink) Run(ctx context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress) ([]evidence.Record, error) {
	return l.run(ctx, env, states, progress, l.e.historiesRecord)
}

func (r *reports) run(ctx context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress, record func(string, []Report) evidence.Record,
) ([]evidence.Record, error) {
	if !seam.Explored {
		return nil, evidence.CannotRun(ErrPlain)
	}
	if err := env.Outdated(ctx); err != nil {
		return nil, err
	}
	for i, s := range states {
		all, err := r.get(ctx, s.ID, func(what string) {
			progress(what, float64(i)/float64(len(states)))
		})
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
func (e *Engine) engineRecord(state string, all []Report) evidence.Record {
	r := e.newRecord(state, all, "engine", "executions")
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
		if rep.Crowded > 0 {
			worse(&r, evidence.Unknown, fmt.Sprintf("%s: actors waited for others to end in %d executions",
				rep.Program, rep.Crowded))
		}
		if rep.StepBound > 0 {
			worse(&r, evidence.Unknown, fmt.Sprintf("%s: %d executions hit the step bound",
				rep.Program, rep.StepBound))
		}
	}
	r.Detail = append(r.Detail, fmt.Sprintf("the race came about %d times", marked))
	failed := failures(&r, all, ofEngine, "histories", ofHistories)
	if marked == 0 && !failed { // a search that ends at a failure need not come to the race
		worse(&r, evidence.Fail, "the race never happened")
	}
	return r
}

// historiesRecord: the history of every execution that ran to its end is linearizable.
func (e *Engine) historiesRecord(state string, all []Report) evidence.Record {
	r := e.newRecord(state, all, "histories", "histories")
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
	failures(&r, all, ofHistories, "engine", ofEngine)
	r.Tools["porcupine"] = evidence.ModuleVersion("github.com/anishathalye/porcupine")
	return r
}

// failures puts the failures in front: first those that the link itself judges, and of these the first
// program, which is the simplest one. The record's replay and page are of the same failure. A search that
// another judge has ended is unknown: if that is the other link, its record has the failure.
func failures(r *evidence.Record, all []Report, judged func(*explore.Failure) bool, other string,
	others func(*explore.Failure) bool) (found bool) {
	for _, own := range []bool{false, true} {
		for _, rep := range slices.Backward(all) {
			f := rep.Failure
			if f == nil || judged(f) != own {
				continue
			}
			status, why := evidence.Fail, told(f)
			if !own {
				status = evidence.Unknown
			}
			if !own && others(f) {
				why = "not judged, because the link " + other + " refused this program"
			}
			found, r.Replay = true, f.Token
			worse(r, status, rep.Program+": "+why)
		}
	}
	return found
}

// ofEngine reports whether the link engine judges the failure.
func ofEngine(f *explore.Failure) bool { return !OfHistory(f) }

// ofHistories reports whether the link histories does. Neither judges a history without a verdict.
func ofHistories(f *explore.Failure) bool {
	return OfHistory(f) && errors.Is(f.Err, linearizability.ErrIllegal)
}

// told is a failure in a line. The steps that the model accepted are left to the table and the page.
func told(f *explore.Failure) string {
	var r *Rejection
	switch {
	case errors.As(f.Err, &r):
		return fmt.Sprintf("%s: %s (replay token %s)", f.Kind, r.Head(), f.Token)
	case f.Kind == explore.Hung:
		for _, stack := range f.Stacks {
			if at := engineFrame(stack); at != "" {
				return f.Error() + "; an actor is in " + at
			}
		}
	}
	return f.Error()
}

// engineFrame is the innermost place of a goroutine's stack that is in the code of an engine, as a function
// and its line; "" if there is none. In a stack the line of a function's file follows that of its call.
func engineFrame(stack string) string {
	lines := strings.Split(stack, "\n")
	for i, line := range lines[:max(0, len(lines)-1)] {
		_, file, ok := strings.Cut(lines[i+1], "/impl/")
		if !ok || !strings.HasPrefix(lines[i+1], "\t") {
			continue
		}
		file, _, _ = strings.Cut(file, " +")
		call := line[:max(0, strings.LastIndexByte(line, '('))] // without its arguments
		return call[strings.LastIndexByte(call, '/')+1:] + " at impl/" + file
	}
	return ""
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

// OfHistory reports whether a failure is a history that is not linearizable. It then belongs to the link
// histories.
func OfHistory(f *explore.Failure) bool {
	var h *linearizability.Failure
	return errors.As(f.Err, &h)
}

func (e *Engine) newRecord(state string, all []Report, link, unit string) evidence.Record {
	return evidence.Record{
		State: state, Status: evidence.Pass, Unit: unit, Bound: e.bound(all),
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
func (e *Engine) bound(all []Report) string {
	var whole, part []string
	deaths := false
	for _, rep := range all {
		p, _ := e.ProgramByName(rep.Program)
		b := p.Budget
		deaths = deaths || b.Kills > 0
		switch {
		case b.Reduce || b.Preemptions == explore.Unbounded:
			whole = append(whole, rep.Program)
		default:
			text := fmt.Sprintf("%s with at most %s", rep.Program, plural.Of(b.Preemptions, "preemption"))
			if b.Kills == 0 {
				text += " and no kill"
			}
			part = append(part, text)
		}
	}
	sort.Strings(part)
	var text []string
	if len(whole) > 0 {
		text = append(text, "every interleaving of "+strings.Join(whole, ", "))
	}
	if len(part) > 0 {
		text = append(text, "not complete: "+strings.Join(part, ", "))
	}
	if deaths {
		text = append(text, "a kill of one actor at each step where nothing else is said")
	}
	return strings.Join(append(text, e.Scope), "; ")
}
