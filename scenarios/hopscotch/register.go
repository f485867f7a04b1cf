package scenarios

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/catalog/hopscotch/mutants"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/seam"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
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
		Mutation: mutants.Mutation(),
		Refusals: []harness.Refusal{{Err: ErrLeftover, Judge: "newcomer"},
			{Err: ErrStructure, Judge: "structural check"}, {Err: ErrContents, Judge: "contents"},
			{Err: ErrHanded, Judge: "values handed out"}},
		Drawn: &harness.Drawn{Program: func(n int) harness.Program { return Registered(Drawn(n)) },
			Walks: DrawnWalks},
		Without: func(repair string) (any, bool) {
			off, ok := model.FixByName(repair)
			return model.AllFixes &^ off, ok
		},
		Shared: shared(),
		Source: source,
		Named: func(name string) (harness.Program, error) {
			p, err := programNamed(name)
			return Registered(p), err
		},
	}
	for _, p := range Explored() {
		e.Programs = append(e.Programs, Registered(p))
	}
	return e
}

// Registered is a program as the harness explores it.
func Registered(p model.Program) harness.Program {
	out := harness.Program{Name: p.Name, State: p.State, Budget: Checked(p), ByName: ofThree(p),
		Text: func() string { return text(p) },
		Open: func(o Options) (*harness.Prepared, error) {
			_, r, err := prepare(p, o)
			return r, err
		}}
	for _, ops := range p.Ops {
		out.Actors = append(out.Actors, fmt.Sprint(ops))
		out.Sizes = append(out.Sizes, len(ops))
	}
	return out
}

// text is what a program does, and where.
func text(p model.Program) string {
	c := p.Config(0)
	return fmt.Sprint(c.N, c.W, c.Home, c.Program, c.Memory, c.MakeRoom, p.Near)
}

// ofThree reports whether a program is one of three actors.
func ofThree(p model.Program) bool {
	return slices.ContainsFunc(model.ThreeActorsOf(p.State),
		func(x model.Program) bool { return x.Name == p.Name })
}

// Explore runs every interleaving of the program within the options on the engine and judges
// each. The report has a failure if a judge refused one. Errors say that nothing was explored.
func Explore(p model.Program, o Options) (Report, error) { return Registered(p).Explore(o) }

// Options say how a program is explored. Fixes is a model.Fix: a set of repairs that lacks one makes a model
// that the engine does not follow.
type Options = harness.Options

// Report is what an exploration of one program found out.
type Report = harness.Report

// setup is a program with its world, its model and its judges.
type setup = harness.Setup[mapmodel.Request, mapmodel.Result]

// setUp builds the world of a program, with its model and its judges.
func setUp(p model.Program, o Options) (*world, setup, error) {
	if !seam.Explored {
		return nil, setup{}, harness.ErrPlain
	}
	w, err := newWorldOf(p, o.Apart)
	if err != nil {
		return nil, setup{}, err
	}
	cfg := p.Config(o.Kills)
	if fixes, ok := o.Fixes.(model.Fix); ok && fixes != 0 {
		cfg.Fixes = fixes
	}
	m, err := model.New(cfg)
	if err != nil {
		return nil, setup{}, err
	}
	w.follow(m)
	s := setupOf(p, w)
	s.Token, s.Model = harness.TokenName(p.Name, o.Apart), w.trace
	return w, s, nil
}

// setupOf is the program on the world, with no model to follow.
func setupOf(p model.Program, w harness.World[mapmodel.Request, mapmodel.Result]) setup {
	s := setup{Name: p.Name, Token: p.Name, State: p.State, World: w, Judge: judgeOf(p),
		Identity: fmt.Sprintf("%+v", p)}
	for _, ops := range p.Ops {
		var asked []mapmodel.Request
		for _, op := range ops {
			asked = append(asked, request(op))
		}
		s.Ops = append(s.Ops, asked)
	}
	return s
}

// prepare makes a program ready for one search, on a world of its own.
func prepare(p model.Program, o Options) (*world, *harness.Prepared, error) {
	w, s, err := setUp(p, o)
	if err != nil {
		return nil, nil, err
	}
	return w, harness.Prepare(s, o), nil
}

// scopes are the usual ones. A row of package states has fields that are for the volume alone, or for all
// links but it.
func scopes() map[string]closure.Scope {
	all := harness.Scopes("hopscotch", "scenarios/hopscotch/states", "scenarios/hopscotch/volume")
	for link, field := range map[string]string{"engine": "Volume", "histories": "Volume", "mutants": "Volume",
		"volume": "Programs"} {
		all[link] = all[link].With(closure.Scope{Unread: []string{field}})
	}
	return all
}
