package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

// modelLink makes the searches of the engine's model, and compares the states that they reach with those that
// TLC reaches for the same constants; searches that belong to no state once for all states. Of programs that
// take TLC minutes it compares the number and the depth of the states with those of the manifest, and says
// whether TLC has counted them since the specification last changed.
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
	tests, err := l.stateTests(env.Root)
	for _, folder := range tests {
		s.Packages = append(s.Packages, "internal/samestates")
		s.Files = append(s.Files, folder+"/*_test.go")
	}
	s.Texts = func(state string) (map[string]string, error) {
		texts, err := m.Reach(env.Root, state)
		if err != nil {
			return nil, err
		}
		texts[l.specs[0].Dir+"/"+tlc.ManifestName+" (counts)"] = m.Counts(state)
		large, err := l.largeRuns(env.Root, m, state)
		if len(large) > 0 {
			texts[largeDir+"/large.json (runs of the present files)"] = fmt.Sprintf("%q", large)
		}
		return texts, err
	}
	return s, err
}

// largeRuns are the names of the large runs of a state, and of those of no state, that TLC has made since the
// specification last changed.
func (l modelLink) largeRuns(root string, m *tlc.Manifest, state string) (names []string, err error) {
	var entries []tlc.Entry
	for _, e := range m.Large() {
		if e.State == state || e.State == "" {
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 || l.specs[0].Dir != specDir {
		return nil, nil
	}
	kept, err := loadLargeRuns(root, entries)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		files, err := kept.filesOf(e)
		if err != nil {
			return nil, err
		}
		if kept.has(e, files) {
			names = append(names, e.Name)
		}
	}
	return names, nil
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
	c, err := l.comparer(ctx, env, progress)
	if err != nil {
		return nil, err
	}
	defer c.close()
	j := &modelJudge{model: l.model, counts: completeRuns(m)}
	if c != nil {
		j.compare = c.compare
	}
	for _, s := range append(states, catalog.State{}) {
		large, err := l.largeRuns(env.Root, m, s.ID)
		if err != nil {
			return nil, err
		}
		j.large = append(j.large, large...)
	}
	progress("the parts that all states share", 0)
	shared, err := j.judge(ctx, l.model.Of(""))
	if err != nil {
		return nil, err
	}
	for i, s := range states {
		progress(s.ID, float64(i)/float64(len(states)))
		r, err := j.record(ctx, s.ID)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
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
