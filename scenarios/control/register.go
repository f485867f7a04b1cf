// Package control registers the words by which the processes of a cache steer one another with the harness:
// their specification, their model, and the programs of their states on the code that ships.
package control

import (
	"fmt"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/control"
	"github.com/samecycle/samecycle/internal/catalog/control/mutants"
	model "github.com/samecycle/samecycle/model/control"
	"github.com/samecycle/samecycle/model/control/tasks"
	"github.com/samecycle/samecycle/scenarios/control/volume"
)

// scope stands at the end of each bound.
const scope = "the clock and the answer of the system about who lives are doubles; times are small " +
	"numbers; turns without end are two turns; results of charges are held against bounds; revisited " +
	"states are cut; not covered: a clock that wraps, damaged words but wishes, calls that give up after " +
	"many tries, more actors and words than the programs have"

// Engine registers the words.
func Engine() *harness.Engine {
	e := &harness.Engine{
		Engine:   register.Engine(),
		Specs:    catalog.Specs{{Dir: "spec/tla/control"}},
		Model:    tasks.Model(),
		Scope:    scope,
		Volume:   volume.Subject(),
		Mutation: mutants.Mutation(),
		Scopes:   harness.Scopes("control"),
	}
	for _, r := range rows {
		if p, ok := programByName(r.name); ok {
			e.Programs = append(e.Programs, registered(p))
		}
	}
	return e
}

// registered is a program as the harness explores it.
func registered(p program) harness.Program {
	return harness.NewProgram(harness.Program{Name: p.Name, State: p.State, Budget: p.budget(),
		Text: func() string { return fmt.Sprintf("%+v", p.Program) },
		Open: func(o harness.Options) (*harness.Prepared, error) { return open(p, o, nil) }}, p.calls())
}

// open makes a program ready for one search. Spoil, if not nil, changes the world, and may give another
// model, or none: for canaries.
func open(p program, o harness.Options, spoil func(*world, *model.Machine) *model.Machine) (*harness.Prepared,
	error) {
	p = p.dying(o.Kills)
	m, err := model.Of(p.Program)
	if err != nil {
		return nil, err
	}
	w, err := newWorld(p)
	if err != nil {
		return nil, err
	}
	if spoil != nil {
		m = spoil(w, m)
	}
	setup := harness.Setup[call, answer]{Name: p.Name, Token: p.Name, State: p.State, World: w,
		Judge: judge(p), Identity: fmt.Sprintf("%+v", p.Program), Ops: p.calls()}
	if m != nil {
		setup.Model = harness.NewTrace[state, answer](newFollower(m, w), register.Engine(), p.Name,
			w.ObjectName)
	}
	return harness.Prepare(setup, o), nil
}
