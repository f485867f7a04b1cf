package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/tlc"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// modelLink searches the programs of the states in the Go model, and compares what it counts
// with what the manifest says that TLC counts for the same constants; the programs of owner words and of the
// bell once for all states. That the sets are equal, not only their sizes, is a test of each package.
type modelLink struct{}

func (modelLink) Link() string { return "model" }

func (modelLink) Inputs() []string {
	return []string{"model/hopscotch/*.go", "model/hopscotch/owner/*.go", "model/hopscotch/bell/*.go", "model/search/*.go",
		"internal/catalog/*.go", specDir + "/*.tla", specDir + "/" + tlc.ManifestName, "!*_test.go"}
}

func (modelLink) Covers(evidence.Env) ([]string, error) { return model.States(), nil }

func (modelLink) Run(ctx context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress) ([]evidence.Record, error) {
	if err := env.Outdated(ctx); err != nil {
		return nil, err
	}
	m, err := tlc.LoadManifest(filepath.Join(env.Root, specDir))
	if err != nil {
		return nil, err
	}
	counts := completeRuns(m)
	progress("owner words, and the bell", 0)
	parts := []partVerdict{judgePart(ctx, owners(), counts), judgePart(ctx, bells(), counts)}
	for i, s := range states {
		progress(s.ID, float64(i)/float64(len(states)))
		r := modelRecord(ctx, s.ID, counts)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, v := range parts {
			v.addTo(&r)
		}
		if err := env.Save(r); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// completeRuns are the manifest's entries that the model is compared with, by name.
func completeRuns(m *tlc.Manifest) map[string]tlc.Entry {
	counts := map[string]tlc.Entry{}
	for _, e := range m.Entries {
		if e.Kind == tlc.Safety || slices.Contains(partModules, e.Module) && e.Kind == tlc.LiveRun {
			counts[e.Name] = e
		}
	}
	return counts
}

func modelRecord(ctx context.Context, state string, counts map[string]tlc.Entry) evidence.Record {
	r := evidence.Record{
		State: state, Status: evidence.Pass, Unit: "distinct states",
		Command: "samecycle check --link model --state " + state[:3],
		Tools:   map[string]string{"go": runtime.Version()},
	}
	bad := func(status evidence.Status, format string, args ...any) {
		if r.Status != evidence.Fail {
			r.Status = status
		}
		r.Detail = append([]string{fmt.Sprintf(format, args...)}, r.Detail...)
	}
	programs := searchedOf(state)
	marked, whole, solo, actors, alone := false, true, 0, 0, 0
	for _, p := range programs {
		machine, err := model.New(p.Config(model.ProgramCrashes))
		if err != nil {
			bad(evidence.Fail, "%s: %v", p.Name, err)
			continue
		}
		rep := model.Explore(ctx, machine, model.Options{})
		r.Figure += float64(rep.Distinct)
		solo, actors = max(solo, rep.Solo), max(actors, len(p.Ops))
		whole = whole && rep.Exhaustive
		for _, mark := range rep.Marks {
			marked = marked || mark == state
		}
		e, known := counts[p.Name]
		same := ""
		if e.Distinct == int64(rep.Distinct) && e.Depth == rep.Depth {
			same = ", as TLC"
		}
		r.Detail = append(r.Detail, fmt.Sprintf("%s: %d distinct states, depth %d%s; alone from "+
			"any of them an actor ends within %d steps", p.Name, rep.Distinct, rep.Depth, same, rep.Solo))
		switch {
		case rep.Violation != nil:
			bad(evidence.Fail, "%s: %s", p.Name, rep.Violation.String())
		case rep.SoloFails != "" || rep.Endless != "":
			bad(evidence.Fail, "%s: %s%s", p.Name, rep.SoloFails, rep.Endless)
		case !rep.Exhaustive:
			bad(evidence.Unknown, "%s: not finished: %s", p.Name, rep.Bound)
		case !known:
			bad(evidence.Unknown, "%s: the manifest has no safety run of that name to compare with", p.Name)
		case e.Distinct == 0 && e.Large:
			alone++
		case e.Distinct == 0:
			bad(evidence.Unknown, "%s: the manifest has no count of TLC for it; run: samecycle spec "+
				"--update %s", p.Name, p.Name)
		case same == "":
			bad(evidence.Fail, "%s: %d states of depth %d, TLC has %d of depth %d", p.Name,
				rep.Distinct, rep.Depth, e.Distinct, e.Depth)
		}
	}
	if !marked && whole {
		bad(evidence.Fail, "the race never happens")
	}
	r.Bound = fmt.Sprintf("all interleavings of %s, up to %s, %s, "+
		"at most %s dead at any step; counts of %s equal TLC's; an actor "+
		"alone ends within %s; not covered: more actors, generations that wrap%s",
		plural.Of(len(programs), "program"), plural.Of(actors, "actor"), geometries(programs),
		plural.Of(model.ProgramCrashes, "actor"), plural.Of(len(programs)-alone, "program"),
		plural.Of(solo, "step"), leftOut(state))
	return r
}

// searchedOf are the programs of the state but for the large ones.
func searchedOf(state string) []model.Program {
	return slices.DeleteFunc(slices.Concat(model.ProgramsOf(state), model.ThreeActorsOf(state)),
		func(p model.Program) bool { return p.Large })
}

// leftOut names the programs of the state whose counts only the tests of the model compare with TLC's.
func leftOut(state string) (text string) {
	for _, p := range model.ThreeActorsOf(state) {
		if !p.Large {
			continue
		}
		text += fmt.Sprintf("; left to the tests: %s, with %s", p.Name, plural.Of(len(p.Ops), "actor"))
	}
	return text
}

// geometries says of which tables the programs are.
func geometries(programs []model.Program) string {
	var said []string
	for _, p := range programs {
		cells, window := p.Geometry()
		if s := fmt.Sprintf("%d cells a half, window %d", cells, window); !slices.Contains(said, s) {
			said = append(said, s)
		}
	}
	return strings.Join(said, " or ")
}
