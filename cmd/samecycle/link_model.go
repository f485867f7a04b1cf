package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

// modelLink makes the searches of the engine's model, and compares what they count with what the manifest
// says that TLC counts for the same constants; searches that belong to no state once for all states. That the
// sets are equal, not only their sizes, is a test of each model.
type modelLink struct {
	model search.Model
	specs catalog.Specs
	scope closure.Scope // of the engine's part
}

func (modelLink) Link() string { return "model" }

func (l modelLink) Scope(env evidence.Env) (closure.Scope, error) {
	s := l.scope.With(closure.Scope{Declarations: map[string][]string{"cmd/samecycle": {"modelLink"}}})
	m, err := mainManifest(env.Root, l.specs)
	if err != nil {
		return s, err
	}
	s.Texts = func(state string) (map[string]string, error) {
		return map[string]string{l.specs[0].Dir + "/" + tlc.ManifestName + " (counts)": m.Counts(state)}, nil
	}
	return s, nil
}

// mainManifest is that of the protocol as it is built.
func mainManifest(root string, specs catalog.Specs) (*tlc.Manifest, error) {
	folder, ok := specs.Main(root)
	if !ok {
		return nil, errNoSpec
	}
	return tlc.LoadManifest(folder)
}

var errNoSpec = errors.New("the engine registers no folder of a specification: set Specs")

// Covers no state of an engine without a specification, whose counts the link compares.
func (l modelLink) Covers(evidence.Env) ([]string, error) {
	if len(l.specs) == 0 {
		return nil, nil
	}
	var all []string
	for _, task := range l.model.Tasks {
		if task.State != "" && !slices.Contains(all, task.State) {
			all = append(all, task.State)
		}
	}
	return all, nil
}

func (l modelLink) Run(ctx context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress) ([]evidence.Record, error) {
	if err := env.Outdated(ctx); err != nil {
		return nil, err
	}
	m, err := mainManifest(env.Root, l.specs)
	if err != nil {
		return nil, err
	}
	counts := completeRuns(m)
	var shared []modelVerdict
	for _, s := range l.model.Of("") {
		progress(s.Name, 0)
		shared = append(shared, judgeSearch(s, s.Run(ctx), counts))
	}
	for i, s := range states {
		progress(s.ID, float64(i)/float64(len(states)))
		r := l.record(ctx, s.ID, counts)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, v := range shared {
			v.addTo(&r)
		}
		if err := env.Save(r); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// completeRuns are the manifest's entries that search all states, by name.
func completeRuns(m *tlc.Manifest) map[string]tlc.Entry {
	counts := map[string]tlc.Entry{}
	for _, e := range m.Entries {
		if e.Kind == tlc.Safety || e.Kind == tlc.LiveRun {
			counts[e.Name] = e
		}
	}
	return counts
}

// modelVerdict is what one search of the model says.
type modelVerdict struct {
	status  evidence.Status
	detail  []string // what is wrong comes first
	alone   int      // programs without a count of TLC, for TLC takes minutes
	states  int64
	compare int // programs whose counts equal TLC's
}

// addTo says of a state's record what is shared by all: behind its own details, ahead of them if it is wrong.
func (v modelVerdict) addTo(r *evidence.Record) {
	if v.status == evidence.Pass {
		r.Detail = append(r.Detail, v.detail...)
		return
	}
	r.Detail = append(append([]string{}, v.detail...), r.Detail...)
	if r.Status != evidence.Fail {
		r.Status = v.status
	}
}

// judgeSearch holds what a search found against TLC's counts.
func judgeSearch(s search.Task, found search.Found, counts map[string]tlc.Entry) modelVerdict {
	v := modelVerdict{status: evidence.Pass}
	bad := func(status evidence.Status, format string, args ...any) {
		if v.status != evidence.Fail {
			v.status = status
		}
		v.detail = append([]string{fmt.Sprintf(format, args...)}, v.detail...)
	}
	for _, c := range found.Counts {
		v.states += c.Distinct
		text, same := fmt.Sprintf("%s: %d distinct states, depth %d", c.Name, c.Distinct, c.Depth), false
		e, known := counts[c.Name]
		known = known && (e.Kind == tlc.Safety || c.Complete)
		if same = known && e.Distinct == c.Distinct && e.Depth == c.Depth; same {
			v.compare++
			text += ", as TLC"
		}
		v.detail = append(v.detail, text)
		switch {
		case found.Violation != "" || !found.Exhaustive || same:
		case !known:
			bad(evidence.Unknown, "%s: the manifest has no complete run of that name to compare with", c.Name)
		case e.Distinct == 0 && e.Large:
			v.alone++
		case e.Distinct == 0:
			bad(evidence.Unknown, "%s: the manifest has no count of TLC for it; run: samecycle spec "+
				"--update %s", c.Name, c.Name)
		default:
			bad(evidence.Fail, "%s: %d states of depth %d, TLC has %d of depth %d", c.Name, c.Distinct,
				c.Depth,
				e.Distinct, e.Depth)
		}
	}
	if found.Note != "" {
		v.detail = append(v.detail, found.Note)
	}
	switch {
	case found.Violation != "":
		bad(evidence.Fail, "%s: %s", s.Name, found.Violation)
	case !found.Exhaustive:
		bad(evidence.Unknown, "%s: not finished: %s", s.Name, found.Bound)
	case len(found.Counts) == 0:
		bad(evidence.Unknown, "%s: the search has counted nothing", s.Name)
	case s.State == "":
		v.detail = []string{fmt.Sprintf("%s, shared by all states: %d distinct states of %s, as TLC", s.Name,
			v.states, plural.Of(len(found.Counts), "program"))}
	}
	return v
}

func (l modelLink) record(ctx context.Context, state string, counts map[string]tlc.Entry) evidence.Record {
	r := evidence.Record{
		State: state, Status: evidence.Pass, Unit: "distinct states",
		Command: "samecycle check --link model --state " + catalog.State{ID: state}.Short(),
		Tools:   map[string]string{"go": runtime.Version()},
	}
	searches := l.model.Of(state)
	marked, whole, solo, actors, alone := false, true, 0, 0, 0
	for _, s := range searches {
		found := s.Run(ctx)
		v := judgeSearch(s, found, counts)
		v.addTo(&r)
		r.Figure += float64(v.states)
		solo, actors, alone = max(solo, found.Solo), max(actors, s.Actors), alone+v.alone
		whole = whole && found.Exhaustive && found.Violation == "" // which ends the search ahead of races
		for _, mark := range found.Marks {
			marked = marked || mark == state
		}
	}
	if !marked && whole {
		modelVerdict{status: evidence.Fail, detail: []string{"the race never happens"}}.addTo(&r)
	}
	r.Bound = fmt.Sprintf("all interleavings of %s, up to %s; counts of %s equal TLC's",
		plural.Of(len(searches), "program"), plural.Of(actors, "actor"),
		plural.Of(len(searches)-alone, "program"))
	if solo > 0 {
		r.Bound += fmt.Sprintf("; an actor alone ends within %s", plural.Of(solo, "step"))
	}
	if l.model.Note != nil {
		r.Bound += "; " + l.model.Note(state)
	}
	return r
}
