package scenarios

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/harness"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/plural"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// The folders of the specification: the protocol as it is built, the source text's table as it is written, and
// its mechanisms around the table.
const (
	specDir    = "spec/tla/hopscotch"
	writtenDir = specDir + "/written"
	partsDir   = writtenDir + "/parts"
)

// Engine registers the hopscotch table.
func Engine() *harness.Engine {
	e := &harness.Engine{
		Engine: register.Engine(),
		Specs:  []harness.Spec{{Dir: specDir, Again: []string{"MCReclaim"}}, {Dir: writtenDir}, {Dir: partsDir}},
		Model:  harness.Model{Searches: []harness.Search{owners().Search(), bells().Search()}, Note: modelNote},
		Scope: "4 cells a half, window 3 (in programs with Far in their name 6 and 4), near homes in those with " +
			"Near; revisited states are cut; not covered: more actors than the programs have, generations that wrap",
		Judged:   judged(),
		Shared:   shared(),
		Minimise: Minimise, Export: Export,
		Named: func(name string) (harness.Program, error) {
			p, err := programNamed(name)
			return Registered(p), err
		},
	}
	for _, s := range register.States() {
		for _, p := range slices.Concat(model.ProgramsOf(s.ID), model.ThreeActorsOf(s.ID)) {
			e.Programs = append(e.Programs, Registered(p))
			if !p.Large {
				e.Model.Searches = append(e.Model.Searches, searched(p))
			}
		}
	}
	return e
}

// Registered is a program as the harness explores it.
func Registered(p model.Program) harness.Program {
	out := harness.Program{Name: p.Name, State: p.State, Budget: Checked(p), ByName: ofThree(p),
		Open: func(o Options) (*harness.Prepared, error) { return open(p, o) }}
	for _, ops := range p.Ops {
		out.Actors = append(out.Actors, fmt.Sprint(ops))
		out.Operations = max(out.Operations, len(ops))
	}
	return out
}

// ofThree reports whether a program is one of three actors.
func ofThree(p model.Program) bool {
	return slices.ContainsFunc(model.ThreeActorsOf(p.State), func(x model.Program) bool { return x.Name == p.Name })
}

// Explore runs every interleaving of the program within the options on the engine and judges
// each. The report has a failure if a judge refused one. Errors say that nothing was explored.
func Explore(p model.Program, o Options) (Report, error) { return Registered(p).Explore(o) }

// searched is the search of a program in the model.
func searched(p model.Program) harness.Search {
	return harness.Search{Name: p.Name, State: p.State, Actors: len(p.Ops),
		Run: func(ctx context.Context) harness.Searched {
			machine, err := model.New(p.Config(model.ProgramCrashes))
			if err != nil {
				return harness.Searched{Violation: err.Error()}
			}
			rep := model.Explore(ctx, machine, model.Options{})
			out := harness.Searched{Exhaustive: rep.Exhaustive, Bound: rep.Bound, Marks: rep.Marks, Solo: rep.Solo,
				Counts:    []harness.Count{{Name: p.Name, Distinct: int64(rep.Distinct), Depth: rep.Depth}},
				Violation: rep.SoloFails + rep.Endless}
			if rep.Violation != nil {
				out.Violation = rep.Violation.String()
			}
			return out
		}}
}

// modelNote says of which tables the programs of a state are, and what the searches leave out.
func modelNote(state string) string {
	var said []string
	left := ""
	for _, p := range slices.Concat(model.ProgramsOf(state), model.ThreeActorsOf(state)) {
		if p.Large {
			left += fmt.Sprintf("; left to the tests: %s, with %s", p.Name, plural.Of(len(p.Ops), "actor"))
			continue
		}
		cells, window := p.Geometry()
		if s := fmt.Sprintf("%d cells a half, window %d", cells, window); !slices.Contains(said, s) {
			said = append(said, s)
		}
	}
	return fmt.Sprintf("%s; at most %s dead at any step; not covered: more actors, generations that wrap%s",
		strings.Join(said, " or "), plural.Of(model.ProgramCrashes, "actor"), left)
}

// judged are the files that each link judges.
func judged() map[string][]string {
	spec := []string{}
	for _, dir := range []string{specDir, writtenDir, partsDir} {
		spec = append(spec, dir+"/*.tla", dir+"/*.cfg", dir+"/manifest.json")
	}
	engine := []string{"impl/region/*.go", "impl/hopscotch/*.go", "internal/seam/*.go", "internal/hook/*.go",
		"harness/*.go", "scenarios/hopscotch/*.go", "scenarios/hopscotch/processes/*.go",
		"scenarios/hopscotch/hostile/*.go", "explore/*.go", "explore/processes/*.go",
		"explore/hostile/*.go", "model/hopscotch/*.go",
		"internal/catalog/*.go", "internal/catalog/hopscotch/*.go", "!*_test.go"}
	return map[string][]string{
		"spec": spec,
		"model": {"model/hopscotch/*.go", "model/hopscotch/owner/*.go", "model/hopscotch/bell/*.go",
			"model/search/*.go", "internal/catalog/hopscotch/*.go", specDir + "/*.tla", specDir + "/manifest.json",
			"!*_test.go"},
		"engine":    engine,
		"histories": append(slices.Clone(engine), "linearizability/*.go", "internal/history/*.go", "!*_test.go"),
	}
}
