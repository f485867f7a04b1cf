package scenarios

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	model "github.com/samecycle/samecycle/model/hopscotch"
	"github.com/samecycle/samecycle/model/hopscotch/tasks"
	"github.com/samecycle/samecycle/scenarios/hopscotch/volume"
)

// The folders of the specification: the protocol as it is built, the source text's table as it is written,
// and its mechanisms around the table.
const (
	specDir    = "spec/tla/hopscotch"
	writtenDir = specDir + "/written"
	partsDir   = writtenDir + "/parts"
)

// Engine registers the hopscotch table.
func Engine() *harness.Engine {
	e := &harness.Engine{
		Engine: register.Engine(),
		Specs: catalog.Specs{{Dir: specDir, Again: []string{"MCReclaim"}}, {Dir: writtenDir},
			{Dir: partsDir}},
		Model: tasks.Model(),
		Scope: "4 cells a half, window 3 (in programs with Far in their name 6 and 4), near homes in those " +
			"with Near; revisited states are cut; not covered: more actors than the programs have, " +
			"generations that wrap",
		Scopes:   scopes(),
		Volume:   volume.Subject(),
		Ledger:   "results/hopscotch/mutants.json",
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
	return slices.ContainsFunc(model.ThreeActorsOf(p.State),
		func(x model.Program) bool { return x.Name == p.Name })
}

// Explore runs every interleaving of the program within the options on the engine and judges
// each. The report has a failure if a judge refused one. Errors say that nothing was explored.
func Explore(p model.Program, o Options) (Report, error) { return Registered(p).Explore(o) }

// rowed are the packages whose tables have a row for each state.
var rowed = []string{"internal/catalog/hopscotch", "model/hopscotch", "scenarios/hopscotch",
	"scenarios/hopscotch/volume"}

// scopes say what the table's part of each link rests on.
func scopes() map[string]closure.Scope {
	explored := closure.Scope{Packages: []string{"scenarios/hopscotch"}, Rows: rowed,
		Without: []string{"stress", "scenarios/hopscotch/volume"}}
	return map[string]closure.Scope{
		"model":     {Rows: rowed, Packages: []string{"model/hopscotch/tasks"}},
		"engine":    explored,
		"histories": explored,
		"volume":    {Rows: rowed, Packages: []string{"scenarios/hopscotch/volume"}},
		"mutants": {Rows: rowed, Without: explored.Without,
			Packages: []string{"scenarios/hopscotch", "internal/mutate/judge",
				"impl/hopscotch", "impl/region", "service"}},
	}
}
